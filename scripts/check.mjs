// All that must hold before a change lands. Without words this is `npm run check`. `npm test` adds the command for its
// suites, and the lint, which takes half a minute, runs beside them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './root.mjs';

const suites = process.argv.slice(2);
const oneByOne = [
	['prettier', '--check', '--cache', '--log-level=warn', '.'],
	['tsc'],
	['npm', 'run', '--silent', 'build'],
	...(suites.length > 0 ? [suites] : []),
];

const lint = run(['npm', 'run', '--silent', 'lint'], 'pipe');
let isGreen = true;
for (const command of oneByOne) isGreen &&= (await run(command, 'inherit')).isGreen;
// The lint prints at the end, where people look, and not among the lines of the suites.
const { isGreen: isLintGreen, printed } = await lint;
process.stderr.write(printed);
process.exit(isGreen && isLintGreen ? 0 : 1);

async function run([program, ...words], output) {
	const child = spawn(program, words, { cwd: root, stdio: ['inherit', output, output] });
	const chunks = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk) => chunks.push(chunk));
	}
	const [code] = await once(child, 'close');
	return { isGreen: code === 0, printed: Buffer.concat(chunks) };
}
