const { projects } = require('./jest.config');

// The simulation draws worlds at random: under mutation the same ones each time, and fewer of them.
process.env.SIMULATION_SEED = '1';
process.env.SIMULATION_RUNS = '40';
process.env.SIMULATION_CROWD = '5000';

const unit = projects.find(({ id }) => id === 'unit');
const core = ['bulk', 'deliveries', 'files', 'http', 'jobs', 'pace', 'results'];

/** For Stryker, which knows no projects. What measures time, or takes seconds, is left out. */
module.exports = {
	...unit,
	testMatch: core.map((folder) => `<rootDir>/test/unit/${folder}/**/*.test.ts`),
	testPathIgnorePatterns: ['pace/sharing', 'http/longTexts', 'deliveries/flood'],
	testSequencer: require.resolve('./scripts/mutation/sequencer.cjs'),
	runner: require.resolve('./scripts/mutation/runner.cjs'),
	testEnvironment: require.resolve('./scripts/mutation/environment.cjs'),
};
