// Writes docs/internals/conformance.md from test/specification/ and the marks in contract/openapi.yaml; with --check it
// only compares. A statement gets its number from its section and its place there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { load } from 'js-yaml';
import { writePage } from './page.mjs';
import { root } from './root.mjs';

const folder = join(root, 'test/specification');
const page = 'docs/internals/conformance.md';
const largestPageBytes = 25_000;

/** How many statements of a section have a number already: a section may go on in the next file. */
const numbered = new Map();
const chapters = readdirSync(folder)
	.filter((name) => name.endsWith('.test.ts'))
	.sort()
	.flatMap(chaptersOf);
const statements = chapters.flatMap((chapter) => chapter.statements);
const contract = load(readFileSync(join(root, 'contract/openapi.yaml'), 'utf8'));
const lacking = [...sectionsOf(contract)].filter((section) => !numbered.has(section));
if (lacking.length > 0)
	fail(`No test of test/specification is about section ${lacking.join(', ')}.`);

const text = [
	'# Conformance',
	'',
	"This page lists what the platform's API specification says, in our own words. Each statement is a test of",
	'`test/specification`, which has a file for each section. `npm run reference` writes the page from the tests.',
	'',
	'**Who keeps it:** _client_ is the connector, run by n8n against the sandbox. _platform_ is the sandbox, asked by a',
	'client that shares no code with the connector. _both_ have a test each. _people_ do by hand what no program can; the',
	'note names the page that tells them.',
	'',
	'The specification names no vendor. That it describes Livestorm is our inference: its addresses, resources, scopes and',
	"limits are those of Livestorm's public pages.",
	'',
	'## What is not kept',
	'',
	...statements
		.filter(({ notKept }) => notKept !== undefined)
		.map(({ number, words, notKept }) => `- **${number} ${words}.** ${notKept}`),
	...chapters.flatMap(chapterLines),
	'',
	'## What the contract assumes',
	'',
	'Neither the specification nor public material says these. The sandbox needs an answer, so the contract has one; the',
	'connector works with other answers too.',
	'',
	...assumptions(contract),
	'',
].join('\n');

if (Buffer.byteLength(text) > largestPageBytes) {
	fail(`${page} would have more than ${largestPageBytes} bytes: shorten the notes.`);
}
writePage(page, text);

/** The sections of a file: each `describe` at the top, with the statements in it. */
function chaptersOf(name) {
	const source = ts.createSourceFile(
		name,
		readFileSync(join(folder, name), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	return callsOf('describe', source).map(({ arguments: [title, body] }) => {
		const { section, words } = /^(?<section>[\d.]+) (?<words>.+)$/.exec(title.text).groups;
		const statements = callsOf('statement', body).map(({ arguments: [said, proofs, remark] }) => {
			const remarks = remarkOf(remark, name);
			const keepers = proofs.properties.map((proof) => proof.name.text);
			return {
				...remarks,
				number: nextNumber(section),
				words: literal(said, name),
				// The test of a client that does not keep a statement shows what it does instead.
				keeper: keeperOf(keepers.filter((keeper) => keeper !== 'client' || !remarks.notKept)),
			};
		});
		return { section, title: words, file: name, statements };
	});
}

function nextNumber(section) {
	const number = (numbered.get(section) ?? 0) + 1;
	numbered.set(section, number);
	return `${section}-${number}`;
}

function callsOf(name, within) {
	const calls = [];
	const visit = (node) => {
		if (ts.isCallExpression(node) && node.expression.text === name) calls.push(node);
		else ts.forEachChild(node, visit);
	};
	ts.forEachChild(within, visit);
	return calls;
}

function keeperOf(names) {
	if (names.includes('client') && names.includes('platform')) return 'both';
	return names[0] ?? 'people';
}

function remarkOf(remark, file) {
	const entries = (remark?.properties ?? []).map((property) => [
		property.name.text,
		literal(property.initializer, file),
	]);
	return Object.fromEntries(entries);
}

/** The page is written without running anything. */
function literal(node, file) {
	if (node.text === undefined) fail(`${file}: a statement and its notes are plain texts.`);
	return node.text;
}

function chapterLines({ section, title, file, statements: ofSection }) {
	return [
		'',
		`## ${section} ${title}`,
		'',
		`[${file}](../../test/specification/${file})`,
		'',
		'| Number | Statement | Kept by |',
		'| --- | --- | --- |',
		...ofSection.map(({ number, words, note, keeper }) => {
			const said = note === undefined ? words : `${words}<br>_${note}_`;
			return `| ${number} | ${said} | ${keeper} |`;
		}),
	];
}

/** The sections that the contract speaks of. */
function sectionsOf(node) {
	if (typeof node !== 'object' || node === null) return new Set();
	const inside = Object.values(node).flatMap((inner) => [...sectionsOf(inner)]);
	return new Set([...[node['x-section'] ?? []].flat(), ...inside]);
}

/** Lists everything that the contract marks as `assumed`. Operations go by their name, the rest by its path. */
function assumptions(node, path = []) {
	if (typeof node !== 'object' || node === null) return [];
	const inside = Object.entries(node).flatMap(([key, value]) => assumptions(value, [...path, key]));
	if (node['x-evidence'] !== 'assumed') return inside;
	const words = (node.description ?? node.summary ?? '').replace(/\s+/g, ' ').trim();
	const place = node.operationId ?? path.slice(-4).join('/');
	return [`- \`${place}\`${words ? `: ${words}` : ''}`, ...inside];
}

function fail(words) {
	console.error(words);
	process.exit(1);
}
