import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedIn } from '../../scripts/packed';
import { root } from './built';

const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
const printed = execFileSync('npm', words, {
	cwd: root,
	encoding: 'utf8',
	stdio: ['ignore', 'pipe', 'pipe'],
	shell: process.platform === 'win32',
});
const packed = packedIn(printed);
const scripts = packed.files
	.filter(({ path }) => path.endsWith('.js'))
	.map(({ path }): [string, string] => [path, readFileSync(join(root, path), 'utf8')]);

test('what npm 12 says of the file is read as what earlier ones say', () => {
	const entry = { filename: 'a.tgz', size: 1, files: [] };
	expect(packedIn(JSON.stringify([entry]))).toEqual(entry);
	expect(packedIn(JSON.stringify({ 'n8n-nodes-event-platform': entry }))).toEqual(entry);
	expect(() => packedIn('[]')).toThrow('npm packed nothing');
});

test('the tarball is so small that nothing of sources, tests or pictures can be in it', () => {
	expect(packed.size).toBeGreaterThan(10_000);
	expect(packed.size).toBeLessThan(300_000);
});

test('the tarball holds what was built, and what every package has', () => {
	const notBuilt = packed.files
		.map(({ path }) => path)
		.filter((path) => !/^dist\/(nodes|credentials|known|types|methods)\//.test(path))
		.sort();
	expect(notBuilt).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const kinds = new Set(packed.files.map(({ path }) => path.replace(/^.*?\.(?=\w+$)/, '')));
	expect([...kinds].sort()).toEqual(['js', 'json', 'md', 'svg']);
});

test('what is built needs nothing but n8n-workflow and Node’s own hashes', () => {
	const needed = scripts.flatMap(([, text]) =>
		[...text.matchAll(/\brequire\("([^".][^"]*)"\)/g)].map(([, name]) => name),
	);
	expect([...new Set(needed)].sort()).toEqual(['n8n-workflow', 'node:crypto']);
});

test('the file system, the environment, timers and the console are left alone', () => {
	const foreign = /\b(process\.\w|globalThis|setTimeout|setInterval|console\.|eval\()/;
	const offenders = scripts.flatMap(([path, text]) => (foreign.test(text) ? [path] : []));
	expect(offenders).toEqual([]);
});
