// Installs the locked packages and the pinned Node once; a later call with the same lockfile does nothing.
// Runs on whatever Node the machine has (20 or newer) and must not need any package itself.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const pinnedNode = join(
	root,
	process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node',
);

const stamp = join(root, 'node_modules/.prepared');

export function prepare() {
	const wanted = createHash('sha256')
		.update(readFileSync(join(root, 'package-lock.json')))
		.update(`${process.platform} ${process.arch}`)
		.digest('hex');
	if (existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

	console.error('Installing the locked packages (once, about a minute) …');
	npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
	// npm runs no install script unasked; this one puts the pinned Node in place.
	npm('rebuild', 'node', '--loglevel=error');
	writeFileSync(stamp, wanted);
}

function npm(...words) {
	const { status, error } = spawnSync('npm', words, {
		cwd: root,
		// What npm says is progress: standard output belongs to the command that was asked for.
		stdio: ['ignore', process.stderr, process.stderr],
		shell: process.platform === 'win32',
	});
	if (error ?? status !== 0) {
		console.error(
			`"npm ${words.join(' ')}" did not finish${error ? `: ${error.message}` : ''}. ` +
				'Check the network and the free disk space, then run the command again.',
		);
		process.exit(1);
	}
}
