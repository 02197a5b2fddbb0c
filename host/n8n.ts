import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutSecrets } from '../scripts/environment';
import { start, type Child } from './child';
import type { Installation } from './installation';
import { freePort } from './ports';
import { UserError } from './userError';

export interface N8nSettings {
	/** n8n keeps its database, its encryption key and the community nodes in here. */
	userFolder: string;
	port: number;
	/** More variables, or other values than the usual ones. */
	environment?: Record<string, string>;
}

export interface N8n extends Child {
	url: string;
	logFile: string;
}

/** The first start takes the longest: it creates the database, perhaps on a busy machine. */
const readyWithinMs = 180_000;

/** Starts the editor and waits until it answers. */
export async function startN8n(installation: Installation, settings: N8nSettings): Promise<N8n> {
	const child = await startRole(installation, 'start', settings);
	const n8n = { ...child, url: `http://localhost:${settings.port}` };
	await ready(n8n, `http://127.0.0.1:${settings.port}/healthz/readiness`);
	return n8n;
}

/** Starts n8n in one of its roles: `start`, `worker` or `webhook`. */
export async function startRole(
	installation: Installation,
	role: string,
	settings: N8nSettings,
	...args: string[]
): Promise<Child & { logFile: string }> {
	await mkdir(settings.userFolder, { recursive: true });
	const logFile = join(settings.userFolder, `${role}-${settings.port}.log`);
	const environment = {
		...(await n8nEnvironment(installation, settings)),
		...settings.environment,
	};
	const child = start(installation.node, [installation.n8n, role, ...args], environment, logFile);
	return { ...child, logFile };
}

/** Waits until the health address answers, or n8n ends. */
export async function ready(n8n: Child & { logFile: string }, healthUrl: string): Promise<void> {
	let ended = false;
	void n8n.ended.then(() => (ended = true));
	const end = Date.now() + readyWithinMs;
	while (!(await answers(healthUrl))) {
		if (ended || Date.now() > end) {
			await n8n.stop();
			const why = ended ? 'ended while it was starting' : 'did not become ready in three minutes';
			throw new UserError(`n8n ${why}: ${await lastErrorLine(n8n.logFile)}`);
		}
		await sleep(250);
	}
}

/** Leaves out the settings of another n8n on this machine, those of npm and jest, and all that gives access to anything. */
export async function n8nEnvironment(
	installation: Installation,
	{ userFolder, port }: N8nSettings,
): Promise<NodeJS.ProcessEnv> {
	const inherited = Object.entries(withoutSecrets(process.env)).filter(
		([name]) => !/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL|NODE_|npm_|JEST_)/.test(name),
	);
	return {
		...Object.fromEntries(inherited),
		// n8n starts its task runner with the `node` that is found first.
		PATH: [dirname(installation.node), process.env.PATH].join(delimiter),
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: 'localhost',
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_ENABLED: 'true',
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		GENERIC_TIMEZONE: 'UTC',
	};
}

async function answers(url: string) {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
	} catch {
		return false;
	}
}

async function lastErrorLine(logFile: string) {
	const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
	const line = lines.findLast((text) => /error|EADDRINUSE|ENOSPC/i.test(text)) ?? lines.at(-1);
	return `${line?.trim() || 'it printed nothing'} (the whole log is in ${logFile}).`;
}
