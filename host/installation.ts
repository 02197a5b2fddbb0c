import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cacheFolder, withLock } from './cache';
import { isOffline, npm } from './npm';
import type { Progress } from './progress';
import { UserError } from './userError';

/** An n8n that is ready to start, on the Node it wants. */
export interface Installation {
	version: string;
	node: string;
	n8n: string;
}

const neededBytes = 4e9;

/** The n8n locked in `recipe` (a folder with package.json and lockfile), downloaded only the first time. */
export async function prepareN8n(recipe: string, progress: Progress): Promise<Installation> {
	const lockfile = await readFile(join(recipe, 'package-lock.json'));
	const locked = JSON.parse(lockfile.toString()) as Lockfile;
	const version = locked.packages['node_modules/n8n']?.version ?? '';
	const hash = createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
	const name = `n8n-${version}-${process.platform}-${process.arch}-${hash}`;
	const home = join(cacheFolder, name);
	const installation = {
		version,
		node: join(home, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node'),
		n8n: join(home, 'node_modules/n8n/bin/n8n'),
	};
	if (existsSync(home)) return installation;

	const onWait = () => progress.say('Another start is preparing n8n; waiting for it …');
	await withLock(`${home}.lock`, onWait, async () => {
		if (!existsSync(home)) await install(recipe, home, locked, progress);
	});
	return installation;
}

async function install(recipe: string, home: string, locked: Lockfile, progress: Progress) {
	await clearLeftovers(home);
	await assertSpace();
	const folder = `${home}.${randomUUID()}.partial`;
	await mkdir(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(join(recipe, file), join(folder, file));
	}
	const packages = Object.keys(locked.packages).length - 1;
	const done = progress.during(`Downloading n8n, once (${packages} packages, about 2.7 GB)`);
	try {
		const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
		// With this flag npm fails at once; without it npm tries package after package for minutes.
		if (await isOffline(folder)) flags.push('--offline');
		await npm(folder, ['ci', ...flags, '--fetch-retries=1'], 'Downloading n8n');
		// npm runs no install scripts here; these two put Node and the SQLite driver in place.
		await npm(folder, ['rebuild', 'node', 'sqlite3', '--loglevel=error'], 'Preparing n8n');
		await rename(folder, home);
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	} finally {
		done();
	}
}

/** What an interrupted download left behind. */
async function clearLeftovers(home: string) {
	for (const name of await readdir(cacheFolder)) {
		if (!name.startsWith(`${basename(home)}.`) || !name.endsWith('.partial')) continue;
		await rm(join(cacheFolder, name), { recursive: true, force: true });
	}
}

async function assertSpace() {
	const { bavail, bsize } = await statfs(cacheFolder);
	const free = bavail * bsize;
	if (free >= neededBytes) return;
	throw new UserError(
		`n8n needs about 4 GB in ${cacheFolder}, where ${(free / 1e9).toFixed(1)} GB are free: ` +
			'free some space, or name a folder on another disk in EVENT_PLATFORM_CACHE.',
	);
}

interface Lockfile {
	packages: Record<string, { version?: string }>;
}
