// Installs the locked packages where they are missing, and the pinned Node where another version runs. The commands of package.json
// begin with it, in parentheses: the shell then looks for `node` anew, and finds the pinned one.
// It runs on whatever Node the machine has (20 or newer) and must not need any package itself.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import environment from './environment.js';
import lock from './lock.js';
import { root } from './root.mjs';

// The scripts that packages run when they are installed see this environment.
const common = { cwd: root, env: environment.withoutSecrets(process.env) };
const isWindows = process.platform === 'win32';

/** What the installed packages take on disk, in GB. */
const gigabytes = 0.8;
const progressEveryMs = 5_000;

if (!isInstalled()) {
	// Two commands in a fresh clone: npm would remove what it is installing for the other one.
	const onWait = () =>
		console.error('Another command is installing the packages: waiting for it …');
	try {
		await lock.withLock(join(root, '.prepare.lock'), onWait, async () => {
			if (!isInstalled()) await install();
		});
	} catch (error) {
		console.error(error.message);
		process.exitCode = 1;
	}
}

function isInstalled() {
	return arePackagesInPlace() && (runsOnPinnedNode() || isNodeInPlace());
}

/** npm notes what it has installed. What is optional may be for another kind of machine. */
function arePackagesInPlace() {
	const installed = packagesIn('node_modules/.package-lock.json');
	const needed = Object.entries(packagesIn('package-lock.json')).filter(
		([folder, { optional, devOptional }]) => folder !== '' && !optional && !devOptional,
	);
	return needed.every(([folder, { version }]) => installed[folder]?.version === version);
}

/** Whether the machine has the Node that the package `node` would bring: then it is not fetched. */
function runsOnPinnedNode() {
	const pinned = packagesIn('package-lock.json')['node_modules/node']?.version;
	return pinned?.split('.')[0] === process.versions.node.split('.')[0];
}

function packagesIn(file) {
	const path = join(root, file);
	return (existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).packages) || {};
}

function isNodeInPlace() {
	const pinnedNode = join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');
	return spawnSync(pinnedNode, ['--version'], common).status === 0;
}

async function install() {
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
	const count = Object.keys(packagesIn('package-lock.json')).length - 1;
	const done = showProgress(`Installing ${count} packages, once (about ${gigabytes} GB)`);
	// Without a network npm tries package after package for minutes; its cache may hold all of them.
	try {
		// After a plain `npm ci` the pinned Node alone is missing.
		if (!arePackagesInPlace()) {
			if (isOffline()) await npm('ci', ...flags, '--offline', '--loglevel=silent');
			else await npm('ci', ...flags, '--loglevel=error');
		}
		if (runsOnPinnedNode()) return;
		// The only script of a package that has to run: it puts the pinned Node in place. npm 12 also asks for `allowScripts`.
		await npm('rebuild', 'node', '--ignore-scripts=false', '--loglevel=error');
	} finally {
		done();
	}
}

/** Says every few seconds that it is still at work. Standard output belongs to the command that was asked for. */
function showProgress(title) {
	const began = Date.now();
	console.error(`${title} …`);
	const timer = setInterval(() => {
		console.error(`${title} … ${Math.round((Date.now() - began) / 1_000)} s`);
	}, progressEveryMs);
	return () => clearInterval(timer);
}

function isOffline() {
	const args = ['ping', '--fetch-retries=0', '--fetch-timeout=20000'];
	const { status, stderr } = spawnSync('npm', args, {
		...common,
		encoding: 'utf8',
		shell: isWindows,
	});
	return status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|network/.test(stderr);
}

async function npm(...args) {
	const child = spawn('npm', args, {
		...common,
		shell: isWindows,
		stdio: ['ignore', process.stderr, process.stderr],
	});
	const [code] = await once(child, 'close').catch(({ message }) => [message]);
	if (code === 0) return;
	const why = typeof code === 'string' ? `: ${code}` : '';
	throw new Error(
		args.includes('--offline')
			? 'The npm registry cannot be reached: check the network, then run the command again.'
			: `"npm ${args.join(' ')}" did not finish${why}. Check the free disk space, then run the command again.`,
	);
}
