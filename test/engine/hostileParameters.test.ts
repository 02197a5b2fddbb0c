import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { resources } from '../../nodes/EventPlatform/resources';
import { runWorkflow, tokenCredential } from '../support/engine';
import { recordingServer, type Recorded } from '../support/recordingServer';

jest.setTimeout(120_000);

const node = new EventPlatform();
const hostile = '={{ $json.value }}';
const uuid = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';
/** Something that each field takes. */
const harmless = [
	...['harmless', 'ada@example.com', `https://app.example/${uuid}`],
	...['2026-11-28T10:30:00Z', 'Europe/Paris', '1', 'true'],
];
const apiToken = 'token-that-nobody-may-see';

const values = [
	...[
		'..',
		'.',
		' .. ',
		'../../users',
		'/../../etc/passwd',
		'%2e%2e',
		'%2e%2e%2fusers',
		'．．／users',
	],
	...[
		'a/b',
		'a\\..\\b',
		'a%2Fb',
		'a?filter[email]=x',
		'a#b',
		'a&page[number]=9',
		'a=b;c',
		'//evil.example',
	],
	...[
		'https://evil.example/v1',
		`https://evil.example/${uuid}`,
		'@evil.example',
		'x\r\nHost: evil.example',
	],
	...[
		'x\nX-Injected: 1',
		'x\u0000y',
		'\u0000',
		'\ud800',
		'x\udfff',
		'__proto__',
		'constructor',
		'toString',
	],
	...[
		'{{ $json }}',
		'={{ 1 + 1 }}',
		'${7*7}',
		'\u202egnp.exe',
		'\ufeff',
		'"}],"x":[{"',
		'x'.repeat(100_000),
	],
];

/** One parameter that takes any text, and the others as they have to be beside it. */
interface Target {
	name: string;
	/** Those of the operation, with `given` where any text goes. */
	parameters(given: string): INodeParameters;
}

/** What a field has to hold, so that the rest of the operation works. */
function usual(field: INodeProperties): unknown {
	if (field.type === 'resourceLocator') return byId('usual-id');
	if (field.type === 'resourceMapper') return mapped({ email: 'ada@example.com' });
	if (field.name === 'email') return 'ada@example.com';
	if (field.type === 'dateTime') return '2026-11-28T10:30:00Z';
	if (field.type === 'string' && field.required) return 'usual';
	return field.default;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });
const mapped = (value: IDataObject) => ({ mappingMode: 'defineBelow', value, schema: [] });

/** Every way to put a text into a field. */
function ways(field: INodeProperties): Array<[string, (given: string) => unknown]> {
	const { name, type, options = [] } = field;
	const plain: [string, (given: string) => unknown] = [name, (given) => given];
	switch (type) {
		case 'string':
		case 'dateTime':
		case 'options':
			return [plain];
		case 'multiOptions':
			// The fields of simplified records are chosen here, out of what has arrived: they reach no request.
			return name === 'fields' ? [] : [[name, (given) => [given]], plain];
		case 'resourceLocator':
			return [
				[`${name} by id`, byId],
				[`${name} by URL`, byUrl],
				[`${name} from the list`, (value) => ({ __rl: true, mode: 'list', value })],
			];
		case 'resourceMapper':
			return [
				[`${name}.email`, (given) => mapped({ email: given })],
				[`${name}.company`, (given) => mapped({ email: 'ada@example.com', company: given })],
			];
		case 'collection':
			// What is done with empty filters decides whether a request is sent, and stands in none.
			return (options as INodeProperties[])
				.filter(notOfEmptyFilters)
				.flatMap((option) =>
					ways(option).map(([inner, put]): [string, (given: string) => unknown] => [
						`${name}.${inner}`,
						(given) => ({ [option.name]: put(given) }),
					]),
				);
		case 'fixedCollection':
			return options.flatMap((option) =>
				'values' in option
					? option.values.flatMap((one) =>
							ways(one).map(([inner, put]): [string, (given: string) => unknown] => [
								`${name}.${inner}`,
								(given) => ({
									[option.name]: [
										{ estimatedStartedAt: '2026-11-28T10:30:00Z', [one.name]: put(given) },
									],
								}),
							]),
						)
					: [],
			);
		default:
			return [];
	}
}

function notOfEmptyFilters({ name }: INodeProperties): boolean {
	return name !== 'emptyFilters';
}

/** The other parameters that have to be as they are for a field to be shown. */
function conditions({ displayOptions }: INodeProperties): IDataObject {
	const shown = Object.entries(displayOptions?.show ?? {});
	return Object.fromEntries(shown.map(([name, allowed]) => [name, allowed?.[0] as string]));
}

const targets = resources.flatMap((resource) =>
	resource.operations.flatMap((operation) =>
		operation.fields.flatMap((field) =>
			ways(field).map(([name, put]): Target => ({
				name: `${resource.value}.${operation.value}: ${name}`,
				parameters: (given) => ({
					...Object.fromEntries(operation.fields.map((one) => [one.name, usual(one)])),
					waitForCompletion: false,
					...conditions(field),
					resource: resource.value,
					operation: operation.value,
					[field.name]: put(given),
				}),
			})),
		),
	),
);

let server: Awaited<ReturnType<typeof recordingServer>>;
beforeAll(async () => (server = await recordingServer()));
afterAll(() => server.close());

async function run(parameters: INodeParameters, texts: readonly string[]) {
	const before = server.recorded.length;
	const outcome = await runWorkflow({
		node,
		credential: tokenCredential({ baseUrl: server.baseUrl, apiToken }),
		parameters,
		items: texts.map((value) => ({ value })),
		settings: { onError: 'continueRegularOutput' },
	});
	return { ...outcome, requests: server.recorded.slice(before) };
}

test('thirty values and more, for every text of every operation', () => {
	expect(values.length).toBeGreaterThanOrEqual(30);
	const operations = resources.flatMap((resource) =>
		resource.operations
			.filter(({ fields }) => fields.some((field) => ways(field).length > 0))
			.map((operation) => `${resource.value}.${operation.value}`),
	);
	expect(new Set(targets.map(({ name }) => name.split(':')[0]))).toEqual(new Set(operations));
});

test.each(targets.map((target) => [target.name, target] as const))('%s', async (_, target) => {
	const parameters = target.parameters(hostile);
	const usualRequests = (await run(parameters, harmless)).requests;
	const { items, error, requests } = await run(parameters, values);

	expect(error).toBeUndefined();
	expect(items.length).toBeGreaterThan(0);
	for (const { json } of items) {
		const said = JSON.stringify(json);
		expect(said).not.toMatch(mishap);
		expect(said).not.toContain(apiToken);
		if (json.error !== undefined) expect(said.length).toBeLessThan(10_000);
	}
	const known = usualRequests.flatMap(namesOf);
	for (const request of requests) {
		const { url, headers, body } = request;
		expect([url, usualRequests.some((usual) => isLike(request, usual))]).toEqual([url, true]);
		expect(headers.host).toBe(new URL(server.baseUrl).host);
		expect(namesOf(request).filter((name) => !known.includes(name))).toEqual([]);
		if (body !== '') expect(() => JSON.parse(body) as unknown).not.toThrow();
	}
});

/** What an error says that nobody has thought of. */
const mishap =
	/is not a function|cannot read|undefined|call stack|malformed|\[object|not iterable|invalid time|unexpected token/i;

/** The names of headers and of query parameters. */
function namesOf({ url, headers }: Recorded): string[] {
	return [...Object.keys(headers), ...new URL(url, server.baseUrl).searchParams.keys()];
}

/** The same place, except where a value is a segment of its own. */
function isLike(request: Recorded, usual: Recorded): boolean {
	const [given, expected] = [request, usual].map(({ url }) => (url.split('?')[0] ?? '').split('/'));
	return (
		request.method === usual.method &&
		given?.length === expected?.length &&
		given?.every((segment, index) => {
			const place = expected?.[index] ?? '';
			const isValue = [...harmless, uuid].includes(decodeURIComponent(place));
			return segment === place || (isValue && !/^\.{0,2}$/.test(decodeURIComponent(segment)));
		}) === true
	);
}
