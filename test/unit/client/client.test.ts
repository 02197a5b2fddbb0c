import { createClient } from '../../../nodes/EventPlatform/core/client/client';
import type {
	ApiResponse,
	ApiRequest,
	NoResponse,
} from '../../../nodes/EventPlatform/core/client/request';
import type { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { RefusedQueries } from '../../../nodes/EventPlatform/core/client/refusedQueries';
import { VirtualClock } from '../../support/time/virtualClock';

type QueueOfClient = Parameters<typeof createClient>[0]['queue'];

const get: ApiRequest = { method: 'GET', path: '/events' };

const status = (code: number, headers = {}, body: unknown = {}): ApiResponse => ({
	status: code,
	headers,
	body,
});

/** The first moment of a virtual clock. */
const startOfClock = new VirtualClock().now();

const lost: NoResponse = { networkError: 'ECONNRESET', isSent: true };

/** The client with these answers in turn, the last one for ever, and a queue that lets everything through. */
function scene(
	answers: Array<ApiResponse | NoResponse>,
	{ signal, random = () => 0 }: { signal?: AbortSignal; random?: () => number } = {},
) {
	const clock = new VirtualClock();
	const start = clock.now();
	const sentAt: number[] = [];
	const learned: unknown[] = [];
	const lines: string[] = [];
	const heard: unknown[] = [];
	const queue: QueueOfClient = {
		waitForPlace(_, own) {
			heard.push(own?.aborted);
			return Promise.resolve(clock.now());
		},
		recordResponse: (answer, at) => learned.push([answer.status, at - start]),
		get month() {
			return { monthlyRemaining: 100 - sentAt.length };
		},
		perSecond: 5,
	};
	const sent: ApiRequest[] = [];
	const send = (request: ApiRequest) => {
		sent.push(request);
		sentAt.push(clock.now() - start);
		return Promise.resolve(answers[Math.min(sentAt.length, answers.length) - 1] ?? lost);
	};
	const client = createClient({
		send,
		clock,
		queue,
		signal,
		random,
		log: (line) => lines.push(line),
	});
	const ask = (request: ApiRequest = get) => clock.run(client.send(request));
	return { client, ask, clock, start, sent, sentAt, learned, lines, heard };
}

test('an answer is handed on, and what it says of the limits learned', async () => {
	const { ask, client, learned } = scene([status(200, {}, { data: [] })]);
	expect(await ask()).toEqual(status(200, {}, { data: [] }));
	expect(learned).toEqual([[200, 0]]);
	expect(client.usage).toEqual({
		requests: 1,
		responses: 1,
		perSecond: 5,
		month: { monthlyRemaining: 99 },
	});
});

test('what is known of the month is that of the queue at any time, no matter who has asked', async () => {
	const { ask, client, sentAt } = scene([status(200)]);
	await ask();
	sentAt.push(0, 0);
	expect(client.usage.month.monthlyRemaining).toBe(97);
});

test('answers of the platform are counted, and not the requests without one or with a 5xx', async () => {
	const { ask, client } = scene([lost, status(503), status(200)]);
	await ask();
	expect(client.usage).toMatchObject({ requests: 3, responses: 1 });
});

test('our clock is ahead by the least difference of the run, and by nothing known before a date was heard', async () => {
	const { ask, client, start } = scene([
		status(200),
		status(200, { date: new Date(startOfClock - 90_000).toUTCString() }),
		status(200, { date: new Date(startOfClock - 60_000).toUTCString() }),
		status(200, { date: new Date(startOfClock - 75_000).toUTCString() }),
	]);
	expect(start).toBe(startOfClock);
	await ask();
	expect(client.usage.clockAheadMs).toBeUndefined();
	for (const least of [90_000, 60_000, 60_000]) {
		await ask();
		expect(client.usage.clockAheadMs).toBe(least);
	}
});

test('a request without anything added is sent as it is, because who permits requests knows this one', async () => {
	const { ask, sent } = scene([status(200)]);
	await ask(get);
	expect(sent[0]).toBe(get);
});

describe('a query with what nobody asked for', () => {
	/** A platform that knows these parameters alone. */
	function knowing(...names: string[]) {
		const queries: unknown[] = [];
		const clock = new VirtualClock();
		const queue: QueueOfClient = {
			waitForPlace: () => Promise.resolve(clock.now()),
			recordResponse: () => undefined,
			month: {},
			perSecond: 5,
		};
		const send = ({ query = {} }: ApiRequest) => {
			queries.push(query);
			const isKnown = Object.keys(query).every((name) => names.includes(name));
			return Promise.resolve(status(isKnown ? 200 : 400, {}, {}));
		};
		const refused = new RefusedQueries(clock);
		const begin = () => createClient({ send, clock, queue, refused }).send;
		return { ask: begin(), askLater: begin(), queries };
	}
	const query = { limit: 1 };
	const addedQuery = { include: 'event' };
	const whole = { ...query, ...addedQuery };
	const of = (path: string): ApiRequest => ({ method: 'GET', path, query, addedQuery });

	test('is sent as it is where the platform understands it', async () => {
		const { ask, queries } = knowing('limit', 'include');
		await ask(of('/events/e1/sessions'));
		expect(queries).toEqual([whole]);
	});

	test('is sent again without it after a 400, and so from then on for paths of the kind', async () => {
		const { ask, queries } = knowing('limit');
		await ask(of('/events/e1/sessions'));
		await ask(of('/events/e2/sessions'));
		await ask(of('/events/e1'));
		expect(queries).toEqual([whole, query, query, whole, query]);
	});

	test('is left out by later runs, too', async () => {
		const { ask, askLater, queries } = knowing('limit');
		await ask(of('/events/e1'));
		await askLater(of('/events/e2'));
		expect(queries).toEqual([whole, query, query]);
	});

	test('fails as the query without it does, and is tried anew the next time', async () => {
		const { ask, queries } = knowing();
		for (const path of ['/events/e1', '/events/e2']) {
			await expect(ask(of(path))).rejects.toMatchObject({ cause: 'refused', status: 400 });
		}
		expect(queries).toEqual([whole, query, whole, query]);
	});

	test('is no filter that could be why an empty list has no page 0', async () => {
		const { ask, queries } = knowing();
		const page = { 'page[number]': 0 };
		const request: ApiRequest = { ...of('/events'), query: page };
		await expect(ask(request)).rejects.toMatchObject({ cause: 'page_out_of_range' });
		expect(queries).toEqual([{ ...page, ...addedQuery }, page]);
	});

	test.each([status(404), status(403), status(400, {}, '<html>')])(
		'is not sent again after %j',
		async (answer) => {
			const { ask, sentAt } = scene([answer]);
			const request: ApiRequest = { ...of('/events/e1'), retry: 'never' };
			await expect(ask(request)).rejects.toMatchObject({ status: answer.status });
			expect(sentAt).toHaveLength(1);
		},
	);
});

test('what may be repeated is, each time later, and counted', async () => {
	const { ask, client, sentAt, lines, learned } = scene([lost, status(500), status(200)]);
	expect((await ask()).status).toBe(200);
	expect(sentAt).toEqual([0, 500, 1_500]);
	expect(client.usage.requests).toBe(3);
	expect(learned).toEqual([
		[500, 500],
		[200, 1_500],
	]);
	expect(lines).toEqual([
		'GET /events is tried again after no response (ECONNRESET)',
		'GET /events is tried again after status 500',
	]);
});

test.each([
	['a fault after 429s', [429, 429, 429, 429, 500, 500, 500, 200], 8],
	['a 429 after faults', [500, 500, 500, 429, 429, 200], 6],
	[
		'the fourth fault, however many 429s are between, is the last',
		[500, 429, 500, 429, 500, 429, 500],
		7,
	],
])('each activity has its own patience: %s', async (_, codes, requests) => {
	const { ask, sentAt } = scene(codes.map((code) => status(code)));
	const end = await ask().then(
		(response) => response.status,
		(error: Failure) => error.status,
	);
	expect(end).toBe(codes.at(-1));
	expect(sentAt).toHaveLength(requests);
});

test('those rate limited together come again up to a quarter apart', async () => {
	const { ask, sentAt } = scene([lost, status(200)], { random: () => 1 });
	await ask();
	expect(sentAt).toEqual([0, 625]);
});

test('a pause of nearly two minutes is waited for, however far those rate limited together come apart', async () => {
	const rateLimited = status(429, { 'retry-after': '110' });
	const { ask, sentAt } = scene([rateLimited, status(200)], { random: () => 1 });
	await ask();
	expect(sentAt).toEqual([0, 120_000]);
});

test('no response is a failure that names how', async () => {
	const request: ApiRequest = { ...get, method: 'POST' };
	await expect(scene([lost]).ask(request)).rejects.toMatchObject({
		cause: 'unconfirmed',
		status: undefined,
		errors: [{ code: 'ECONNRESET' }],
	});
});

test.each([429, 503])(
	'a pause after %d that is longer than anybody waits is a failure with its end',
	async (code) => {
		const { ask, sentAt, start } = scene([status(code, { 'retry-after': '121' })]);
		await expect(ask()).rejects.toMatchObject({ status: code, retryAt: start + 121_000 });
		expect(sentAt).toHaveLength(1);
		const shorter = scene([status(code, { 'retry-after': '120' }), status(200)]);
		await shorter.ask();
		expect(shorter.sentAt).toEqual([0, 120_000]);
	},
);

test('nobody waits beyond the deadline', async () => {
	const { ask, client, start, sentAt } = scene([status(429, { 'retry-after': '3' }), status(200)]);
	const { usage } = client;
	await expect(ask({ ...get, deadlineAtMs: start + 2_999 })).rejects.toMatchObject({
		cause: 'rate_limited',
	});
	expect(sentAt).toHaveLength(1);
	const enough = scene([status(429, { 'retry-after': '3' }), status(200)]);
	await enough.ask({ ...get, deadlineAtMs: enough.start + 3_000 });
	expect(enough.sentAt).toEqual([0, 3_000]);
	expect(enough.client.usage).toMatchObject({ requests: 2, waits: 1 });
	expect(usage).not.toHaveProperty('waits');
});

test('it is counted how often the platform makes a run wait, and failures are not', async () => {
	const rateLimited = status(429, { 'retry-after': '3' });
	const { client, clock } = scene([
		rateLimited,
		rateLimited,
		status(200),
		status(500),
		rateLimited,
		status(200),
	]);
	await clock.run(Promise.all([client.send(get), client.send(get)]));
	expect(client.usage).toMatchObject({ requests: 6, waits: 3 });
});

test('a run that was cancelled sends nothing, and its queue hears of it', async () => {
	const { ask, sentAt, heard } = scene([status(200)], { signal: AbortSignal.abort() });
	await expect(ask()).rejects.toThrow('The run was cancelled');
	expect([sentAt, heard]).toEqual([[], [true]]);
});
