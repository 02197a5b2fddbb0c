import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start, type Child } from './child';
import type { Installation } from './installation';
import { freePort } from './ports';
import { Trouble } from './trouble';

export interface N8nSettings {
	/** n8n keeps its database, its encryption key and the community nodes in here. */
	userFolder: string;
	port: number;
	/** What n8n is told beyond the usual. */
	environment?: Record<string, string>;
}

export interface N8n extends Child {
	url: string;
	logFile: string;
}

const patienceMs = 180_000;

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
	...words: string[]
): Promise<Child & { logFile: string }> {
	await mkdir(settings.userFolder, { recursive: true });
	const logFile = join(settings.userFolder, `${role}-${settings.port}.log`);
	const environment = {
		...(await n8nEnvironment(installation, settings)),
		...settings.environment,
	};
	const child = start(installation.node, [installation.n8n, role, ...words], environment, logFile);
	return { ...child, logFile };
}

/** Waits until the health address answers, or n8n ends. */
export async function ready(n8n: Child & { logFile: string }, healthUrl: string) {
	let ended = false;
	void n8n.ended.then(() => (ended = true));
	const until = Date.now() + patienceMs;
	while (!(await answers(healthUrl))) {
		if (ended || Date.now() > until) {
			await n8n.stop();
			const why = ended ? 'ended while it was starting' : 'did not become ready in three minutes';
			throw new Trouble(`n8n ${why}: ${await lastWords(n8n.logFile)}`);
		}
		await sleep(250);
	}
}

/** Only what n8n is told here counts: settings of another n8n on this machine are left out. */
export async function n8nEnvironment(
	installation: Installation,
	{ userFolder, port }: N8nSettings,
): Promise<NodeJS.ProcessEnv> {
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^(N8N_|DB_|QUEUE_|EXECUTIONS_|WEBHOOK_URL|NODE_|npm_|JEST_)/.test(name),
	);
	return {
		...Object.fromEntries(inherited),
		// n8n starts its task runner with whatever `node` is found first.
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

async function lastWords(logFile: string) {
	const lines = (await readFile(logFile, 'utf8').catch(() => '')).trim().split('\n');
	const telling = lines.findLast((line) => /error|EADDRINUSE|ENOSPC/i.test(line)) ?? lines.at(-1);
	return `${telling?.trim() || 'it said nothing'} (the whole log is in ${logFile}).`;
}
