// Installs the locked packages where they are missing, and the pinned Node where another version runs: npm runs it before the commands of a fresh clone.
// It runs on whatever Node the machine has (20 or newer) and must not need any package itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import environment from './environment.js';
import { root } from './root.mjs';

// The scripts that packages run when they are installed see this environment.
const common = { cwd: root, env: environment.withoutSecrets(process.env) };
const isWindows = process.platform === 'win32';

if (!isInstalled()) install();

/** npm notes what it has installed. What is optional may be for another kind of machine. */
function isInstalled() {
	const installed = packagesIn('node_modules/.package-lock.json');
	const needed = Object.entries(packagesIn('package-lock.json')).filter(
		([folder, { optional, devOptional }]) => folder !== '' && !optional && !devOptional,
	);
	return (
		needed.every(([folder, { version }]) => installed[folder]?.version === version) &&
		(runsOnPinnedNode() || isNodeInPlace())
	);
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

function install() {
	console.error('Installing the locked packages (once, about a minute) …');
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
	// Without a network npm tries package after package for minutes; its cache may hold all of them.
	if (isOffline()) npm('ci', ...flags, '--offline', '--loglevel=silent');
	else npm('ci', ...flags, '--loglevel=error');
	// --ignore-scripts left this one out; it puts the pinned Node in place.
	if (!runsOnPinnedNode()) npm('rebuild', 'node', '--loglevel=error');
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

function npm(...args) {
	const { status, error } = spawnSync('npm', args, {
		...common,
		shell: isWindows,
		// Standard output belongs to the command that was asked for; what npm prints is progress.
		stdio: ['ignore', process.stderr, process.stderr],
	});
	if (!error && status === 0) return;
	console.error(
		args.includes('--offline')
			? 'The npm registry cannot be reached: check the network, then run the command again.'
			: `"npm ${args.join(' ')}" did not finish${error ? `: ${error.message}` : ''}. ` +
					'Check the free disk space, then run the command again.',
	);
	process.exit(1);
}
