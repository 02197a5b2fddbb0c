// Writes docs/reference.md from the built nodes and credentials; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const require = createRequire(import.meta.url);
const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const built = (path) => {
	const [Class] = Object.values(require(join(root, path)));
	return new Class();
};

const nodes = n8n.nodes.map((path) => built(path).description);
const credentials = n8n.credentials.map(built);
const text = [
	'# Reference',
	'',
	'Every parameter of the nodes and credentials, written from their own descriptions by `npm run reference`.',
	...credentials.flatMap(credentialChapter),
	...nodes.flatMap(nodeChapter),
	...recordChapter(),
	'',
].join('\n');

const file = join(root, 'docs/reference.md');
if (process.argv.includes('--check')) {
	if (readFileSync(file, 'utf8') !== text) {
		console.error(
			'docs/reference.md is out of date: run "npm run reference" and commit the result.',
		);
		process.exit(1);
	}
} else writeFileSync(file, text);

function credentialChapter({ name, displayName, properties }) {
	return ['', `## Credential: ${displayName} (\`${name}\`)`, ...table(properties.filter(visible))];
}

function recordChapter() {
	const { kinds } = require(join(root, 'dist/nodes/EventPlatform/parameters/recordFields.js'));
	const code = (names) => names.split(' ').map((name) => `\`${name}\``);
	const rows = Object.entries(kinds).map(
		([kind, { usual, others }]) =>
			`| ${kind.replaceAll('_', ' ')} | ${code(usual).join(', ')} | ${code(others).join(', ')} |`,
	);
	return [
		'',
		'## Simplified records',
		'',
		'With _Simplify_ a record has these fields, as far as the platform sends them; registrants are people inside a session. ' +
			'The option _Fields_ (`options.fields`) chooses others by name, or `all`. Triggers give all. ' +
			'Dates are ISO 8601 in the time zone of the workflow, and null where there is none.',
		'',
		'| Records | Fields | Others to choose |',
		'| --- | --- | --- |',
		...rows,
	];
}

function nodeChapter({ name, displayName, description, properties }) {
	const chapter = ['', `## ${displayName} (\`${name}\`)`, '', sentence(description)];
	const resources = properties.find((property) => property.name === 'resource')?.options;
	if (!resources) return [...chapter, ...table(properties.filter(visible))];

	const common = properties.filter((property) => !property.displayOptions && visible(property));
	chapter.push(...table(common.filter(({ name }) => name !== 'resource')));
	for (const resource of resources) {
		chapter.push('', `### ${resource.name} (\`${resource.value}\`)`);
		const operations = properties.find(
			(property) => property.name === 'operation' && shows(property, 'resource', resource.value),
		).options;
		for (const operation of operations) {
			const own = properties.filter(
				(property) =>
					property.name !== 'operation' &&
					visible(property) &&
					shows(property, 'resource', resource.value) &&
					shows(property, 'operation', operation.value),
			);
			chapter.push(
				'',
				`#### ${operation.name} (\`${operation.value}\`)`,
				'',
				sentence(operation.description),
			);
			chapter.push(...table(own));
		}
	}
	return chapter;
}

function shows({ displayOptions }, parameter, value) {
	return displayOptions?.show?.[parameter]?.includes(value) ?? false;
}

function visible({ type }) {
	return !['hidden', 'notice'].includes(type);
}

function table(properties) {
	if (properties.length === 0) return [];
	const rows = properties.flatMap((property) => [
		row(property),
		...(property.type === 'collection'
			? property.options.map((option) => row(option, property.name))
			: []),
	]);
	return ['', '| Parameter | Name | Default | Meaning |', '| --- | --- | --- | --- |', ...rows];
}

function row(property, parent) {
	const name = parent ? `${parent}.${property.name}` : property.name;
	const cells = [property.displayName, `\`${name}\``, fallback(property), meaning(property)];
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function fallback({ type, default: value }) {
	if (type === 'resourceLocator') return 'from the list';
	const text = Array.isArray(value)
		? value.join(', ')
		: typeof value === 'object'
			? ''
			: String(value ?? '');
	return text === '' ? '' : `\`${text}\``;
}

function meaning({ type, hint = '', description = hint, options = [] }) {
	// Dozens, and the same for each operation: the table at the end has them.
	if (options[0]?.value === 'all')
		return `${sentence(description)} See [simplified records](#simplified-records).`;
	const choices = ['options', 'multiOptions'].includes(type)
		? options.map(
				({ value, description }) =>
					`\`${value}\`${description ? `: ${sentence(description)}` : ''}`,
			)
		: [];
	return [sentence(description), ...choices].filter(Boolean).join('<br>');
}

function sentence(text = '') {
	const plain = text.replace(/<[^>]*>/g, '').trim();
	return plain === '' || /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
