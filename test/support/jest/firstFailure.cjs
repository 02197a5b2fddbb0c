// One failed test shows that a mutant is noticed, so the rest of its file is left out. scripts/mutation/runner.cjs leaves
// out the files after it.
const { TestEnvironment } = require('jest-environment-node');
const SharedRealm = require('./sharedRealm.cjs');

const inN8n = process.env.MUTATION_TESTS !== 'unit';

module.exports = class FirstFailureEnvironment extends (inN8n ? SharedRealm : TestEnvironment) {
	failed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_done') this.failed ||= test.errors.length > 0;
		const isOver = this.failed && process.env.__STRYKER_ACTIVE_MUTANT__;
		if (name === 'test_start' && isOver) test.mode = 'skip';
	}
};
