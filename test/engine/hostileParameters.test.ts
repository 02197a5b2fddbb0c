import '../support/fasterClock';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { resources } from '../../nodes/EventPlatform/resources';
import { runWorkflow, tokenCredential } from '../support/engine';
import { recordingServer, type Recorded } from '../support/recordingServer';

const node = new EventPlatform();
const hostile = '={{ $json.value }}';
const uuid = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';
/** Something that each field takes. */
const harmless = [
	...['harmless', 'grace@example.com', `https://app.example/${uuid}`],
	...['2027-01-29T11:31:00Z', 'Europe/Paris', '1', 'true'],
];
/** What of these is found nowhere else, a date also in the way in which filters take it. */
const marks = ['harmless', 'grace@example.com', uuid, '2027-01-29', '1801222260', 'Europe/Paris'];
const apiToken = 'token-that-nobody-may-see';

const paths =
	'.. . ../../users /../../etc/passwd %2e%2e %2e%2e%2fusers ．．／users a/b a\\..\\b a%2Fb //evil.example';
const queries =
	'a?filter[email]=x a#b a&page[number]=9 a=b;c @evil.example https://evil.example/v1';
const names =
	'__proto__ constructor toString ${7*7} \u202egnp.exe \ufeff "}],"x":[{" \ud800 x\udfff \u0000';
const values = [
	...[paths, queries, names].flatMap((line) => line.split(' ')),
	...[' .. ', `https://evil.example/${uuid}`, 'x\r\nHost: evil.example', 'x\nX-Injected: 1'],
	...['x\u0000y', '{{ $json }}', '={{ 1 + 1 }}', 'x'.repeat(100_000)],
];

/** One parameter that takes any text, and the others as they have to be beside it. */
interface Target {
	name: string;
	/** What kind of field it is. */
	field: string;
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

/** A name for people, how a text is put there, and what kind of field it is. */
type Way = [name: string, put: (given: string) => unknown, field: string];

/** Every way to put a text into a field. */
function ways(field: INodeProperties): Way[] {
	const { name, type, options = [] } = field;
	const plain: Way = [name, (given) => given, type];
	switch (type) {
		case 'string':
		case 'dateTime':
		case 'options':
			return [plain];
		case 'multiOptions':
			// The fields of simplified records are chosen here, out of what has arrived: they reach no request.
			return name === 'fields' ? [] : [[name, (given) => [given], `${type}, a list`], plain];
		case 'resourceLocator':
			return [
				[`${name} by id`, byId, `${type} by id`],
				[`${name} by URL`, byUrl, `${type} by URL`],
				[
					`${name} from the list`,
					(value) => ({ __rl: true, mode: 'list', value }),
					`${type}, list`,
				],
			];
		case 'resourceMapper':
			return [
				[`${name}.email`, (given) => mapped({ email: given }), `${type}, email`],
				[
					`${name}.company`,
					(given) => mapped({ email: 'ada@example.com', company: given }),
					`${type}, answer`,
				],
			];
		case 'collection':
			// What is done with empty filters decides whether a request is sent, and stands in none.
			return (options as INodeProperties[])
				.filter(notOfEmptyFilters)
				.flatMap((option) =>
					ways(option).map(([inner, put, kind]): Way => [
						`${name}.${inner}`,
						(given) => ({ [option.name]: put(given) }),
						`${kind} in a ${type}`,
					]),
				);
		case 'fixedCollection':
			return options.flatMap((option) =>
				'values' in option
					? option.values.flatMap((one) =>
							ways(one).map(([inner, put, kind]): Way => [
								`${name}.${inner}`,
								(given) => ({
									[option.name]: [
										{ estimatedStartedAt: '2026-11-28T10:30:00Z', [one.name]: put(given) },
									],
								}),
								`${kind} in a ${type}`,
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
			ways(field).map(([name, put, kind]): Target => ({
				name: `${resource.value}.${operation.value}: ${name}`,
				field: kind,
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

/** Where texts are found again in what was sent. */
function placesOf(requests: readonly Recorded[]): string[] {
	const isOurs = (text: string) => marks.some((mark) => text.includes(mark));
	const places = requests.flatMap(({ url, headers, body }) => {
		const { pathname, searchParams } = new URL(url, server.baseUrl);
		return [
			isOurs(decodeURIComponent(pathname)) && 'path',
			[...searchParams.values()].some(isOurs) && 'query',
			[...searchParams.keys()].some(isOurs) && 'name',
			Object.values(headers).some((value) => isOurs(String(value))) && 'header',
			...(body === '' ? [] : placesInBody(JSON.parse(body) as unknown, isOurs)),
		];
	});
	return [...new Set(places.filter((place) => place !== false))].sort();
}

function placesInBody(json: unknown, isOurs: (text: string) => boolean): string[] {
	if (typeof json !== 'object' || json === null) return isOurs(String(json)) ? ['body'] : [];
	return Object.entries(json).flatMap(([name, value]) => [
		...(isOurs(name) ? ['name'] : []),
		...placesInBody(value, isOurs),
	]);
}

test('each kind of place that a text goes to has a field that stands for it, and thirty values go through that', async () => {
	const found = new Map<string, Target>();
	for (const target of targets) {
		const places = placesOf((await run(target.parameters(hostile), harmless)).requests);
		const kind = `${target.field}: ${places.join(', ') || 'nowhere'}`;
		if (!found.has(kind)) found.set(kind, target);
	}
	expect(found.size).toBeGreaterThan(30);
	for (const [kind, target] of found) await expectHarmless(kind, target);
});

async function expectHarmless(kind: string, target: Target): Promise<void> {
	const parameters = target.parameters(hostile);
	const usualRequests = (await run(parameters, harmless)).requests;
	const { items, error, requests } = await run(parameters, values);
	const about = `${target.name} (${kind})`;

	expect([about, error]).toEqual([about, undefined]);
	expect(items.length).toBeGreaterThan(0);
	for (const { json } of items) {
		const said = JSON.stringify(json);
		expect(said).not.toMatch(mishap);
		expect(said).not.toContain(apiToken);
		expect(JSON.stringify(json.error ?? '').length).toBeLessThan(10_000);
	}
	const known = usualRequests.flatMap(namesOf);
	for (const request of requests) {
		const { url, headers, body } = request;
		expect([url, usualRequests.some((usual) => isLike(request, usual))]).toEqual([url, true]);
		expect(headers.host).toBe(new URL(server.baseUrl).host);
		expect(namesOf(request).filter((name) => !known.includes(name))).toEqual([]);
		if (body !== '') expect(() => JSON.parse(body) as unknown).not.toThrow();
	}
}

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
