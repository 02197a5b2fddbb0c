// Stryker names the tests that come by a mutant but not their files, so that jest would load every file to find
// them. The first run, which has all tests, writes down where each one stands and how long each file takes.
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class MutationSequencer extends Sequencer {
	constructor(options) {
		super(options);
		this.pattern = options.globalConfig.testNamePattern;
		this.notes = join(options.globalConfig.rootDir, 'reports/mutation-tests.json');
	}

	sort(tests) {
		if (!existsSync(this.notes)) return tests;
		const files = JSON.parse(readFileSync(this.notes, 'utf8'));
		// jest itself matches it in this way. Stryker names no tests for a change outside all functions, and runs all of them.
		const namePattern = new RegExp(this.pattern, 'i');
		return (
			tests
				.filter(({ path }) => files[path]?.names.some((name) => namePattern.test(name)))
				// The first failure ends the run (see runner.cjs): the quick ones first.
				.sort((a, b) => files[a.path].ms - files[b.path].ms)
		);
	}

	cacheResults(_tests, { testResults }) {
		// A run with a change in it may have failed, or tried a part.
		if (process.env.__STRYKER_ACTIVE_MUTANT__) return;
		const files = testResults.map(({ testFilePath, testResults, perfStats }) => [
			testFilePath,
			{ names: testResults.map(({ fullName }) => fullName), ms: perfStats.runtime },
		]);
		mkdirSync(dirname(this.notes), { recursive: true });
		writeFileSync(this.notes, JSON.stringify(Object.fromEntries(files)));
	}
};
