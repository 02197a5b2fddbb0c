// Adds up what the test runners reported: node .ci/total.mjs <suite>=<exit code> …
// A suite that ended badly without a failed test counts as one failure. One without a report counts as one test.
import { existsSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const result of process.argv.slice(2)) {
	const [suite, code] = result.split('=');
	const report = `reports/${suite}.json`;
	const { numPassedTests, numFailedTests } = existsSync(report)
		? JSON.parse(readFileSync(report, 'utf8'))
		: { numPassedTests: code === '0' ? 1 : 0, numFailedTests: 0 };
	const failures = numFailedTests || (code === '0' && numPassedTests > 0 ? 0 : 1);
	console.log(`${suite}: ${numPassedTests} passed, ${failures} failed`);
	passed += numPassedTests;
	failed += failures;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
