/**
 * `npm run mutate` changes in small ways, one at a time, whom Sync may remove, and fails where the unit tests notice too few.
 * Other files: npm run mutate -- --mutate nodes/EventPlatform/core/client/request.ts:10-20
 * @type {import('@stryker-mutator/core').PartialStrykerOptions}
 */
export default {
	mutate: ['nodes/EventPlatform/core/sync/removalLaw.ts'],
	thresholds: { break: 90 },
	plugins: ['@stryker-mutator/jest-runner'],
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
	reporters: ['progress-append-only', 'clear-text'],
	clearTextReporter: { logTests: false, reportTests: false },
	logLevel: 'warn',
	allowConsoleColors: false,
	warnings: { slow: false },
	tempDirName: 'reports/mutation',
	ignorePatterns: ['/dist', '/docs', '/host', '/examples', '/coverage', '/reports'],
};
