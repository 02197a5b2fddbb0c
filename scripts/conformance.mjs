// Writes docs/conformance.md from contract/conformance.yaml and the sections that contract/openapi.yaml marks; with --check it
// only compares. Either way it ends with 1 when a section has no row, a file is gone or a test has another name.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './prepare.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const contract = parse(read('contract/openapi.yaml'));
const claims = parse(read('contract/conformance.yaml'));
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

const marks = new Map();
collectMarks(contract, []);
const findings = [
	...lackingSections(),
	...claims.flatMap(({ section, rows }) => [...rowFindings(section, rows)]),
];
for (const finding of findings) console.error(`- ${finding}`);
if (findings.length > 0) process.exit(1);

const text = [
	'# Conformance',
	'',
	"What the platform's API specification asks, in our words, where it is done, and which tests show it. Written by",
	'`npm run reference` from `contract/conformance.yaml`; the command fails when a row has no code or no test.',
	'What the specification leaves open, `contract/openapi.yaml` marks as `public` (seen in public material) or `assumed`.',
	...claims.flatMap(chapter),
	'',
].join('\n');

const file = join(root, 'docs/conformance.md');
if (!process.argv.includes('--check')) writeFileSync(file, text);
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
		...rows.flatMap(({ says, code, tests, open }) => [
			`- **${says}.**`,
			`  Code: ${code.map((path) => link(path, codePath(path))).join(', ')}.`,
			`  Tests: ${tests.map((test) => testLink(test)).join('; ')}.`,
			...(open ? [`  _Open:_ ${open}`] : []),
		]),
	];
}

function codePath(path) {
	return /^(credentials|sandbox)\//.test(path) ? path : `nodes/EventPlatform/${path}`;
}

function link(words, path) {
	return `[${words}](../${path})`;
}

function testLink(test) {
	const [path, name] = split(test);
	return `“${name.replace('%s', '')}” (${link(path.replace(/\.test\.ts$/, ''), `test/${path}`)})`;
}

function split(test) {
	const at = test.indexOf(' › ');
	return [test.slice(0, at), test.slice(at + 3)];
}

function* rowFindings(section, rows) {
	for (const { says, code, tests } of rows) {
		const row = `${section}, "${says}"`;
		if (!code?.length) yield `${row}: no code is named.`;
		if (!tests?.length) yield `${row}: no test is named.`;
		for (const path of code ?? []) {
			if (!existsSync(join(root, codePath(path)))) yield `${row}: there is no ${codePath(path)}.`;
		}
		for (const [path, name] of (tests ?? []).map(split)) {
			if (!existsSync(join(root, 'test', path))) yield `${row}: there is no test/${path}.`;
			else if (!read(`test/${path}`).includes(name))
				yield `${row}: test/${path} has no test "${name}".`;
		}
	}
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

/** Where the contract speaks of each section: operations by their name, the rest by their path. */
function collectMarks(node, path) {
	if (typeof node !== 'object' || node === null) return;
	for (const section of [node['x-section'] ?? []].flat()) {
		const place = node.operationId ?? (path.join('/') || 'the document');
		marks.set(section, [...(marks.get(section) ?? []), place]);
	}
	for (const [key, value] of Object.entries(node)) collectMarks(value, [...path, key]);
}
