// One failed test shows that a mutant is noticed: the files after it are not run (jest's own `bail` ends the process).
const { default: TestRunner } = require('jest-runner');

module.exports = class FirstFailureRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		let failed = false;
		this.on('test-file-failure', () => (failed = true));
		this.on('test-file-success', ([, { numFailingTests }]) => (failed ||= numFailingTests > 0));
		for (const test of tests) {
			await super.runTests([test], watcher, options);
			if (failed && process.env.__STRYKER_ACTIVE_MUTANT__) return;
		}
	}
};
