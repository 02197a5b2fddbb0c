import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { mostEventsInRun } from '../../nodes/EventPlatform/core/polling/lists/cursor';
import {
	mostRequestsForBatch,
	mostTasksInBatch,
} from '../../nodes/EventPlatform/core/registration/bulkPlan';
import { everyStatus } from '../../nodes/EventPlatform/core/people/outcome';
import { credentials, manifest, nodes, root } from './built';

const readme = read('README.md');
const userPages = [
	'README.md',
	...readdirSync(join(root, 'docs'))
		.filter((name) => name.endsWith('.md') && name !== 'reference.md')
		.map((name) => `docs/${name}`),
];
/** Recipes that say which figure to filter by, and nothing to look at. */
const calculations = ['Certificates', 'Keep some people out'];
const properties = nodes.flatMap(({ loaded }) => loaded.description.properties);

test('the README lists every operation that the node has, and no other', () => {
	const rows = rowsOf(readme).map(([resource, operations = '']) => [
		resource,
		operations.split(', ').sort(),
	]);
	const resources = choicesOf(properties.filter(({ name }) => name === 'resource'));
	for (const { name, value } of resources) {
		const operations = choicesOf(
			properties.filter(
				({ name: property, displayOptions }) =>
					property === 'operation' && displayOptions?.show?.resource?.includes(value),
			),
		);
		expect(rows).toContainEqual([name, operations.map((operation) => operation.name).sort()]);
	}
	expect(resources.length).toBeGreaterThan(8);
});

test('every page that names the compose file to try it says that nobody has run it yet', () => {
	const pages = [...userPages, 'host/README.md', 'host/try.yaml'].filter((page) =>
		/host\/try\.yaml/.test(read(page)),
	);
	expect(pages).toEqual(
		expect.arrayContaining(['docs/try-it.md', 'host/README.md', 'host/try.yaml']),
	);
	const silent = pages.filter((page) => !/nobody\s+has\s+run/i.test(read(page)));
	expect(silent).toEqual([]);
});

test('the README says of every event which trigger has it', () => {
	const eventsOf = (title: string) => {
		const { loaded } =
			nodes.find(({ loaded: { description } }) => description.displayName === title) ?? {};
		const properties = loaded?.description.properties ?? [];
		return choicesOf(properties.filter(({ name }) => name === 'events')).map(({ name }) => name);
	};
	const [webhook, polling] = ['Event Platform Trigger', 'Event Platform Polling Trigger'].map(
		eventsOf,
	);
	const all = [...new Set([...(webhook ?? []), ...(polling ?? [])])];
	expect(all.length).toBeGreaterThan(11);
	const [, table = ''] = readme.split(/^\| Event +\| Trigger +\|.*$/m);
	const rows = [...table.matchAll(/^\| (.+?) +\| (Both|Polling) +\|/gm)];
	expect(rows.map(([, ...cells]) => cells).sort()).toEqual(
		all.map((name) => [name, webhook?.includes(name) ? 'Both' : 'Polling']).sort(),
	);
	expect(all.sort()).toEqual(polling?.sort());
});

test('every action that a recipe tells people to choose is one of the node', () => {
	const named = ['README.md', 'docs/recipes.md', 'docs/invitations.md'].flatMap((page) =>
		[...read(page).matchAll(/Event\s+Platform → ([A-Z][a-z ]+(?:\n[a-z ]+)?)\*\*/g)].map(
			([, action = '']) => action.replaceAll(/\s+/g, ' '),
		),
	);
	const actions = choicesOf(properties.filter(({ name }) => name === 'operation')).map(
		({ action }) => action,
	);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((action) => !actions.includes(action))).toEqual([]);
});

test('the index of the documentation leads to every page', () => {
	const pages = ['docs', 'docs/internals'].flatMap((folder) =>
		readdirSync(join(root, folder))
			.filter((name) => name.endsWith('.md') && name !== 'README.md')
			.map((name) => `${folder}/${name}`.replace('docs/', '')),
	);
	const index = read('docs/README.md');
	expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test.each(['docs/faq.md', 'docs/recipes.md', 'docs/troubleshooting.md'])(
	'the beginning of %s leads to each of its sections',
	(page) => {
		const [beginning = '', ...sections] = read(page).split('\n## ');
		const titles = sections.map((section) => section.split('\n')[0]);
		const links = [...beginning.matchAll(/\[([^\]]+)\]\(#[^)]+\)/g)].map(([, title]) => title);
		expect(titles.length).toBeGreaterThan(5);
		expect(links).toEqual(expect.arrayContaining(titles));
	},
);

test('the README has no alert, because npm shows its mark as text', () => {
	expect(readme).not.toContain('[!');
});

test('each recipe has a picture, or leads to an example that has one', () => {
	const [, ...recipes] = read('docs/recipes.md').split('\n## ');
	const leads = /\]\((?:images|\.\.\/examples)\//;
	const withoutPicture = recipes.filter((recipe) => !leads.test(recipe));
	expect(withoutPicture.map((recipe) => recipe.split('\n')[0])).toEqual(calculations);
});

test('every picture that a page shows exists, and says what it shows', () => {
	const pages = ['README.md', 'examples/README.md', 'sandbox/README.md'].concat(
		readdirSync(join(root, 'docs'))
			.filter((name) => name.endsWith('.md'))
			.map((name) => `docs/${name}`),
	);
	let shown = 0;
	for (const page of pages) {
		const text = read(page);
		const inHtml = [...text.matchAll(/<img src="([^"]+)"[^>]* alt="([^"]*)"/g)];
		const pictures = [
			...[...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words, path]) => [path, words]),
			...inHtml.map(([, path, words]) => [path, words]),
		];
		shown += pictures.length;
		for (const [path = '', words = ''] of pictures) {
			expect([path, existsSync(join(root, page, '..', path))]).toEqual([path, true]);
			expect(words.split(' ').length).toBeGreaterThan(4);
		}
	}
	expect(shown).toBeGreaterThan(10);
});

test('the pages name the file of this version', () => {
	const pages = ['README.md', 'docs/install.md', 'docs/docker.md'].map(read);
	const files = pages.flatMap(
		(page) => page.match(/n8n-nodes-event-platform-\d[\d.]*\.tgz/g) ?? [],
	);
	expect(new Set(files)).toEqual(new Set([`${manifest.name}-${manifest.version}.tgz`]));
});

test('every option, filter and field that a page names is one of the nodes', () => {
	const fields = [...properties, ...credentials.flatMap(({ loaded }) => loaded.properties)];
	const known = new Set(fields.flatMap(fieldsWithin).map(({ displayName }) => displayName));
	const named = userPages.flatMap((page) =>
		[...read(page).matchAll(/\b(?:options?|filters?)\s+_([A-Z][^_`]+)_/g)].map(
			([, name = '']) => `${page}: ${name.replaceAll(/\s+/g, ' ')}`,
		),
	);
	expect(named.length).toBeGreaterThan(15);
	expect(named.filter((name) => !known.has(name.replace(/^.*?: /, '')))).toEqual([]);
});

test('figures on the pages are the defaults of the nodes', () => {
	const defaultOf = (name: string) =>
		properties.flatMap(fieldsWithin).find((property) => property.displayName === name)?.default;
	expect(defaultOf('Max Wait (Seconds)')).toBe(900);
	expect(read('docs/bulk.md')).toContain('_Max Wait_ (900 seconds)');
	expect(read('docs/faq.md')).toContain('A new Event Platform Trigger has only _Job Ended_');
	expect(defaultOf('Trigger On')).toEqual(['job.ended']);
	// One request for the page, and one for each person of a batch.
	expect(read('docs/invitations.md')).toContain(`at most ${mostRequestsForBatch} requests more`);
	expect(read('docs/bulk.md')).toMatch(new RegExp(`Two requests per ${mostTasksInBatch} people`));
	expect(read('docs/triggers.md')).toContain(
		`one for up to ${mostEventsInRun.toLocaleString('en')} people`,
	);
	expect(defaultOf('Ended Within Days')).toBe(1);
	expect(read('docs/triggers.md')).toContain('within the last day (_Ended Within Days_)');
	expect(defaultOf('Lead Times')).toEqual({ lead: [{ amount: 1, unit: 'hours' }] });
	expect(read('docs/triggers.md')).toMatch(/looks every six hours whether the webhooks/);
	expect(defaultOf('Check Subscription')).toEqual({
		item: [{ mode: 'everyX', value: 6, unit: 'hours' }],
	});
});

test('the pages explain every status that a person can get', () => {
	const pages = ['docs/bulk.md', 'docs/sync.md'].map(read).join('\n');
	expect(everyStatus.length).toBeGreaterThan(10);
	expect(everyStatus.filter((status) => !pages.includes(`\`${status}\``))).toEqual([]);
});

test('the reference says of each option that is on before anybody has added it, and of no other, that it is on', () => {
	const rows = [...read('docs/reference.md').matchAll(/^- \*\*.+ `options\.(\w+)` \(on\):/gm)];
	const registration = ['bulkRegister', 'sync'].map((operation) =>
		read(`nodes/EventPlatform/actions/registration/${operation}.ts`),
	);
	const inAction = registration.flatMap((source) => [
		...source.matchAll(/\.option\('(\w+)', true\)/g),
	]);
	const ofTriggers = ['deduplicate', 'keepToShare'];
	expect(rows.map(([, name]) => name).sort()).toEqual(
		[...inAction.map(([, name]) => name), ...ofTriggers].sort(),
	);
});

function read(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}

/** The cells of the table below the heading Operations. */
function rowsOf(text: string): string[][] {
	const section = text.split('\n## ').find((part) => part.startsWith('Operations')) ?? '';
	return [...section.matchAll(/^\| (.+?) +\| (.+?) +\| .+\|$/gm)].map(([, ...cells]) => cells);
}

/** A field and all that stand inside it: the options of a collection, and the fields of their entries. */
function fieldsWithin(property: INodeProperties): INodeProperties[] {
	const inside = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inside.flatMap(fieldsWithin)];
}

function choicesOf(parameters: readonly INodeProperties[]): INodePropertyOptions[] {
	return parameters.flatMap(({ options = [] }) => options as INodePropertyOptions[]);
}
