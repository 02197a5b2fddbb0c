// Every npm script goes through here: prepare once, then work on the pinned Node.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, prepare, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules', name);
const tsx = ['--import', 'tsx'];
const jest = (...words) => [
	'--disable-warning=ExperimentalWarning',
	bin('jest/bin/jest.js'),
	...words,
];
const suite = (name, ...words) =>
	jest(
		'--selectProjects',
		...name.split(' '),
		'--json',
		`--outputFile=reports/${words[0]}.json`,
		...words.slice(1),
	);

// What `npm test` covers: everything that needs no browser, no database and no downloaded n8n.
const testProjects = 'unit contract sandbox engine package';

/** Each task is a list of steps; a step is the words handed to the pinned Node. */
const tasks = {
	types: () => [[bin('typescript/bin/tsc')]],
	lint: () => [
		[bin('eslint/bin/eslint.js'), '.', '--max-warnings=0'],
		[bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
		[
			bin('dependency-cruiser/bin/dependency-cruise.mjs'),
			...['nodes', 'credentials', 'sandbox', 'host', 'test', 'scripts'],
			...['--config', '.dependency-cruiser.cjs'],
		],
	],
	format: () => [[bin('prettier/bin/prettier.cjs'), '--write', '--log-level=warn', '.']],
	build: () => {
		rmSync(join(root, 'dist'), { recursive: true, force: true });
		return [
			[bin('typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
			[bin('gulp/bin/gulp.js'), '--silent'],
		];
	},
	reference: () => [...tasks.build(), ['scripts/reference.mjs']],
	jest: (words) => [jest(...words)],
	test: (words) => [
		...tasks.types(),
		...tasks.lint(),
		...tasks.build(),
		['scripts/reference.mjs', '--check'],
		suite(testProjects, 'test', '--coverage', '--maxWorkers=100%', ...words),
	],
	e2e: (words) => [...tasks.build(), suite('e2e', 'e2e', '--runInBand', ...words)],
	scale: (words) => [...tasks.build(), suite('scale', 'scale', '--runInBand', ...words)],
	compatibility: (words) => [
		...tasks.build(),
		suite('compatibility', 'compatibility', '--runInBand', ...words),
	],
	mutate: (words) => [['scripts/mutate.mjs', ...words]],
	sandbox: (words) => [[...tsx, 'sandbox/main.ts', ...words]],
	bench: (words) => [[...tsx, 'test/bench/main.ts', ...words]],
	start: (words) => [...tasks.build(), [...tsx, 'host/start.ts', ...words]],
};

const [task, ...words] = process.argv.slice(2);
if (!(task in tasks)) {
	console.error(`There is no task "${task}". Tasks: ${Object.keys(tasks).join(', ')}.`);
	process.exit(2);
}

prepare();
mkdirSync(join(root, 'reports'), { recursive: true });
for (const step of tasks[task](words)) {
	const code = await run(step);
	if (code !== 0) process.exit(code);
}

function run(step) {
	return new Promise((done) => {
		const child = spawn(pinnedNode, step, { cwd: root, stdio: 'inherit' });
		// Ctrl-C reaches the child as well; it decides how to end, and we report how it did.
		const pass = (signal) => child.kill(signal);
		process.on('SIGINT', pass).on('SIGTERM', pass);
		child.on('exit', (code, signal) => {
			process.off('SIGINT', pass).off('SIGTERM', pass);
			done(code ?? (signal ? 1 : 0));
		});
	});
}
