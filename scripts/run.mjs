// Every npm script goes through here: prepare once, then work on the pinned Node.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, prepare, root } from './prepare.mjs';

const bin = (name) => join(root, 'node_modules', name);
const tsx = ['--import', 'tsx'];
const jest = (...args) => [
	'--disable-warning=ExperimentalWarning',
	bin('jest/bin/jest.js'),
	...args,
];
const suite = (name, ...args) =>
	jest(
		'--selectProjects',
		...name.split(' '),
		'--json',
		`--outputFile=reports/${args[0]}.json`,
		...args.slice(1),
	);

// What `npm test` covers: everything that needs no browser, no database and no downloaded n8n.
const testProjects = 'unit contract sandbox engine package';

/** Each task is a list of steps; a step is the arguments of the pinned Node. */
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
	reference: () => [...tasks.build(), ['scripts/reference.mjs'], ['scripts/conformance.mjs']],
	jest: (args) => [jest(...args)],
	test: (args) => [
		...tasks.types(),
		...tasks.lint(),
		...tasks.build(),
		['scripts/reference.mjs', '--check'],
		['scripts/conformance.mjs', '--check'],
		suite(testProjects, 'test', '--coverage', '--maxWorkers=100%', ...args),
	],
	e2e: (args) => [...tasks.build(), suite('e2e', 'e2e', '--runInBand', ...args)],
	scale: (args) => [...tasks.build(), suite('scale', 'scale', '--runInBand', ...args)],
	compatibility: (args) => [
		...tasks.build(),
		suite('compatibility', 'compatibility', '--runInBand', ...args),
	],
	release: () => [...tasks.build(), ['scripts/release.mjs']],
	mutate: (args) => [['scripts/mutate.mjs', ...args]],
	sandbox: (args) => [[...tsx, 'sandbox/main.ts', ...args]],
	bench: (args) => [
		// The comparison is of the package as it would be published.
		...(args.includes('compare') ? tasks.build() : []),
		[...tsx, 'test/bench/main.ts', ...args],
	],
	start: (args) => [...tasks.build(), [...tsx, 'host/start.ts', ...args]],
};

const [task, ...args] = process.argv.slice(2);
if (!(task in tasks)) {
	console.error(`There is no task "${task}". Tasks: ${Object.keys(tasks).join(', ')}.`);
	process.exit(2);
}

prepare();
mkdirSync(join(root, 'reports'), { recursive: true });
for (const step of tasks[task](args)) {
	const code = await run(step);
	if (code !== 0) process.exit(code);
}

function run(step) {
	return new Promise((done) => {
		const child = spawn(pinnedNode, step, { cwd: root, stdio: 'inherit' });
		// The terminal sends Ctrl-C to the child as well: it decides how to end, and its exit code is ours.
		const forward = (signal) => child.kill(signal);
		process.on('SIGINT', forward).on('SIGTERM', forward);
		child.on('exit', (code, signal) => {
			process.off('SIGINT', forward).off('SIGTERM', forward);
			done(code ?? (signal ? 1 : 0));
		});
	});
}
