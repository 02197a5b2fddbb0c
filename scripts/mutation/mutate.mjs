// Changes the core in small ways, one at a time, and counts the changes that make a unit test fail, or with
// --tests specification a test of the specification:
//   npm run mutate -- [--tests unit] [--sample 60] [--seed 1] [--floor 93] [files …]
// Without --sample every change is tried, which takes an hour or two. Files are patterns of source files;
// lines may follow: nodes/EventPlatform/core/client/request.ts:10-20
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { root } from '../root.mjs';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
		tests: { type: 'string', default: 'unit' },
		floor: { type: 'string' },
	},
});
/** The share of the changes, in percent, that has to be noticed. The specification speaks of a part of the core only. */
const floors = { unit: 93, specification: 0 };
if (!(values.tests in floors)) {
	console.error(`--tests takes ${Object.keys(floors).join(' or ')}.`);
	process.exit(2);
}
const floor = Number(values.floor ?? floors[values.tests]);
// jest.config.js reads this. Stryker loads that file in processes of its own.
process.env.MUTATION_TESTS = values.tests;

const results = await new Stryker({
	configFile: 'scripts/mutation/stryker.config.mjs',
	...(positionals.length > 0 && { mutate: positionals }),
	// The sandbox reads the contract, and what people do by hand stands in the pages.
	...(values.tests === 'specification' && {
		ignorePatterns: ['/dist', '/host', '/examples', '/coverage'],
	}),
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

const withStatus = (...statuses) => results.filter(({ status }) => statuses.includes(status));
// A change after which the tests never end is noticed as well.
const noticed = withStatus('Killed', 'Timeout');
const unnoticed = withStatus('Survived', 'NoCoverage').sort(
	(a, b) => a.fileName.localeCompare(b.fileName) || a.location.start.line - b.location.start.line,
);
const tried = noticed.length + unnoticed.length;
const percent = tried === 0 ? 0 : (100 * noticed.length) / tried;

console.log('');
for (const { fileName, location, replacement, status } of unnoticed) {
	const { line, column } = location.start;
	const why = status === 'NoCoverage' ? 'no test comes here' : 'no test fails';
	console.log(`${relative(root, fileName)}:${line}:${column}  ${why}`);
	console.log(`    ${inOneLine(original(fileName, location))}`);
	console.log(`  → ${inOneLine(replacement)}`);
}
console.log(
	`\nNoticed: ${noticed.length} of ${tried} changes, ${percent.toFixed(1)} % (floor: ${floor} %)`,
);
const reached = tried - withStatus('NoCoverage').length;
if (reached < tried) {
	console.log(`Where a test comes by: ${noticed.length} of ${reached} changes`);
}

mkdirSync(join(root, 'reports'), { recursive: true });
const holds = percent >= floor;
// The file has jest's format, for .ci/total.mjs. Each noticed change counts as a passed test. Changes that nobody
// notices are no failures of their own, but a share below the floor is one.
writeFileSync(
	join(root, 'reports/mutate.json'),
	JSON.stringify({ numPassedTests: noticed.length, numFailedTests: holds ? 0 : 1 }),
);
process.exit(holds ? 0 : 1);

function original(fileName, { start, end }) {
	const lines = readFileSync(fileName, 'utf8')
		.split('\n')
		.slice(start.line - 1, end.line);
	lines.push(lines.pop().slice(0, end.column - 1));
	return [lines[0].slice(start.column - 1), ...lines.slice(1)].join(' ');
}

function inOneLine(text) {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 110 ? `${line.slice(0, 109)}…` : line;
}
