import { spawnSync } from 'node:child_process';
import { root } from './built';

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
		// ESLint is a module that jest cannot load.
		const words = ['--input-type=module', '--eval', script];
		const { stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
		messages = JSON.parse(stdout) as string[][];
	});

	test.each(cases.map(([name, , , said], index) => [name, said, index] as const))(
		'%s',
		(_, said, index) => {
			expect(messages[index]).toContainEqual(expect.stringContaining(said));
		},
	);
});
