const { readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { projects } = require('../../jest.config');

const root = resolve(__dirname, '../..');

// Worlds that the simulation draws: fewer than elsewhere, for each of the changes.
process.env.SIMULATION_RUNS = '40';

/** `npm run mutate` says which tests have to notice the changes. */
const tests = process.env.MUTATION_TESTS ?? 'unit';
const project = projects.find(({ id }) => id === tests);
// A new folder of the core is tried with its own unit tests, without being named here.
const core = readdirSync(join(root, 'nodes/EventPlatform/core'));

/** This configuration is for Stryker, which knows no projects. */
module.exports = {
	...project,
	rootDir: root,
	// Tests with n8n wait for real seconds, and on a busy machine those of the simulation need more than jest's five.
	testTimeout: 60_000,
	...(tests === 'unit' && {
		testMatch: core.map((folder) => `<rootDir>/test/unit/${folder}/**/*.test.ts`),
	}),
	...(tests === 'engine' && {
		testMatch: ['unit', 'engine'].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
		// These two are about real seconds, and the counting of what tests come by takes some of them.
		testPathIgnorePatterns: ['/engine/pace.test.ts', '/engine/operations/stop.test.ts'],
	}),
	testSequencer: require.resolve('./sequencer.cjs'),
	runner: require.resolve('./runner.cjs'),
	// The file that loads n8n once needs the environment that those tests have elsewhere.
	setupFiles: [],
	testEnvironment: require.resolve('./environment.cjs'),
};
