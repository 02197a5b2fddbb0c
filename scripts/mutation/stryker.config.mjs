/** `npm run mutate`: see mutate.mjs. @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	plugins: ['@stryker-mutator/jest-runner', './scripts/mutation/sample.mjs'],
	testRunner: 'jest',
	jest: { configFile: 'scripts/mutation/jest.config.js' },
	// Only the tests that come by the changed place are run.
	coverageAnalysis: 'perTest',
	concurrency: 2,
	// Besides one and a half times what the tests take without a change.
	timeoutMS: 3_000,
	// The first run, without a change, takes long on a busy machine.
	dryRunTimeoutMinutes: 30,
	// The clear text is the list of the changes that nobody noticed.
	reporters: ['progress-append-only', 'clear-text', 'json'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
	jsonReporter: { fileName: 'reports/mutation.json' },
	logLevel: 'warn',
	allowConsoleColors: false,
	warnings: { slow: false },
	tempDirName: 'reports/mutation',
	// Notes of an earlier run stand in reports.
	ignorePatterns: ['/dist', '/docs', '/host', '/examples', '/coverage', '/reports'],
};
