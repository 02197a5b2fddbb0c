// The same within a file (see runner.cjs): after the first failure the other tests are left out.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class FirstFailureEnvironment extends TestEnvironment {
	failed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_done') this.failed ||= test.errors.length > 0;
		const isOver = this.failed && process.env.__STRYKER_ACTIVE_MUTANT__;
		if (name === 'test_start' && isOver) test.mode = 'skip';
	}
};
