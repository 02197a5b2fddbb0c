const { resolve } = require('node:path');
const { projects, testTimeout } = require('../../jest.config');

// Worlds that the simulation draws: fewer than elsewhere, for each of the changes.
process.env.SIMULATION_RUNS = '40';

/** The unit tests, for Stryker, which knows no projects. */
module.exports = {
	...projects.find(({ id }) => id === 'unit'),
	rootDir: resolve(__dirname, '../..'),
	testTimeout,
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
