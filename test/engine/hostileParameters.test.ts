import '../support/time/fasterClock';
import type { IncomingMessage } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { startTestServer } from '../support/platform/testServer';
import { runWorkflow, type NodeRun } from '../support/n8n/engine';
import { mapped } from '../support/n8n/operation';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';

const node = new EventPlatform();
const uuid = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';
/** Something that each field takes. */
const harmless = [
	'harmless',
	'grace@example.com',
	`https://app.example/${uuid}`,
	'2027-01-29T11:31:00Z',
	'Europe/Paris',
	'1',
	'true',
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
	' .. ',
	`https://evil.example/${uuid}`,
	'x\r\nHost: evil.example',
	'x\nX-Injected: 1',
	'x\u0000y',
	'{{ $json }}',
	'={{ 1 + 1 }}',
	'x'.repeat(100_000),
];

/** Where people put a text, for each kind of place that it goes to: the rest of the operation is as it has to be. */
type Target = [place: string, operation: string, put: (text: string) => object];

const eventId = byId('usual-id');
const sessionId = byId('usual-id');
const ada = { email: 'ada@example.com' };
const planned = { estimatedStartedAt: '2026-11-28T10:30:00Z' };
const titled = (more: object) => ({ title: 'usual', ...more });
const added = (more: object) => ({ eventId, ...planned, timezone: 'UTC', ...more });
const answering = (value: object, options = {}) => ({ sessionId, fields: mapped(value), options });

const targets: Target[] = [
	['an ID in a path', 'session.get', (id) => ({ sessionId: byId(id) })],
	['a URL with the ID of a path', 'event.get', (url) => ({ eventId: byId(url, 'url') })],
	['an ID among filters', 'session.getAll', (id) => ({ filters: { eventId: byId(id) } })],
	['a filter', 'event.getAll', (title) => ({ filters: { title } })],
	['a date among filters', 'session.getAll', (dateFrom) => ({ filters: { dateFrom } })],
	['a switch among filters', 'user.getAll', (pendingInvite) => ({ filters: { pendingInvite } })],
	['a list of names', 'event.getAll', (name) => ({ options: { include: [name] } })],
	['names as a text', 'session.get', (include) => ({ sessionId, options: { include } })],
	['an address in a query', 'registration.unregister', (email) => ({ sessionId, email })],
	['a text in a body', 'webhook.create', (url) => ({ url })],
	['a text that is added', 'event.update', (slug) => ({ eventId, updateFields: { slug } })],
	['an ID in a body', 'event.create', (id) => titled({ additionalFields: { ownerId: byId(id) } })],
	['a row', 'event.create', (name) => titled({ sessions: { session: [{ ...planned, name }] } })],
	['a date in a body', 'session.create', (start) => added({ estimatedStartedAt: start })],
	['a time zone', 'session.create', (zone) => added({ timezone: byId(zone) })],
	['IDs', 'session.create', (teamMembers) => added({ additionalFields: { teamMembers } })],
	['an address', 'registration.register', (email) => answering({ email })],
	['an answer', 'registration.register', (company) => answering({ ...ada, company })],
	[
		'an answer of many',
		'registration.bulkRegister',
		(company) => answering({ ...ada, company }, { waitForCompletion: false }),
	],
];

/** A platform that has everything, allows everything, and keeps what it was asked. */
const recorded: Recorded[] = [];
interface Recorded extends Pick<IncomingMessage, 'method' | 'headers'> {
	/** The URL as it came, with the query. */
	url: string;
	body: string;
}

let baseUrl: string;
beforeAll(async () => {
	({ baseUrl } = await startTestServer((response, { method, url = '', headers }, body) => {
		recorded.push({ method, url, headers, body });
		// Far more than anybody asks, so that nobody waits.
		response.setHeader('ratelimit-interval-limit', '5000');
		response.setHeader('ratelimit-interval-remaining', '4999');
		const record = { id: '1', type: 'things', attributes: { status: 'ended' } };
		const list = { data: [], meta: { current_page: 0, next_page: null } };
		response.end(JSON.stringify(url.includes('?page') ? list : { data: record }));
	}));
});

interface RecordedRun extends NodeRun {
	requests: Recorded[];
}

async function run(parameters: INodeParameters, texts: readonly string[]): Promise<RecordedRun> {
	const before = recorded.length;
	const outcome = await runWorkflow({
		node,
		credential: tokenCredential({ baseUrl, apiToken }),
		parameters,
		items: texts.map((value) => ({ value })),
		settings: { onError: 'continueRegularOutput' },
	});
	return { ...outcome, requests: recorded.slice(before) };
}

describe.each(targets)('hostile texts as %s (%s)', (_, of, put) => {
	let hostile: RecordedRun;
	/** The requests that harmless texts at the same place send. */
	let usualRequests: Recorded[];
	const messages = () => hostile.items.map(({ json }) => JSON.stringify(json));

	beforeAll(async () => {
		const [resource, operation] = of.split('.');
		const parameters = { resource, operation, ...put('={{ $json.value }}') } as INodeParameters;
		usualRequests = (await run(parameters, harmless)).requests;
		hostile = await run(parameters, values);
	});

	test('stand where harmless ones are sent', () => {
		expect(usualRequests.length).toBeGreaterThan(0);
	});

	test('do not end the run', () => {
		expect(hostile.error).toBeUndefined();
		expect(hostile.items.length).toBeGreaterThan(0);
	});

	test('lead to no error that nobody has thought of', () => {
		expect(messages().filter((message) => mishap.test(message))).toEqual([]);
	});

	test('show nobody the token', () => {
		expect(messages().filter((message) => message.includes(apiToken))).toEqual([]);
	});

	test('are not repeated at length by an error', () => {
		const lengths = hostile.items.map(({ json }) => JSON.stringify(json.error ?? '').length);
		expect(Math.max(...lengths)).toBeLessThan(10_000);
	});

	test('reach no other address', () => {
		const elsewhere = hostile.requests.filter(
			(request) => !usualRequests.some((usual) => isLike(request, usual)),
		);
		expect(elsewhere.map(({ url }) => url)).toEqual([]);
	});

	test('reach no other host', () => {
		const hosts = new Set(hostile.requests.map(({ headers }) => headers.host));
		hosts.delete(new URL(baseUrl).host);
		expect([...hosts]).toEqual([]);
	});

	test('add no header and no parameter of a query', () => {
		const usualNames = new Set(usualRequests.flatMap(namesOf));
		expect(hostile.requests.flatMap(namesOf).filter((name) => !usualNames.has(name))).toEqual([]);
	});

	test('leave every body JSON', () => {
		const bodies = hostile.requests.map(({ body }) => body).filter((body) => body !== '');
		expect(() => bodies.map((body) => JSON.parse(body) as unknown)).not.toThrow();
	});
});

/** The words of an error that nobody has thought of. */
const mishap =
	/is not a function|cannot read|undefined|call stack|malformed|\[object|not iterable|invalid time|unexpected token/i;

/** The names of headers and of query parameters. */
function namesOf({ url, headers }: Recorded): string[] {
	return [...Object.keys(headers), ...new URL(url, baseUrl).searchParams.keys()];
}

/** The same place, except where a value is a segment of its own. */
function isLike(request: Recorded, usual: Recorded): boolean {
	const [segments, expected] = [request, usual].map(({ url }) =>
		(url.split('?')[0] ?? '').split('/'),
	);
	return (
		request.method === usual.method &&
		segments?.length === expected?.length &&
		segments?.every((segment, index) => {
			const place = expected?.[index] ?? '';
			const isValue = [...harmless, uuid].includes(decodeURIComponent(place));
			return segment === place || (isValue && !/^\.{0,2}$/.test(decodeURIComponent(segment)));
		}) === true
	);
}
