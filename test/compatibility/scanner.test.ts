import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { packConnector } from '../../host/connector';
import { prepareLocked, recipes, scanner } from '../../host/installation';
import { progressOn } from '../../host/progress';

/**
 * n8n's own checks, as it runs them before it verifies a package: the scanner, which accepts no inline
 * configuration, over the sources and over the packed files, and the lint of its command line tool over the sources.
 */

jest.setTimeout(10 * 60_000);

const root = resolve(__dirname, '../..');
const run = promisify(execFile);

/** Runs in the scanner's folder: its modules are found from there. */
const program = `
	const { ESLint } = await import('eslint');
	const { analyzePackage, SOURCE_FILE_PATTERNS } =
		await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const { config } = (await import('@n8n/node-cli/eslint')).default;
	const [what, folder] = process.argv.slice(2);
	const check = {
		sources: () => analyzePackage(folder, SOURCE_FILE_PATTERNS),
		packed: () => analyzePackage(folder),
		lint: async () => {
			const eslint = new ESLint({ cwd: folder, overrideConfigFile: true, overrideConfig: config });
			const results = await eslint.lintFiles(['nodes', 'credentials', 'package.json']);
			const { format } = await eslint.loadFormatter('stylish');
			return {
				passed: results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0),
				files: results.length,
				details: await format(results),
			};
		},
	};
	console.log('\\n' + JSON.stringify(await check[what]()));
`;

interface Verdict {
	passed: boolean;
	files?: number;
	message?: string;
	details?: string;
}

let script: string;
let temporary: string;

beforeAll(async () => {
	const { home } = await prepareLocked(recipes.scanner, scanner, progressOn(process.stderr));
	temporary = await mkdtemp(join(tmpdir(), 'event-platform-scanner-'));
	script = join(home, `check-${process.pid}.mjs`);
	await writeFile(script, program);
});

afterAll(async () => {
	await rm(script, { force: true });
	await rm(temporary, { recursive: true, force: true });
});

async function verdict(what: string, folder: string): Promise<Verdict> {
	const { stdout } = await run(process.execPath, [script, what, folder], {
		maxBuffer: 1e8,
		// With jest's NODE_ENV the rules for nodes take every file for a node.
		env: { ...process.env, NODE_ENV: 'production' },
	});
	return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Verdict;
}

async function unpacked() {
	await run('tar', ['-xzf', await packConnector(temporary), '-C', temporary]);
	return join(temporary, 'package');
}

test('n8n’s scanner finds nothing in the sources, and nothing in the packed files', async () => {
	expect(await verdict('sources', root)).toEqual({ passed: true });
	expect(await verdict('packed', await unpacked())).toEqual({ passed: true });
});

test('the lint of n8n’s own tool finds nothing in the sources', async () => {
	const { details, files, passed } = await verdict('lint', root);
	expect({ details, passed }).toEqual({ details: '', passed: true });
	expect(files).toBeGreaterThan(100);
});

test('they do find what n8n forbids', async () => {
	const folder = await mkdtemp(join(temporary, 'bad-'));
	await mkdir(join(folder, 'nodes'));
	await writeFile(join(folder, 'nodes/Bad.node.js'), "console.log(require('fs'));\n");
	const bad = { passed: false, message: 'ESLint violations found' };
	expect(await verdict('sources', folder)).toMatchObject(bad);
	expect(await verdict('packed', folder)).toMatchObject(bad);
});
