// Changes the nodes in small ways, one at a time, and counts the changes that make a test fail:
//   npm run mutate -- [--tests unit] [--sample 60] [--seed 1] [--floor 93] [files …]
// Without --sample every change is tried, which takes an hour or two. Files are patterns of source files;
// lines may follow: nodes/EventPlatform/core/client/request.ts:10-20
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const core = 'nodes/EventPlatform/core/**/*.ts';

/** What is changed, and the share of the changes, in percent, that has to be noticed. */
const suites = {
	unit: { mutate: [core], floor: 93 },
	// With the unit tests of the same folders. What people read in the editor is checked by n8n's lint and by the previews.
	engine: {
		mutate: ['nodes/EventPlatform/**/*.ts', `!${core}`],
		floor: 75,
		mutator: { excludedMutations: ['StringLiteral'] },
		// What a file does when it is loaded, such as its descriptions, would have to be tried with all tests.
		ignoreStatic: true,
		// These tests read pages and examples as well.
		ignorePatterns: ['/dist', '/coverage', '/reports'],
	},
	// The specification speaks of a part of the core only.
	specification: { mutate: [core], floor: 0 },
};

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
		tests: { type: 'string', default: 'unit' },
		floor: { type: 'string' },
	},
});
if (!(values.tests in suites)) {
	console.error(`--tests takes ${Object.keys(suites).join(', ')}.`);
	process.exit(2);
}
const { floor, mutate, ...more } = suites[values.tests];
// jest.config.js reads this. Stryker loads that file in processes of its own.
process.env.MUTATION_TESTS = values.tests;

const results = await new Stryker({
	configFile: 'scripts/mutation/stryker.config.mjs',
	...more,
	mutate: positionals.length > 0 ? positionals : mutate,
	thresholds: { break: Number(values.floor ?? floor) },
	...(values.sample && {
		checkers: ['sample'],
		sample: { size: Number(values.sample), seed: Number(values.seed) },
	}),
})
	.runMutationTest()
	.catch(() => {
		// Stryker has said why, for example which test fails without any change.
		process.exit(1);
	});

const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
// A change after which the tests never end is noticed as well.
const noticed = count('Killed', 'Timeout');
const tried = noticed + count('Survived', 'NoCoverage');
console.log(`\nNoticed: ${noticed} of ${tried} changes (floor: ${values.floor ?? floor} %)`);
