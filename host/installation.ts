import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { withLock } from '../scripts/lock';
import { cacheFolder } from './cache';
import { isOffline, npm } from './npm';
import type { Progress } from './progress';
import { UserError } from './userError';

/** Folders with the package.json and the lockfile of a program: n8n in several versions, and its scanner. */
export const recipes = {
	current: __dirname,
	n8n2_3: join(__dirname, 'compatibility/n8n-2.3'),
	scanner: join(__dirname, 'scanner'),
};

/** Every n8n that the tests start: the last line on npm, and an early version of it. */
export const testedN8n: readonly string[] = [recipes.current, recipes.n8n2_3];

/** An n8n that is ready to start, on the Node it wants. */
export interface Installation {
	version: string;
	node: string;
	n8n: string;
}

/** The program that a folder with package.json and lockfile installs, described for the people who wait for it. */
interface Locked {
	/** The package that gives the folder its version. */
	main: string;
	called: string;
	gigabytes: number;
	/** npm runs no install scripts here; these packages need theirs. */
	rebuild: string[];
	/** A sentence about the things that still work where it cannot be downloaded. */
	withoutIt?: string;
}

const n8n: Locked = {
	main: 'n8n',
	called: 'n8n',
	gigabytes: 2.7,
	// They put the SQLite driver in place, and Node where another version runs.
	rebuild: ['node', 'sqlite3'],
	withoutIt:
		'Without n8n, "npm start -- --no-editor" shows a registration at work, and "npm run sandbox" starts the platform.',
};

/** n8n's own checks of a package. */
export const scanner: Locked = {
	main: '@n8n/scan-community-package',
	called: "n8n's package scanner",
	gigabytes: 0.3,
	rebuild: [],
};

/** The n8n locked in `recipe` (a folder with package.json and lockfile). */
export async function prepareN8n(recipe: string, progress: Progress): Promise<Installation> {
	const { home, version } = await prepareLocked(recipe, n8n, progress);
	const program = process.platform === 'win32' ? 'node.exe' : 'node';
	const packagedNode = join(home, 'node_modules/node/bin', program);
	return {
		version,
		node: existsSync(packagedNode) ? packagedNode : process.execPath,
		n8n: join(home, 'node_modules/n8n/bin/n8n'),
	};
}

/** Whether the n8n locked in `recipe` has been downloaded before. */
export async function isPrepared(recipe: string): Promise<boolean> {
	return existsSync((await homeOf(recipe, n8n)).home);
}

/** A locked program that has been downloaded. */
export interface Prepared {
	/** The folder that holds its `node_modules`. */
	home: string;
	/** The version of its main package. */
	version: string;
}

/** Downloads what is locked in `recipe` the first time, and tells where it is. */
export async function prepareLocked(
	recipe: string,
	program: Locked,
	progress: Progress,
): Promise<Prepared> {
	const { home, version, locked } = await homeOf(recipe, program);
	if (existsSync(home)) return { home, version };

	const onWait = () =>
		progress.say(`Another start is preparing ${program.called}; waiting for it …`);
	await withLock(`${home}.lock`, onWait, async () => {
		if (!existsSync(home)) await install(recipe, home, locked, program, progress);
	});
	return { home, version };
}

async function homeOf(recipe: string, { main }: Locked) {
	const lockfile = await readFile(join(recipe, 'package-lock.json'));
	const locked = JSON.parse(lockfile.toString()) as Lockfile;
	const version = locked.packages[`node_modules/${main}`]?.version ?? '';
	const hash = createHash('sha256').update(lockfile).digest('hex').slice(0, 12);
	const name = `${main.replace(/^.*\//, '')}-${version}-${process.platform}-${process.arch}-${hash}`;
	return { home: join(cacheFolder, name), version, locked };
}

async function install(
	recipe: string,
	home: string,
	locked: Lockfile,
	program: Locked,
	progress: Progress,
) {
	const { called, withoutIt = '' } = program;
	// What npm has installed, before the packages that need it have run their scripts. It stays if one of these fails.
	const downloaded = downloadOf(home);
	try {
		if (!existsSync(downloaded)) await download(recipe, home, locked, program, progress);
		const rebuild = program.rebuild.filter((name) => name !== 'node' || !runsOnNodeOf(locked));
		if (rebuild.length > 0) {
			// A command of this repository has been told to ignore scripts (.npmrc), and npm tells that to what it starts.
			const flags = ['--ignore-scripts=false', '--loglevel=error'];
			await npm(downloaded, ['rebuild', ...rebuild, ...flags], `Preparing ${called}`);
		}
		await rename(downloaded, home);
	} catch (error) {
		if (error instanceof UserError) throw new UserError(`${error.message} ${withoutIt}`.trim());
		throw error;
	}
}

const downloadOf = (home: string) => `${home}.downloaded`;

/** Whether this program runs on the Node that the locked packages bring: then theirs is not put in place. */
function runsOnNodeOf({ packages }: Lockfile) {
	const [major] = packages['node_modules/node']?.version?.split('.') ?? [];
	return major === process.versions.node.split('.')[0];
}

async function download(
	recipe: string,
	home: string,
	locked: Lockfile,
	{ called, gigabytes }: Locked,
	progress: Progress,
) {
	await clearLeftovers(home);
	await assertSpace(called, gigabytes);
	const folder = `${home}.${randomUUID()}.partial`;
	await mkdir(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(join(recipe, file), join(folder, file));
	}
	const packages = Object.keys(locked.packages).length - 1;
	const done = progress.during(
		`Downloading ${called}, once (${packages} packages, about ${gigabytes} GB)`,
	);
	try {
		const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
		// With this flag npm fails at once; without it npm tries package after package for minutes.
		if (await isOffline(folder)) flags.push('--offline');
		await npm(folder, ['ci', ...flags, '--fetch-retries=1'], `Downloading ${called}`);
		await rename(folder, downloadOf(home));
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	} finally {
		done();
	}
}

/** Removes the leftovers of an interrupted download. */
async function clearLeftovers(home: string) {
	for (const name of await readdir(cacheFolder)) {
		if (!name.startsWith(`${basename(home)}.`) || !name.endsWith('.partial')) continue;
		await rm(join(cacheFolder, name), { recursive: true, force: true });
	}
}

async function assertSpace(called: string, gigabytes: number) {
	const { bavail, bsize } = await statfs(cacheFolder);
	const free = bavail * bsize;
	// While npm unpacks, its own cache needs room beside what is installed.
	const needed = Math.ceil(gigabytes * 1.4);
	if (free >= needed * 1e9) return;
	throw new UserError(
		`${called} needs about ${needed} GB in ${cacheFolder}, where ${(free / 1e9).toFixed(1)} GB are free: ` +
			'free some space, or name a folder on another disk in EVENT_PLATFORM_CACHE.',
	);
}

interface Lockfile {
	packages: Record<string, { version?: string }>;
}
