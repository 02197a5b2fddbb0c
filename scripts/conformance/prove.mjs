// Proves rows of contract/conformance/ by breaking them:
//   npm run conformance -- --prove [--sample 15] [--seed 1] [--section 4.3] [--row "words of it"]
// A break is one small change of a file that makes the row false. It is made in a copy of the checkout, and only the
// tests that the row names run there. They must fail with the change, and pass without it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pinnedNode, root } from '../prepare.mjs';

/** Not part of a copy: what is installed is linked, and what commands write is not needed. */
const leftOut = ['node_modules', '.git', 'reports', 'coverage', '.stryker-tmp'];
/** These need a browser or databases, and minutes. */
const tooSlow = /^(?:e2e|scale|compatibility)\//;
/** Tests that never end have noticed a break as well. */
const longestRunMs = 180_000;

export async function prove(claims, wanted) {
	const rows = chosen(claims, wanted);
	console.log(`Proving ${rows.length} rows …`);
	const began = Date.now();
	const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
	const results = [];
	try {
		const copies = Array.from({ length: availableParallelism() }, (_, index) =>
			copyOfCheckout(join(folder, String(index))),
		);
		const { seen } = await run(copies[0], rows.flatMap(fastTests));
		const waiting = [...rows];
		const work = async (copy) => {
			for (let row = waiting.shift(); row; row = waiting.shift()) {
				for await (const result of proveRow(copy, row, seen)) {
					results.push(result);
					const { place, problem } = result;
					console.log(problem === undefined ? `✓ ${place}` : `✗ ${place}\n    ${problem}`);
				}
			}
		};
		await Promise.all(copies.map(work));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	const numFailedTests = results.filter(({ problem }) => problem !== undefined).length;
	const numPassedTests = results.length - numFailedTests;
	const seconds = Math.round((Date.now() - began) / 1_000);
	console.log(`\nNoticed: ${numPassedTests} of ${results.length} breaks, in ${seconds} s`);
	// In jest's format, for scripts/total.mjs.
	const report = JSON.stringify({ numPassedTests, numFailedTests });
	writeFileSync(join(root, 'reports/conformance.json'), report);
	return numFailedTests === 0;
}

export function isWanted({ section, says }, { section: wanted = section, row = '' }) {
	return section === wanted && says.toLowerCase().includes(row.toLowerCase());
}

function chosen(claims, { sample, seed, ...wanted }) {
	const rows = claims
		.flatMap((chapter) => chapter.rows.map((one) => ({ ...one, section: chapter.section })))
		.filter((one) => isWanted(one, wanted));
	if (sample === undefined) return rows;
	// By what a row says: rows that are added elsewhere change little.
	const rank = ({ section, says }) =>
		createHash('sha256').update(`${seed} ${section} ${says}`).digest('hex');
	return rows.sort((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, Number(sample));
}

function fastTests({ tests }) {
	return tests.map(split).filter(([file]) => !tooSlow.test(file));
}

/** Yields each break, with the problem where it proves nothing. `seen`: what tests say of the checkout as it is. */
async function* proveRow(copy, row, seen) {
	const tests = fastTests(row);
	const lacking = tests.filter((test) => !passes(test, seen)).map(([, name]) => name);
	for (const { file, change, into } of row.breaks) {
		const place = `${row.section} ${row.says} (${basename(file)}: ${inOneLine(change)} → ${inOneLine(into)})`;
		const problem =
			lacking.length > 0
				? `Without the change this does not pass: ${lacking.join('; ')}`
				: await problemOf(copy, tests, { file, change, into });
		yield { place, problem };
	}
}

/** Whether there is a test of this name and none of it fails. */
function passes([file, name], seen) {
	const pattern = new RegExp(patternOf(name));
	const found = seen.filter((test) => test.file === file && pattern.test(test.name));
	const ran = found.filter(({ status }) => status === 'passed' || status === 'failed');
	return ran.length > 0 && ran.every(({ status }) => status === 'passed');
}

async function problemOf(copy, tests, { file, change, into }) {
	const path = join(copy, file);
	const original = readFileSync(path, 'utf8');
	const parts = original.split(change);
	if (parts.length !== 2)
		return `The text to change stands ${parts.length - 1} times in ${file}, not once.`;
	writeFileSync(path, parts.join(into));
	try {
		// Those of the same side first: where they notice, the others need not run.
		const isNear = ([test]) => isOfPlatform(test) === isOfPlatform(file);
		let problem = 'No test fails.';
		for (const some of [tests.filter(isNear), tests.filter((test) => !isNear(test))]) {
			if (some.length === 0) continue;
			const { seen, isCutOff, isUnreadable } = await run(copy, some, longestRunMs);
			if (isCutOff || seen.some(({ status }) => status === 'failed')) return undefined;
			if (isUnreadable) problem = 'With the change a file cannot be loaded, which shows nothing.';
		}
		return problem;
	} finally {
		writeFileSync(path, original);
	}
}

function isOfPlatform(path) {
	return /^(?:sandbox|contract|certify)\//.test(path);
}

/** Runs tests by file and name; without an end they are cut off. */
async function run(copy, tests, timeout) {
	const files = [...new Set(tests.map(([file]) => `test/${file}`))];
	const names = new Set(tests.map(([, name]) => patternOf(name)));
	const report = join(copy, 'proof.json');
	rmSync(report, { force: true });
	const args = [
		...['--testNamePattern', [...names].join('|')],
		...[timeout === undefined ? '--maxWorkers=100%' : '--runInBand', '--silent'],
		...['--json', `--outputFile=${report}`],
		...['--runTestsByPath', ...files],
	];
	await jest(copy, args, timeout);
	if (!existsSync(report)) return { seen: [], isCutOff: true };
	const { testResults, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
	const seen = testResults.flatMap(({ name: path, assertionResults }) =>
		assertionResults.map(({ fullName: name, status }) => ({
			file: path.slice(path.lastIndexOf('/test/') + '/test/'.length),
			name,
			status,
		})),
	);
	return { seen, isUnreadable: numRuntimeErrorTestSuites > 0 };
}

function patternOf(name) {
	return name
		.split(/%[sdijp]/)
		.map(escaped)
		.join('.*');
}

function jest(copy, args, timeout) {
	return new Promise((done) => {
		const child = spawn(
			pinnedNode,
			['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', ...args],
			{ cwd: copy, stdio: 'ignore', timeout },
		);
		child.on('exit', done);
	});
}

function copyOfCheckout(copy) {
	cpSync(root, copy, { recursive: true, filter: (source) => !leftOut.includes(basename(source)) });
	symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

/** "file › name" */
export function split(test) {
	const at = test.indexOf(' › ');
	return [test.slice(0, at), test.slice(at + 3)];
}

function inOneLine(text) {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}

function escaped(text) {
	return text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
