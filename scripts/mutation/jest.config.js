const { readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { projects, testTimeout } = require('../../jest.config');

const root = resolve(__dirname, '../..');

// Worlds that the simulation draws: fewer than elsewhere, for each of the changes.
process.env.SIMULATION_RUNS = '40';

/** `npm run mutate` says which tests have to notice the changes. */
const tests = process.env.MUTATION_TESTS ?? 'unit';
const project = projects.find(({ id }) => id === tests);
// A new folder is tried with its own unit tests, without being named here.
const core = readdirSync(join(root, 'nodes/EventPlatform/core'));
const outside = readdirSync(join(root, 'nodes/EventPlatform')).filter((name) => name !== 'core');
const unitTests = (folders) => folders.map((name) => `<rootDir>/test/unit/${name}/**/*.test.ts`);

/** This configuration is for Stryker, which knows no projects. */
module.exports = {
	...project,
	rootDir: root,
	testTimeout,
	...(tests === 'unit' && { testMatch: unitTests(core) }),
	...(tests === 'engine' && {
		testMatch: [...project.testMatch, ...unitTests(outside)],
		// These two are about real seconds, and the counting of what tests come by takes some of them.
		testPathIgnorePatterns: ['/engine/pace.test.ts', '/engine/operations/stop.test.ts'],
	}),
	testSequencer: require.resolve('./sequencer.cjs'),
	runner: require.resolve('./runner.cjs'),
	testEnvironment: join(root, 'test/support/jest/firstFailure.cjs'),
};
