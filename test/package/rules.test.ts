import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './built';

/** Both tools are modules that jest cannot load, so they run in a process of their own. */
function node(cwd: string, ...words: string[]): string {
	const { stdout, stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
	if (stdout === '') throw new Error(stderr);
	return stdout;
}

describe('the lint refuses', () => {
	const send = (call: string): [string, string, string, string] => [
		`${call.split('(')[0]} outside the edge`,
		'n8n/connect',
		`export const send = (context: any, url: string) => ${call};`,
		'Only n8n/request.ts and n8n/download.ts send requests',
	];
	const toN8n = "import { sleep } from 'n8n-workflow'; void sleep;";
	const slow = "export const cut = (text: string) => text.replace(/\\/+$/, '');";
	/** What is written, where, and the message that it is refused with. */
	const cases: Array<[string, string, string, string]> = [
		['n8n in the core', 'core/http/json', toN8n, 'The core knows no n8n'],
		['axios', 'router', "import axios from 'axios'; void axios;", 'missing at run time'],
		send('context.helpers.httpRequest({ url })'),
		send("context.helpers.httpRequestWithAuthentication.call(context, 'x', { url })"),
		send("context.helpers.requestWithAuthentication.call(context, 'x', { url })"),
		send('context.helpers.request({ url })'),
		send('fetch(url)'),
		['an expression that takes quadratic time', 'router', slow, 'quadratic'],
	];

	let messages: string[][];

	beforeAll(() => {
		const script = `
			import { ESLint } from 'eslint';
			import tseslint from 'typescript-eslint';
			// Types need the file that is on the disk, and none of the rules in question needs types.
			const eslint = new ESLint({ overrideConfig: [tseslint.configs.disableTypeChecked] });
			const found = [];
			for (const [, file, code] of ${JSON.stringify(cases)}) {
				const filePath = \`nodes/EventPlatform/\${file}.ts\`;
				const [{ messages }] = await eslint.lintText(code, { filePath });
				found.push(messages.map(({ message }) => message));
			}
			console.log(JSON.stringify(found));`;
		messages = JSON.parse(node(root, '--input-type=module', '--eval', script)) as string[][];
	});

	test.each(cases.map(([name, , , said], index) => [name, said, index] as const))(
		'%s',
		(_, said, index) => {
			expect(messages[index]).toContainEqual(expect.stringContaining(said));
		},
	);
});

test('the check of imports refuses circles, imports upwards, packages in the core, and the sandbox in what is published', () => {
	const files = {
		'core/http/a': "import './b'; import '../pace/c';",
		'core/http/b': "import './a';",
		'core/pace/c': "import 'n8n-workflow';",
		'resources/d': "import '../../../sandbox/e';",
		'../../sandbox/e': 'export {};',
	};
	const tree = mkdtempSync(join(tmpdir(), 'imports-'));
	writeFileSync(join(tree, 'tsconfig.json'), '{}');
	for (const [name, code] of Object.entries(files)) {
		const file = join(tree, 'nodes/EventPlatform', `${name}.ts`);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, code);
	}
	const tool = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const config = join(root, '.dependency-cruiser.cjs');
	const report = node(tree, tool, '.', '--config', config, '--output-type', 'json');
	rmSync(tree, { recursive: true });
	const { summary } = JSON.parse(report) as {
		summary: { violations: Array<{ from: string; rule: { name: string } }> };
	};
	expect(summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`).sort()).toEqual([
		'core-is-pure: nodes/EventPlatform/core/pace/c.ts',
		'downwards-from-core-http: nodes/EventPlatform/core/http/a.ts',
		'no-circle: nodes/EventPlatform/core/http/a.ts',
		'published-stands-alone: nodes/EventPlatform/resources/d.ts',
	]);
});
