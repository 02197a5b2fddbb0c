// Installs the locked packages and the pinned Node once; a later call with the same lockfile does nothing.
// Runs on whatever Node the machine has (20 or newer) and must not need any package itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutSecrets } from './environment.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const pinnedNode = join(
	root,
	process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node',
);

const stamp = join(root, 'node_modules/.prepared');
// The scripts that packages run when they are installed see this environment.
const common = {
	cwd: root,
	shell: process.platform === 'win32',
	env: withoutSecrets(process.env),
};

export function prepare() {
	const wanted = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.update(`${process.platform} ${process.arch}`)
		.digest('hex');
	if (existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

	console.error('Installing the locked packages (once, about a minute) …');
	const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
	// Without a network npm tries package after package for minutes; its cache may hold all of them.
	if (isOffline()) npm('ci', ...flags, '--offline', '--loglevel=silent');
	else npm('ci', ...flags, '--loglevel=error');
	// --ignore-scripts left this one out; it puts the pinned Node in place.
	npm('rebuild', 'node', '--loglevel=error');
	writeFileSync(stamp, wanted);
}

function isOffline() {
	const args = ['ping', '--fetch-retries=0', '--fetch-timeout=20000'];
	const { status, stderr } = spawnSync('npm', args, { ...common, encoding: 'utf8' });
	return status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|network/.test(stderr);
}

function npm(...args) {
	const { status, error } = spawnSync('npm', args, {
		...common,
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
