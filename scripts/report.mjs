// Prints an attachment for a bug report: `node scripts/report.mjs workflow.json output.json n8n.log > report.md`
// It has the files without their secret and personal parts. The same value always gets the same stand-in, so a reader can
// still see which rows belong together.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './root.mjs';

/** The stand-in for each value. The same value always has the same one. */
const standIns = new Map();

const files = process.argv.slice(2);
if (files.length === 0) {
	console.error(
		'Name the files: node scripts/report.mjs workflow.json output.json n8n.log > report.md',
	);
	process.exit(2);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
console.log(`n8n-nodes-event-platform ${version} (of this clone)\nn8n: …\nNode.js: …\n`);
console.log('What I did, what I expected, what happened: …');
for (const file of files) {
	const text = readFileSync(file, 'utf8');
	const json = parsed(text);
	const content = json === undefined ? plain(text) : JSON.stringify(cleaned(json), null, 2);
	console.log(`\n### ${basename(file)}\n\n\`\`\`\n${content.trimEnd()}\n\`\`\``);
}

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A workflow keeps its texts, because they are its parameters; of records only those below are of use. */
function cleaned(value, isWorkflow = Array.isArray(value?.nodes), key = '') {
	if (['pinData', 'credentials', 'staticData', 'meta'].includes(key)) return '(left out)';
	if (Array.isArray(value)) return value.map((inner) => cleaned(inner, isWorkflow, key));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [name, cleaned(inner, isWorkflow, name)]),
		);
	}
	if (typeof value === 'number') return Math.abs(value) > 999_999 ? '(number)' : value;
	if (typeof value !== 'string') return value;
	const isOfUse =
		isWorkflow ||
		/^(?:status|reason|code|message|event|type|role|event_key|field|.*_at)$/.test(key);
	const isReference = /^(?:id|.*_id|email)$/.test(key);
	if (isOfUse || isReference) return plain(value);
	return value === '' ? '' : `(text of ${value.length} characters)`;
}

/** Takes addresses, ids, links, tokens and phone numbers out of a text. */
function plain(text) {
	return text
		.replace(/https?:\/\/[^\s"'<>)]+/g, (url) => standIn('link', url))
		.replace(/[^\s"'<>(),;:=]+@[^\s"'<>(),;:=]+\.[a-z]{2,}/gi, (email) =>
			standIn('email', email.toLowerCase()),
		)
		.replace(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, (id) =>
			standIn('id', id),
		)
		.replace(/[\w+/=.~-]{24,}/g, (secret) => standIn('secret', secret))
		.replace(/(?!\d{4}-\d\d-\d\d)\+?\b\d[\d ()/-]{7,}\d/g, (phone) => standIn('number', phone));
}

function standIn(kind, value) {
	const earlier = standIns.get(`${kind} ${value}`);
	if (earlier !== undefined) return earlier;
	const count = [...standIns.keys()].filter((key) => key.startsWith(`${kind} `)).length + 1;
	standIns.set(`${kind} ${value}`, `<${kind} ${count}>`);
	return `<${kind} ${count}>`;
}
