// Writes docs/reference.md from the built nodes and credentials; with --check it only compares.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { anchorOf, writePage } from './page.mjs';
import { root } from './root.mjs';

const require = createRequire(import.meta.url);
const { cronNodeOptions } = require('n8n-workflow');
const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const built = (path) => {
	const [Class] = Object.values(require(join(root, path)));
	return new Class();
};

/** The purpose of a node whose description in the panel is that of the node beside it. */
const purposes = {
	eventPlatformTrigger:
		'Starts the workflow within seconds when somebody registers or attends, or when a session starts or ends. n8n needs a public URL.',
};

/** Options that are on where nobody has added them. */
const onWithout = ['deduplicate', 'isolateBadRows', 'keepToShare', 'waitForCompletion'].map(
	(name) => `options.${name}`,
);

/** Questions of the sandbox's form, which the recorded outputs have. */
const sampleQuestions = ['company', 'team_size', 'interests'];

const nodes = n8n.nodes.map((path) => built(path).description);
/** Most readers have an API token. Only partners of Livestorm have an OAuth2 app. */
const credentials = n8n.credentials.map(built).sort((a, b) => isOAuth2(a) - isOAuth2(b));
const sharedTitle = 'Fields of many operations';
/** Where so many operations or triggers have a field, the page shows it once for all of them. */
const sharedFrom = 2;
/** Fields that stand together in many operations, by the name that the page gives them. */
const fieldGroups = {
	'Answers and source': [
		'fields',
		'additionalFields.furtherAnswers',
		'additionalFields.furtherAnswers.answer.id',
		'additionalFields.furtherAnswers.answer.value',
		'additionalFields.referrer',
		'additionalFields.utmCampaign',
	],
	'Person to find': ['by', 'email', 'personId'],
	'Filters by date': [
		'filters.createdSince',
		'filters.createdUntil',
		'filters.updatedSince',
		'filters.updatedUntil',
	],
	'Settings of an event': [
		'additionalFields.chatEnabled',
		'additionalFields.description',
		'additionalFields.detailedRegistrationPageEnabled',
		'additionalFields.everyoneCanSpeak',
		'additionalFields.lightRegistrationPageEnabled',
		'additionalFields.ownerId',
		'additionalFields.pollsEnabled',
		'additionalFields.questionsEnabled',
		'additionalFields.recordingEnabled',
		'additionalFields.recordingPublic',
		'additionalFields.registrationPageEnabled',
		'additionalFields.showInCompanyPage',
		'additionalFields.slug',
		'additionalFields.status',
	],
};
/** These columns stand on a page of their own, with what each means. A report has its outputs there, too. */
const outputsElsewhere = {
	bulkRegister: 'bulk.md#what-you-get',
	getReport: 'report.md#what-you-get',
	sync: 'sync.md#what-you-get',
};
const action = nodes.find(({ properties }) => properties.some(({ name }) => name === 'resource'));
const sharedRows = namesOfSharedRows();
const { recordKinds } = require(join(root, 'dist/nodes/EventPlatform/core/records/recordKinds.js'));

const chapters = [
	...credentials.flatMap(credentialChapter),
	...nodes.flatMap(nodeChapter),
	...sharedChapter(),
	...eventTypeChapter(),
	...recordChapter(),
];
const text = [
	'# Reference',
	'',
	'This page lists every parameter of the nodes and credentials.',
	'',
	'The name in `code` is the one that saved workflows and expressions use; a choice without one is written in small letters, with `_` for',
	'spaces. The default is in parentheses. A name with a dot is added in the editor, such as `options.dryRun` under _Options_: the switch is',
	'_off; on when added_. Of other values the default is what the editor proposes. Fields that you do not add are not sent.',
	'',
	...contents(chapters),
	...chapters,
	'',
].join('\n');

writePage('docs/reference.md', text);

/** Nodes and credentials, and the resources of the action node; operations would be fifty lines. */
function contents(lines) {
	return lines
		.map((line) => /^(##|###) (.*)$/.exec(line))
		.filter((match) => match !== null)
		.filter(([, level, title]) => level === '##' || title.endsWith('`)'))
		.map(([, level, title]) => {
			const words = title.replace(/ \(`.*`\)$/, '');
			return `${level === '##' ? '' : '  '}- [${words}](#${anchorOf(title)})`;
		});
}

function isOAuth2({ name }) {
	return name.includes('OAuth2') ? 1 : 0;
}

/** What every credential has stands in the first chapter alone. */
function credentialChapter({ name, displayName, properties }, place) {
	const others = place === 0 ? [] : credentials[0].properties.map((property) => property.name);
	const chapter = ['', `## Credential: ${displayName} (\`${name}\`)`];
	if (place > 0) chapter.push('', 'Beside the other fields of the credential above:');
	const own = properties.filter((property) => !others.includes(property.name));
	return [...chapter, ...parametersOf(own.map(withoutScopes))];
}

/** The page of the credentials says what each scope is for. */
function withoutScopes(property) {
	if (!/scopes$/i.test(property.name)) return property;
	const description = `${sentence(property.description)} [What each is for](credentials.md#which-scopes)`;
	const options = property.options.map(({ value }) => ({ name: value, value }));
	return { ...property, description, options };
}

/** The page of a report says what each of its outputs is. */
function withoutOutputs(property) {
	if (property.name !== 'output') return property;
	const options = property.options.map(({ name, value }) => ({ name, value }));
	return { ...property, options };
}

/** Fields that many operations have, once. */
function sharedChapter() {
	return [
		'',
		`## ${sharedTitle}`,
		'',
		'An operation or a trigger names those that it has behind _Also_. Where an operation has _Update Fields_, `additionalFields` is ' +
			'`updateFields` there.',
		...list(rowsOfGroup(undefined)),
		...Object.keys(fieldGroups).flatMap((group) => [
			'',
			`### ${group}`,
			...list(rowsOfGroup(group)),
		]),
	];
}

/** The entries of a group of shared fields, or of those that are in no group. */
function rowsOfGroup(group) {
	return [...sharedRows].filter(([, field]) => field.group === group).map(([row]) => row);
}

/** Finds the fields that many operations or triggers have: the title and the group of each, by its entry. */
function namesOfSharedRows() {
	const triggers = nodes.filter((node) => node !== action);
	const rows = [
		action.properties.filter(({ displayOptions }) => !displayOptions),
		...operationsOf(action).map(({ properties }) => properties),
		...triggers.map(({ properties }) => properties),
	].flatMap((properties) => fieldsOf(properties).flat());
	const count = (row) => rows.filter((field) => sameRow(field.row) === sameRow(row)).length;
	const shared = rows.filter(({ row }) => count(row) >= sharedFrom);
	return new Map(shared.map(({ row, title }) => [sameRow(row), { title, group: groupOf(row) }]));
}

function groupOf(row) {
	const [, name] = /`(.+?)`/.exec(sameRow(row));
	return Object.keys(fieldGroups).find((group) => fieldGroups[group].includes(name));
}

/** What can be changed later has another collection than what can be given at first. */
function sameRow(row) {
	return row.replace('`updateFields.', '`additionalFields.');
}

/** The event types, once: those of both triggers and of webhooks, and those of the polling trigger alone. */
function eventTypeChapter() {
	const [everywhere = [], polled = []] = nodes
		.flatMap(({ properties }) => properties.filter(({ name }) => name === 'events'))
		.map(({ options }) => options.map(({ name, value }) => choice({ name, value })).sort());
	const polledOnly = polled.filter((type) => !everywhere.includes(type));
	return [
		'',
		'## Event types',
		'',
		`${everywhere.join(', ')}. The polling trigger alone also has ${polledOnly.join(', ')}.`,
	];
}

function recordChapter() {
	const inAll = ['id', 'type'];
	const rows = Object.entries(recordKinds).map(
		([kind, { usual, further }]) =>
			`| ${kind.replaceAll('_', ' ')} | ${code(usual.filter((name) => !inAll.includes(name)))} | ${code(further)} |`,
	);
	return [
		'',
		'## Simplified records',
		'',
		'_Simplify_ (`simplify`, on) returns the fields that people use most, on one level. If it is off, the records come as ' +
			'Livestorm sends them. A simplified record has a field only if Livestorm sends it. It never has `connection_link` or `password_key`, with which anybody can join as that person. ' +
			'The option _Fields_ (`options.fields`) takes names of fields, `usual` for the usual ones, and `all` for every field. Registrants ' +
			'are people inside a session, with a column for each answer. If the email or a name that somebody has answered ' +
			'differs from the one of the person, a column such as `last_name_answer` has the answer. Items without such a column show ' +
			'`undefined` in the tables of n8n. Dates are ISO 8601 in the time zone of the workflow.',
		'',
		'| Records | Fields beside `id` and `type` | Others to choose |',
		'| --- | --- | --- |',
		...rows,
	];
}

function nodeChapter({ name, displayName, description, properties }) {
	const chapter = [
		'',
		`## ${displayName} (\`${name}\`)`,
		'',
		purposes[name] ?? sentence(description),
	];
	const resources = properties.find((property) => property.name === 'resource')?.options;
	if (!resources) return [...chapter, ...parametersOf(properties, sharedRows)];

	const common = properties.filter(({ displayOptions }) => !displayOptions);
	chapter.push(
		...parametersOf(
			common.filter((property) => property.name !== 'resource'),
			sharedRows,
		),
	);
	for (const resource of resources) {
		chapter.push('', `### ${resource.name} (\`${resource.value}\`)`);
		for (const { operation, properties: own } of operationsOf({ properties }, resource)) {
			const isReport = operation.value === 'getReport';
			chapter.push(
				'',
				`#### ${operation.name} (\`${operation.value}\`)`,
				'',
				sentence(operation.description),
				...parametersOf(isReport ? own.map(withoutOutputs) : own, sharedRows),
				...comesOut(resource.value, operation.value),
			);
		}
	}
	return chapter;
}

/** The operations of a resource, or of all, each with its own properties. */
function operationsOf({ properties }, onlyResource) {
	const resources = properties.find(({ name }) => name === 'resource').options;
	return (onlyResource ? [onlyResource] : resources).flatMap(({ value: resource }) => {
		const ofResource = properties.filter((property) => shows(property, 'resource', resource));
		const { options } = ofResource.find(({ name }) => name === 'operation');
		return options.map((operation) => ({
			operation,
			properties: ofResource.filter(
				(property) =>
					property.name !== 'operation' && shows(property, 'operation', operation.value),
			),
		}));
	});
}

function shows({ displayOptions }, parameter, value) {
	return displayOptions?.show?.[parameter]?.includes(value) ?? false;
}

/** Names the columns of an output. The schema that the editor shows before the node has run has them as well. */
function comesOut(resource, operation) {
	const path = `nodes/EventPlatform/__schema__/v1.0.0/${resource}/${operation}.json`;
	if (!existsSync(join(root, path))) return [];
	const { properties = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'));
	const names = Object.keys(properties).filter((name) => !sampleQuestions.includes(name));
	if (names.length === 0) return [];
	if (operation in outputsElsewhere) {
		return ['', `Output: [columns](${outputsElsewhere[operation]}).`];
	}
	return ['', `Output: ${nearlyOfKind(names) ?? code(names)}.`];
}

/** Names the kind of record that differs least, and the few columns that the output has more or fewer. */
function nearlyOfKind(names) {
	const kinds = Object.entries(recordKinds).map(([kind, { usual }]) => ({
		title: kind.replaceAll('_', ' '),
		more: names.filter((name) => !usual.includes(name)),
		fewer: usual.filter((name) => name !== 'fields' && !names.includes(name)),
	}));
	const differences = ({ more, fewer }) => more.length + fewer.length;
	const [nearest] = kinds.sort((a, b) => differences(a) - differences(b));
	if (differences(nearest) > 2) return undefined;
	const { title, more, fewer } = nearest;
	const parts = [
		`[${title}](#simplified-records)`,
		...(more.length > 0 ? [`with ${code(more)}`] : []),
		...(fewer.length > 0 ? [`without ${code(fewer)}`] : []),
	];
	return parts.join(', ');
}

function code(names) {
	return names.map((name) => `\`${name}\``).join(', ');
}

/** The parameters, and those that are added from a collection; fields that are shared are only named. */
function parametersOf(properties, shared = new Map()) {
	const [parameters, added] = fieldsOf(properties);
	const own = (fields) => fields.map(({ row }) => row).filter((row) => !shared.has(sameRow(row)));
	const others = [...parameters, ...added]
		.map(({ row }) => shared.get(sameRow(row)))
		.filter(Boolean);
	const isWhole = (group) => others.filter((field) => field.group === group).length > 1;
	const titles = others.map(({ title, group }) =>
		group && isWhole(group) ? `[${group.toLowerCase()}](#${anchorOf(group)})` : `_${title}_`,
	);
	const names = [...new Set(titles)];
	const also = `[Also](#${anchorOf(sharedTitle)}): ${names.join(', ')}.`;
	return [...list([...own(parameters), ...own(added)]), ...(others.length > 0 ? ['', also] : [])];
}

/** The entries of the parameters, and of those that are added from a collection. */
function fieldsOf(properties) {
	const visible = properties.filter(
		({ type, name }) => !['hidden', 'notice'].includes(type) && name !== 'simplify',
	);
	const collections = visible.filter(({ type }) => type === 'collection');
	const parameters = visible.filter(({ type }) => type !== 'collection');
	return [
		parameters.flatMap((property) =>
			rowsOf(property).map((row) => ({
				row,
				title: property.displayName,
			})),
		),
		collections.flatMap(({ name, options }) =>
			utmInOne(options)
				.filter((option) => option.options?.[0]?.value !== 'all')
				.flatMap((option) =>
					rowsOf(option, name).map((row) => ({
						row,
						title: option.displayName,
					})),
				),
		),
	];
}

/** The five UTM fields differ in their names alone. */
function utmInOne(options) {
	const utm = options.filter(({ name }) => name.startsWith('utm'));
	const names = utm.map(({ name }) => name);
	return options
		.filter((option) => !utm.slice(1).includes(option))
		.map((option) =>
			option === utm[0]
				? { ...option, displayName: 'UTM Values', description: `Also ${names.slice(1).join(', ')}` }
				: option,
		);
}

function list(entries) {
	return entries.length === 0 ? [] : ['', ...entries];
}

/** A parameter, and behind it those that stand inside each of its entries. */
function rowsOf(property, parent, titleOfParent) {
	const { displayName, type, options } = property;
	const name = parent ? `${parent}.${property.name}` : property.name;
	const title = titleOfParent ? `${titleOfParent} → ${displayName}` : displayName;
	const value = fallback(property, name);
	const start = `- **${title}** \`${name}\`${value === '' ? '' : ` (${value})`}`;
	const text = meaning(property);
	const row = text === '' ? start : `${start}:${text.startsWith('\n') ? '' : ' '}${text}`;
	// The fields of n8n's own poll times are the same in every trigger.
	if (type !== 'fixedCollection' || options === cronNodeOptions) return [row];
	const inside = options.flatMap((group) => {
		// The values that the node starts with win over those of an added entry.
		const [first = {}] = [property.default?.[group.name] ?? []].flat();
		return group.values
			.filter((inner) => !['hidden', 'notice'].includes(inner.type))
			.map((inner) => ({ ...inner, default: first[inner.name] ?? inner.default }))
			.flatMap((inner) => rowsOf(inner, `${name}.${group.name}`, title));
	});
	return [row, ...inside];
}

function fallback({ type, default: value, options = [] }, name) {
	if (type === 'resourceLocator') return '';
	if (typeof value === 'boolean' && options.length === 0) {
		const state = value ? 'on' : 'off';
		if (!name.includes('.') || onWithout.includes(name)) return state;
		if (name.startsWith('options.')) return value ? 'off; on when added' : state;
		return value ? 'on when added' : state;
	}
	if (typeof value === 'object' && !Array.isArray(value)) return '';
	const labelOf = (choice) =>
		options.find((option) => option.value === choice)?.name ?? String(choice);
	return [value ?? ''].flat().map(labelOf).join(', ');
}

/** Choices that need no explanation stand in the sentence, the others below it. */
function meaning({ type, hint = '', description = hint, options = [] }) {
	if (!['options', 'multiOptions'].includes(type)) return sentence(description);
	if (options.some(({ value }) => value === 'job.ended')) {
		return `${sentence(description)} One of the [event types](#event-types).`;
	}
	if (options.length === 0) return sentence(description);
	const values = options.map(({ value }) => value);
	const ascending = values.filter((value) => values.includes(`-${value}`));
	if (ascending.length > 0) {
		return `${sentence(description)} By ${code(ascending)}; with \`-\` in front, the last comes first.`;
	}
	const isExplained = options.some((option) => option.description);
	const choices = isExplained
		? options.map((option) => `\n  - ${choice(option)}`)
		: [` ${options.map(choice).join(', ')}.`];
	return `${sentence(description)}${choices.join('')}`.replace(/^ /, '');
}

function choice({ name, value, description }) {
	const isInName = value === name.toLowerCase().replaceAll(' ', '_') || name.includes(`(${value})`);
	const code = isInName ? '' : ` (\`${value}\`)`;
	return `${name}${code}${description ? `: ${sentence(description)}` : ''}`;
}

function sentence(text = '') {
	// n8n's guidelines want a switch to say "Whether to …"; a reader of the page knows that it is one.
	const plain = text
		.replace(/<[^>]*>/g, '')
		.replace(/^Whether to (?!.* or only )(\w)/, (_, first) => first.toUpperCase())
		.trim();
	return plain === '' || /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
