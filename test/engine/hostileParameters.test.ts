import '../support/fasterClock';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow, tokenCredential } from '../support/engine';
import { recordingServer, type Recorded } from './recordingServer';

const node = new EventPlatform();
const hostile = '={{ $json.value }}';
const uuid = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';
/** Something that each field takes. */
const harmless = [
	...['harmless', 'grace@example.com', `https://app.example/${uuid}`],
	...['2027-01-29T11:31:00Z', 'Europe/Paris', '1', 'true'],
];
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

/** Where people put a text, for each kind of place that it goes to: the rest of the operation is as it has to be. */
type Target = [place: string, operation: string, put: (given: string) => object];

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const session = { sessionId: byId('usual-id') };
const mapped = (value: IDataObject) => ({
	fields: { mappingMode: 'defineBelow', value, schema: [] },
});
const planned = { estimatedStartedAt: '2026-11-28T10:30:00Z' };

const targets: Target[] = [
	['an ID in a path', 'session.get', (given) => ({ sessionId: byId(given) })],
	[
		'an ID in a path, from the list',
		'user.delete',
		(value) => ({ userId: { __rl: true, mode: 'list', value } }),
	],
	[
		'a URL with the ID of a path',
		'event.get',
		(value) => ({ eventId: { __rl: true, mode: 'url', value } }),
	],
	['a text that is an ID', 'job.getTasks', (jobId) => ({ jobId })],
	['an ID among filters', 'session.getAll', (given) => ({ filters: { eventId: byId(given) } })],
	['a filter', 'event.getAll', (title) => ({ filters: { title } })],
	['a choice of filters', 'person.getAll', (role) => ({ filters: { role } })],
	['a date among filters', 'session.getAll', (dateFrom) => ({ filters: { dateFrom } })],
	['a switch among filters', 'user.getAll', (pendingInvite) => ({ filters: { pendingInvite } })],
	['an option', 'personAttribute.getAll', (sort) => ({ options: { sort } })],
	['a list of names', 'event.getAll', (name) => ({ options: { include: [name] } })],
	['names as a text', 'session.get', (include) => ({ ...session, options: { include } })],
	[
		'an address in a query',
		'registration.unregister',
		(email) => ({ ...session, by: 'email', email }),
	],
	['a text in a body', 'webhook.create', (url) => ({ url })],
	['a choice in a body', 'user.create', (role) => ({ email: 'ada@example.com', role })],
	[
		'a text that is added to a body',
		'event.update',
		(slug) => ({ eventId: byId('usual-id'), updateFields: { slug } }),
	],
	[
		'an ID in a body',
		'event.create',
		(given) => ({ title: 'usual', additionalFields: { ownerId: byId(given) } }),
	],
	[
		'a row of a body',
		'event.create',
		(name) => ({ title: 'usual', sessions: { session: [{ ...planned, name }] } }),
	],
	[
		'a date in a body',
		'session.create',
		(estimatedStartedAt) => ({ eventId: byId('usual-id'), estimatedStartedAt, timezone: 'UTC' }),
	],
	[
		'a time zone',
		'session.create',
		(timezone) => ({ eventId: byId('usual-id'), ...planned, timezone: byId(timezone) }),
	],
	[
		'IDs with commas between',
		'session.create',
		(teamMembers) => ({
			...{ eventId: byId('usual-id'), ...planned, timezone: 'UTC' },
			additionalFields: { teamMembers },
		}),
	],
	['an address', 'registration.register', (email) => ({ ...session, ...mapped({ email }) })],
	[
		'an answer',
		'registration.register',
		(company) => ({ ...session, ...mapped({ email: 'ada@example.com', company }) }),
	],
	[
		'an answer of many',
		'registration.bulkRegister',
		(company) => ({
			...{ ...session, ...mapped({ email: 'ada@example.com', company }) },
			options: { waitForCompletion: false },
		}),
	],
];

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

test.each(targets)('nothing comes of hostile texts as %s (%s)', async (_, of, put) => {
	const [resource, operation] = of.split('.');
	const parameters = { resource, operation, ...put(hostile) } as INodeParameters;
	const usualRequests = (await run(parameters, harmless)).requests;
	expect(usualRequests.length).toBeGreaterThan(0);
	const { items, error, requests } = await run(parameters, values);

	expect(error).toBeUndefined();
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
