// Every npm script goes through here: prepare once, then work on the pinned Node.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSecrets } from './environment.mjs';
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

const isTest = (arg) => arg.startsWith('test/');

// What `npm test` covers: everything that is quick and needs no browser, no database and no downloaded n8n.
const testProjects = 'unit contract sandbox engine specification package';

/** Each task is a list of steps; a step is the arguments of the pinned Node, or lists of steps that run together. */
const tasks = {
	types: () => [[bin('typescript/bin/tsc')]],
	lint: () => [
		[bin('eslint/bin/eslint.js'), '.', '--max-warnings=0'],
		[...tsx, 'scripts/lint/describe.ts'],
		[
			bin('eslint/bin/eslint.js'),
			'--config',
			'scripts/lint/described.config.cjs',
			'--max-warnings=0',
			'reports/described',
		],
		[bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.'],
		[
			bin('dependency-cruiser/bin/dependency-cruise.mjs'),
			'nodes',
			'credentials',
			'sandbox',
			'certify',
			'host',
			'test',
			'scripts',
			'--config',
			'.dependency-cruiser.cjs',
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
	// jest takes every word after --selectProjects for a project: the files of tests go first.
	jest: (args) => [jest(...args.filter(isTest), ...args.filter((arg) => !isTest(arg)))],
	test: (args) => {
		// The specification is shown by what would be published.
		process.env.NODES = 'built';
		return [
			{
				together: [
					tasks.lint(),
					[
						...tasks.types(),
						...tasks.build(),
						['scripts/reference.mjs', '--check'],
						['scripts/conformance.mjs', '--check'],
					],
				],
			},
			suite(testProjects, 'test', '--maxWorkers=100%', ...args),
		];
	},
	unit: (args) => [suite('unit', 'unit', '--maxWorkers=100%', ...args)],
	// Floods, whole days, ten thousand people, and the simulations with ten times as many worlds.
	long: (args) => {
		process.env.SIMULATION_RUNS ??= '1000';
		return [suite('long', 'long', '--maxWorkers=100%', ...args)];
	},
	coverage: (args) => [
		...tasks.build(),
		suite(testProjects, 'coverage', '--coverage', '--maxWorkers=100%', ...args),
	],
	// Two files at once, as each mostly waits for its n8n; pictures show fixed ports, which only one can have.
	e2e: (args) => {
		const workers = process.env.UPDATE_IMAGES ? '--runInBand' : '--maxWorkers=2';
		return [...tasks.build(), suite('e2e', 'e2e', workers, ...args)];
	},
	scale: (args) => [...tasks.build(), suite('scale', 'scale', '--runInBand', ...args)],
	'certify-proof': (args) => [suite('certify', 'certify', '--maxWorkers=100%', ...args)],
	compatibility: (args) => [
		...tasks.build(),
		suite('compatibility', 'compatibility', '--maxWorkers=2', ...args),
	],
	release: () => [...tasks.build(), ['scripts/release.mjs']],
	mutate: (args) => [['scripts/mutate.mjs', ...args]],
	download: () => [[...tsx, 'host/download.ts']],
	sandbox: (args) => [[...tsx, 'sandbox/main.ts', ...args]],
	certify: (args) => [[...tsx, 'certify/main.ts', ...args]],
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
process.exit(await runAll(tasks[task](args)));

/** Ends with the first code that is not 0. */
async function runAll(steps) {
	for (const step of steps) {
		const code = step.together ? await runTogether(step.together) : await run(step);
		if (code !== 0) return code;
	}
	return 0;
}

/** What has failed has printed why: the other lists go on, and may find more. */
async function runTogether(lists) {
	const codes = await Promise.all(lists.map(runAll));
	return codes.find((code) => code !== 0) ?? 0;
}

function run(step) {
	return new Promise((done) => {
		// Only the check of the real platform needs what gives access to it.
		const env = task === 'certify' ? process.env : withoutSecrets(process.env);
		const child = spawn(pinnedNode, step, { cwd: root, env, stdio: 'inherit' });
		// The terminal sends Ctrl-C to the child as well: it decides how to end, and its exit code is ours.
		const forward = (signal) => child.kill(signal);
		process.on('SIGINT', forward).on('SIGTERM', forward);
		child.on('exit', (code, signal) => {
			process.off('SIGINT', forward).off('SIGTERM', forward);
			done(code ?? (signal ? 1 : 0));
		});
	});
}
