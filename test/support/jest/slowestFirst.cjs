const { default: Sequencer } = require('@jest/test-sequencer');

/** Jest begins with the largest files. This small one waits for n8n's clock, and would end long after the others. */
const slowest = 'everyMinute.test.ts';

module.exports = class SlowestFirst extends Sequencer {
	sort(tests) {
		const [slow, others] = [[], []];
		for (const test of super.sort(tests)) (test.path.endsWith(slowest) ? slow : others).push(test);
		return [...slow, ...others];
	}
};
