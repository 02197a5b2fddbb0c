// Writes docs/conformance.md from contract/conformance/ and the marks in contract/openapi.yaml; with --check it only
// compares. Either way it ends with 1 when a section has no row, a file is gone, a test has another name or a break does not
// apply. With --prove it breaks what the rows say (conformance/prove.mjs).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { isWanted, prove, split } from './conformance/prove.mjs';
import { root } from './prepare.mjs';

const { values: options } = parseArgs({
	options: {
		check: { type: 'boolean' },
		prove: { type: 'boolean' },
		sample: { type: 'string' },
		seed: { type: 'string', default: '1' },
		section: { type: 'string' },
		row: { type: 'string' },
	},
});

const read = (path) => readFileSync(join(root, path), 'utf8');
const contract = parse(read('contract/openapi.yaml'));
const claims = readdirSync(join(root, 'contract/conformance'))
	.filter((name) => name.endsWith('.yaml'))
	.sort()
	.flatMap((name) => parse(read(`contract/conformance/${name}`)));
const titles = {
	1: 'What the service does',
	2.1: 'Job',
	2.2: 'Task of a bulk registration',
	2.3: 'Result of a task',
	2.4: 'Pages',
	2.5: 'OAuth token',
	2.6: 'Other records',
	3.1: 'States of a job',
	3.2: 'Life of a token',
	4.1: 'Authorization',
	4.2: 'Lists',
	4.3: 'Operations',
	5.1: 'Schemes',
	5.2: 'OAuth flow',
	5.3: 'Scopes',
	6: 'Events',
	7: 'Errors',
	8: 'Limits',
	9: 'Versions',
};

/** What a row may add: how else it is met, what is assumed, what is left open. */
const notes = { otherwise: 'Met otherwise', assumed: 'Assumed', open: 'Open' };

const marks = new Map();
const assumed = [];
collectMarks(contract, []);
const findings = [
	...lackingSections(),
	...claims.flatMap(({ section, rows }) =>
		rows
			.filter((row) => !options.prove || isWanted({ section, ...row }, options))
			.flatMap((row) => [...rowFindings(section, row)]),
	),
];
for (const finding of findings) console.error(`- ${finding}`);
if (findings.length > 0) process.exit(1);
if (options.prove) process.exit((await prove(withPaths(claims), options)) ? 0 : 1);

const text = [
	'# Conformance',
	'',
	"What the platform's API specification says, in our words, statement by statement: where it is done, and which tests",
	'show it. `npm run conformance -- --prove` makes each row false by a small change of its code, and fails when the',
	"row's tests do not notice. Written by `npm run reference` from `contract/conformance/`.",
	'',
	'The specification names no vendor. That it describes Livestorm is our inference: its addresses, resources, scopes and',
	"limits are those of Livestorm's public pages. What the specification leaves open, `contract/openapi.yaml` marks as",
	'`public` (seen in public material), `assumed` or `observed` (seen on the real platform).',
	...claims.flatMap(chapter),
	'',
	'## What the contract assumes',
	'',
	'Neither the specification nor public material says these. The sandbox needs an answer, so the contract has one; the',
	'connector works with other answers too.',
	'',
	...assumed.map(({ place, words }) => `- \`${place}\`${words ? `: ${words}` : ''}`),
	'',
].join('\n');

const file = join(root, 'docs/conformance.md');
if (!options.check) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
	console.error(
		'docs/conformance.md is out of date: run "npm run reference" and commit the result.',
	);
	process.exit(1);
}

function chapter({ section, rows }) {
	const places = marks.get(section);
	return [
		'',
		`## ${section} ${titles[section]}`,
		'',
		`In the contract: ${places.map((place) => `\`${place}\``).join(', ')}`,
		'',
		...rows.flatMap((row) => [
			`- **${row.says}.**`,
			...codeLine('Connector', row.code.filter(isOfConnector)),
			...codeLine(
				'Sandbox',
				row.code.filter((path) => !isOfConnector(path) && !isPage(path)),
			),
			...codeLine('Page', row.code.filter(isPage)),
			`  Tests: ${row.tests.map(testLink).join('; ')}.`,
			...Object.entries(notes).flatMap(([key, words]) =>
				row[key] ? [`  _${words}:_ ${row[key]}`] : [],
			),
		]),
	];
}

function codeLine(words, paths) {
	if (paths.length === 0) return [];
	return [`  ${words}: ${paths.map((path) => link(path, pathOf(path))).join(', ')}.`];
}

function isOfConnector(path) {
	return !/^(?:sandbox|certify|contract|docs)\//.test(path);
}

/** What people do by hand is met by a page that says so. */
function isPage(path) {
	return path.startsWith('docs/');
}

function pathOf(path) {
	return /^(?:credentials|sandbox|certify|contract|docs)\//.test(path)
		? path
		: `nodes/EventPlatform/${path}`;
}

function link(words, path) {
	return `[${words}](../${path})`;
}

function testLink(test) {
	const [path, name] = split(test);
	return `“${name.replace(/%[sdij]/g, '…')}” (${link(path.replace(/\.test\.ts$/, ''), `test/${path}`)})`;
}

function* rowFindings(section, { says, code = [], tests = [], breaks = [] }) {
	const problems = [
		code.length === 0 && 'no code is named.',
		tests.length === 0 && 'no test is named.',
		breaks.length === 0 && 'no break is named.',
		code.some(isOfConnector) &&
			!breaks.some(({ file }) => isOfConnector(file)) &&
			"it names the connector's code and no break of it.",
		...code.map((path) => !existsSync(join(root, pathOf(path))) && `there is no ${pathOf(path)}.`),
		...tests.map(split).map(([path, name]) => {
			if (!existsSync(join(root, 'test', path))) return `there is no test/${path}.`;
			return !read(`test/${path}`).includes(name) && `test/${path} has no test "${name}".`;
		}),
		...breaks.map(({ file, change }) => {
			if (!existsSync(join(root, pathOf(file)))) return `there is no ${pathOf(file)}.`;
			const times = read(pathOf(file)).split(change).length - 1;
			return times !== 1 && `"${change}" stands ${times} times in ${pathOf(file)}, not once.`;
		}),
	];
	for (const problem of problems) if (problem) yield `${section}, "${says}": ${problem}`;
}

function* lackingSections() {
	const told = claims.map(({ section }) => section);
	for (const section of marks.keys())
		if (!told.includes(section)) yield `Section ${section} has no row.`;
	for (const section of told) {
		if (!marks.has(section)) yield `Section ${section} is marked nowhere in the contract.`;
		if (!titles[section]) yield `Section ${section} has no title.`;
	}
}

function withPaths(chapters) {
	return chapters.map(({ section, rows }) => ({
		section,
		rows: rows.map((row) => ({
			...row,
			breaks: (row.breaks ?? []).map((one) => ({ ...one, file: pathOf(one.file) })),
		})),
	}));
}

/** Where the contract speaks of each section: operations by their name, the rest by their path. */
function collectMarks(node, path) {
	if (typeof node !== 'object' || node === null) return;
	if (node['x-evidence'] === 'assumed') {
		const words = (node.description ?? node.summary ?? '').replace(/\s+/g, ' ').trim();
		assumed.push({ place: node.operationId ?? path.slice(-4).join('/'), words });
	}
	for (const section of [node['x-section'] ?? []].flat()) {
		const place = node.operationId ?? (path.join('/') || 'the document');
		marks.set(section, [...(marks.get(section) ?? []), place]);
	}
	for (const [key, value] of Object.entries(node)) collectMarks(value, [...path, key]);
}
