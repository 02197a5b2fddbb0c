import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './built';

interface Packed {
	size: number;
	files: Array<{ path: string }>;
}

let packed: Packed;

beforeAll(() => {
	const { stdout, stderr, status } = spawnSync(
		'npm',
		['pack', '--dry-run', '--json', '--ignore-scripts'],
		{ cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
	);
	if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
	packed = (JSON.parse(stdout) as Packed[])[0] ?? { size: 0, files: [] };
});

test('the tarball is smaller than 200 kB', () => {
	expect(packed.size).toBeGreaterThan(10_000);
	expect(packed.size).toBeLessThan(200_000);
});

test('the tarball holds what was built, and what every package has', () => {
	const others = packed.files
		.map(({ path }) => path)
		.filter((path) => !/^dist\/(nodes|credentials)\//.test(path))
		.sort();
	expect(others).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const kinds = new Set(packed.files.map(({ path }) => path.replace(/^.*?\.(?=\w+$)/, '')));
	expect([...kinds].sort()).toEqual(['js', 'json', 'md', 'svg']);
});

test('packed twice it is the same, byte for byte', () => {
	const folder = mkdtempSync(join(tmpdir(), 'event-platform-tarball-'));
	const hashes = ['first', 'second'].map((name) => {
		const pack = ['pack', '--ignore-scripts', `--pack-destination=${join(folder, name)}`];
		mkdirSync(join(folder, name));
		spawnSync('npm', pack, { cwd: root, shell: process.platform === 'win32' });
		const [file] = readdirSync(join(folder, name));
		return createHash('sha256')
			.update(readFileSync(join(folder, name, file ?? '')))
			.digest('hex');
	});
	rmSync(folder, { recursive: true });
	expect(hashes[0]).toBe(hashes[1]);
});

test('what is built needs nothing but n8n-workflow and Node’s own hashes', () => {
	const scripts = packed.files.filter(({ path }) => path.endsWith('.js'));
	const needed = new Set(
		scripts.flatMap(({ path }) =>
			[...readFileSync(join(root, path), 'utf8').matchAll(/\brequire\("([^".][^"]*)"\)/g)].map(
				([, name]) => name,
			),
		),
	);
	expect([...needed].sort()).toEqual(['n8n-workflow', 'node:crypto']);
});

test('the file system, the environment, timers and the console are left alone', () => {
	for (const { path } of packed.files.filter((file) => file.path.endsWith('.js'))) {
		const text = readFileSync(join(root, path), 'utf8');
		expect([
			path,
			/\b(process\.|globalThis|setTimeout|setInterval|console\.|eval\()/.exec(text)?.[0],
		]).toEqual([path, undefined]);
	}
});
