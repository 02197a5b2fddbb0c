import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { testedN8n } from '../../host/installation';
import { n8nEnvironment } from '../../host/n8n';
import { npm } from '../../host/npm';
import { startProgram } from '../support/runs/program';
import { manifest, root } from './built';
import { fakeNpm } from './fakeNpm';

/** The variables that somebody may have in their terminal, and the one that npm needs where a registry asks for it. */
const variables = {
	EVENT_PLATFORM_TOKEN: 'of-the-platform',
	EVENT_PLATFORM_WEBHOOK_SECRET: 'of-deliveries',
	ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-signer',
	DATABASE_PASSWORD: 'of-a-database',
	NODE_AUTH_TOKEN: 'of-the-registry',
	LANG: 'C',
};

/** As npm does it, where a test names the folder: the packages are there after a while. */
const installs =
	'[ "$1" = ci ] && [ -n "$NPM_INSTALLS_IN" ] && { sleep 1; mkdir -p "$NPM_INSTALLS_IN/node_modules"; cp "$NPM_INSTALLS_IN/package-lock.json" "$NPM_INSTALLS_IN/node_modules/.package-lock.json"; }';
const fake = fakeNpm(() => installs);
const { folder, path } = fake;
/** The variables that npm may have: its own for a registry, and one that gives access to nothing. */
const harmless = ['NODE_AUTH_TOKEN', 'LANG'];

/** The names of those variables that a program got. */
function namesIn(printed: string): string[] {
	return Object.keys(variables).filter((name) => new RegExp(`^${name}=`, 'm').test(printed));
}

describe('a checkout', () => {
	const checkout = join(folder, 'checkout');
	/** Any version but the one that runs the tests: then the package is needed. */
	const pinned = '18.0.0';
	const locked = (version: string) =>
		JSON.stringify({ packages: { '': {}, 'node_modules/node': { version } } });
	const prepare = () =>
		spawnSync(process.execPath, ['scripts/prepare.mjs'], {
			cwd: checkout,
			env: { ...process.env, ...variables, PATH: path },
		});

	beforeEach(() => {
		fake.forget();
		rmSync(checkout, { recursive: true, force: true });
		cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
		writeFileSync(join(checkout, 'package-lock.json'), locked(pinned));
	});

	/** Writes the packages as npm leaves them after an installation. */
	function writeInstalled(version: string): void {
		const bin = join(checkout, 'node_modules/node/bin');
		mkdirSync(bin, { recursive: true });
		writeFileSync(join(checkout, 'node_modules/.package-lock.json'), locked(version));
		writeFileSync(join(bin, 'node'), '#!/bin/sh\n');
		chmodSync(join(bin, 'node'), 0o755);
	}

	const running = process.versions.node;
	test.each<[what: string, lockfile: string, installed: string | undefined, calls: string[]]>([
		[
			'without packages gets them, and the pinned Node',
			pinned,
			undefined,
			['ping', 'ci', 'rebuild'],
		],
		['without packages gets no Node that runs already', running, undefined, ['ping', 'ci']],
		['with packages of another lockfile gets its own', pinned, '20.0.0', ['ping', 'ci', 'rebuild']],
		['with all of its packages is left alone', pinned, pinned, []],
		['with all but a Node that runs already is left alone', running, running, []],
	])('%s', (_, lockfile, installed, calls) => {
		writeFileSync(join(checkout, 'package-lock.json'), locked(lockfile));
		if (installed !== undefined) writeInstalled(installed);
		if (lockfile === running)
			rmSync(join(checkout, 'node_modules/node'), { recursive: true, force: true });
		expect(prepare().status).toBe(0);
		expect(npmCalls()).toEqual(calls);
		// What npm runs does not get what gives access to anything.
		if (calls.length > 0) expect(namesIn(fake.recorded())).toEqual(harmless);
	});

	test('after a plain npm ci, which runs no install scripts, gets the pinned Node alone', () => {
		writeInstalled(pinned);
		rmSync(join(checkout, 'node_modules/node/bin/node'));
		expect(prepare().status).toBe(0);
		expect(npmCalls()).toEqual(['rebuild']);
	});

	test('is installed once by two commands that begin at the same time: the second one waits', async () => {
		writeFileSync(join(checkout, 'package-lock.json'), locked(process.versions.node));
		const options = { cwd: checkout, env: { PATH: path, NPM_INSTALLS_IN: checkout } };
		const both = [1, 2].map(() => startProgram('scripts/prepare.mjs', [], options));
		expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0]);
		expect(npmCalls().filter((command) => command === 'ci')).toHaveLength(1);
		expect(both.map(({ printed }) => printed()).sort()).toEqual([
			'Another command is installing the packages: waiting for it …\n',
			expect.stringMatching(/^Installing 1 packages, once \(about [\d.]+ GB\) …\n/),
		]);
		expect(existsSync(join(checkout, '.prepare.lock'))).toBe(false);
	});

	/** The commands that npm was given, in their order. */
	const npmCalls = () => fake.calls().map((words) => words.split(' ')[0]);
});

test('no command relies on a script before or after it, which npm leaves out where it runs no install scripts', () => {
	expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
	const names = Object.keys(manifest.scripts);
	const isBeside = (name: string) => names.includes(name.replace(/^(?:pre|post)/, ''));
	expect(names.filter((name) => /^(?:pre|post)/.test(name) && isBeside(name))).toEqual([]);
});

test('npm 12 is told of each package whose install script has to run', () => {
	const allowed = (folder: string) => {
		const text = readFileSync(join(folder, 'package.json'), 'utf8');
		const { allowScripts = {} } = JSON.parse(text) as { allowScripts?: Record<string, boolean> };
		return Object.keys(allowScripts);
	};
	expect(allowed(root)).toEqual(['node']);
	for (const recipe of testedN8n) expect(allowed(recipe)).toEqual(['node', 'sqlite3']);
});

test('a test does not see what gives access to anything', () => {
	const printNames =
		"require('./jest.config.js'); for (const name in process.env) console.log(`${name}=`)";
	const { stdout } = spawnSync(process.execPath, ['-e', printNames], {
		cwd: root,
		encoding: 'utf8',
		env: { ...process.env, ...variables },
	});
	expect(namesIn(stdout)).toEqual(harmless);
});

test('neither n8n nor the npm that installs it gets what gives access to anything, no matter who started it', async () => {
	const before = { ...process.env };
	Object.assign(process.env, variables, { PATH: path });
	try {
		expect(namesIn(await npm(folder, ['rebuild'], 'Trying it'))).toEqual(harmless);
		const installation = { node: process.execPath, n8n: 'n8n', version: '2.0.0' };
		const ofN8n = await n8nEnvironment(installation, { userFolder: folder, port: 5678 });
		expect(Object.keys(variables).filter((name) => name in ofN8n)).toEqual(['LANG']);
	} finally {
		process.env = before;
	}
});
