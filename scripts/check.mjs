// Checks everything that must hold before a change lands. Without words this is `npm run check`. `npm test` adds the command for its
// suites.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './root.mjs';

const suites = process.argv.slice(2);

// Each of these commands keeps its processor busy. The threads that V8 starts beside it would only take turns with it:
// without those threads the lint takes a seventh less.
const { NODE_OPTIONS = '' } = process.env;
const env = { ...process.env, NODE_OPTIONS: `${NODE_OPTIONS} --v8-pool-size=0` };
if (suites.length > 0) env.NODES = 'built';

// The lint takes as long as these three together. What it prints waits for them, and does not stand between their lines.
const lint = run(['npm', 'run', '--silent', 'lint'], 'pipe');
let isGreen = await areGreen([
	['prettier', '--check', '--cache', '--log-level=warn', '.'],
	['tsc'],
	['npm', 'run', '--silent', 'build'],
]);
const { isGreen: isLintGreen, printed } = await lint;
process.stderr.write(printed);
isGreen &&= isLintGreen;

// Beside the lint the suites would take a third longer: they keep all processors busy by themselves.
if (suites.length > 0) isGreen &&= await areGreen([suites]);
process.exit(isGreen ? 0 : 1);

/** Runs the commands one after the other until one finds a fault. */
async function areGreen(commands) {
	for (const command of commands) {
		if (!(await run(command, 'inherit')).isGreen) return false;
	}
	return true;
}

async function run([program, ...words], output) {
	const child = spawn(program, words, {
		cwd: root,
		env,
		stdio: ['inherit', output, output],
		shell: process.platform === 'win32',
	});
	const chunks = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk) => chunks.push(chunk));
	}
	const [code] = await once(child, 'close');
	return { isGreen: code === 0, printed: Buffer.concat(chunks) };
}
