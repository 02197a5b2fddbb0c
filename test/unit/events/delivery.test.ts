import * as fc from 'fast-check';
import { readDelivery } from '../../../nodes/EventPlatform/core/events/delivery';
import { deliveryKey } from '../../../nodes/EventPlatform/core/events/eventKey';
import { hasOwnId } from '../../../nodes/EventPlatform/core/records/record';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const job = { type: 'jobs', id: 'j-1', attributes: { status: 'ended', total_items: 2 } };
const meta = (event: string) => ({ webhook: { event, organization_id: 'o-1' } });
const person = { type: 'people', id: 'p-1' };
const poll = { type: 'polls', id: 'p-1', meta: meta('poll.closed') };
const replay = 'people.watched_replay';

const read = (body: unknown, chosen: string[], named?: unknown) =>
	readDelivery(body, { chosen, named });
/** The event type that a delivery is read as, or why it is not read as an event. */
const kindRead = (...parameters: Parameters<typeof read>) => {
	const reading = read(...parameters);
	return 'kind' in reading ? reading.kind : reading.eventType;
};

test('the form of the specification is read: the job as GET /jobs/:id shows it', () => {
	const delivery = { eventType: 'job.ended', record: { ...job, relationships: {} } };
	expect(read(job, ['job.ended'])).toEqual(delivery);
});

test.each([
	['a job in data', { data: job }, ['job.ended'], 'job.ended'],
	['meta inside data', { data: { ...job, meta: meta('job.ended') } }, [], 'job.ended'],
	['a eventType without a name', { data: { ...job, meta: meta('') } }, [], 'job.ended'],
	['meta in a flat record', { ...job, meta: meta('job.ended') }, [], 'job.ended'],
	['a eventType that nobody knows yet', { data: poll }, ['poll.closed'], 'poll.closed'],
	['no eventType, where one can be meant', { data: person }, ['job.ended', replay], replay],
	['no type, where one eventType is chosen', { id: 'p-1' }, [replay], replay],
	[
		'a type of its own, where one eventType is chosen',
		{ ...person, type: 'guests' },
		[replay],
		replay,
	],
])('read: %s', (_, body, eventTypes, eventType) => {
	expect(read(body, eventTypes)).toMatchObject({ eventType });
});

describe('the event type that the URL names', () => {
	const started = 'session.started';
	const ended = 'session.ended';
	const session = { data: { type: 'sessions', id: 's-1', attributes: {} } };
	const stated = { data: { ...session.data, meta: meta(started) } };

	/** How a delivery differs from a session that says no event type, whose URL names that it ended. */
	interface NamedDelivery {
		body?: unknown;
		chosen?: string[];
		/** The value that the URL gives for the event type. */
		named?: unknown;
	}

	test.each<[rule: string, read: string, NamedDelivery]>([
		['decides where the delivery says none', ended, {}],
		['decides about what has no type', ended, { body: { id: 's-1' } }],
		['does not decide against the delivery', started, { body: stated }],
		['has to be a chosen one', 'event_not_chosen', { chosen: [started] }],
		['has to be one', 'event_not_chosen', { named: [started, ended] }],
		['has to be a text', 'event_not_chosen', { named: { of: ended } }],
		['has to fit the record', 'event_not_chosen', { body: person }],
		['may fit a type that nobody knows', ended, { body: { ...person, type: 'x' } }],
		[
			'may be one that nobody knows',
			'poll.closed',
			{ body: person, chosen: [started, 'poll.closed'], named: 'poll.closed' },
		],
		['may be empty, as if it were not there', 'ambiguous', { named: '' }],
	])('%s: %s', (_, kind, { body = session, chosen = [started, ended], named = ended }) => {
		expect(kindRead(body, chosen, named)).toBe(kind);
	});

	test('is missed where two can be meant, and these are told', () => {
		expect(read(session, ['job.ended', started, ended])).toEqual({
			kind: 'ambiguous',
			candidates: [started, ended],
		});
	});
});

describe('a delivery of another shape', () => {
	const email = 'ada@example.org';

	test.each<[string, unknown, JsonObject]>([
		['without an id and a type', { email }, { email }],
		['without an id', { data: { type: 'people', attributes: { email } } }, { email }],
		['with an id that cannot be one', { ...person, id: '../webhooks', email }, { email }],
		['that is a list', [person], { body: [person] }],
		['that is a text', 'watched', { body: 'watched' }],
		['that is null', null, { body: null }],
	])('%s is a record with a made id', (_, body, attributes) => {
		const reading = read(body, [replay]);
		expect(reading).toMatchObject({ eventType: replay, record: { attributes } });
		expect('record' in reading && hasOwnId(reading.record)).toBe(false);
	});

	test('is known again by its body, whatever the order of its members', () => {
		const idOf = (body: object) => {
			const reading = read(body, [replay]);
			return 'record' in reading ? reading.record.id : undefined;
		};
		const id = idOf({ a: 1, b: { c: 2, d: 3 } });
		expect(idOf({ b: { d: 3, c: 2 }, a: 1 })).toBe(id);
		expect(idOf({ a: 1, b: { c: 2 } })).not.toBe(id);
	});

	test('is a record where it states its eventType', () => {
		const body = { person: 'Ada', meta: meta(replay) };
		expect(kindRead(body, [replay, 'job.ended'])).toBe(replay);
		expect(kindRead({ data: body }, [replay, 'job.ended'])).toBe(replay);
	});

	test.each<[string, unknown, string[], string]>([
		[
			'an ended job, whose payload is specified',
			{ status: 'ended' },
			['job.ended'],
			'not_an_event',
		],
		['a record of another type', { type: 'sessions' }, [replay], 'not_an_event'],
		['what may be of two eventTypes', { a: 1 }, [replay, 'people.attended'], 'ambiguous'],
	])('is none as %s', (_, body, chosen, because) => expect(kindRead(body, chosen)).toBe(because));

	test('whose fields stand beside its id is a record with these attributes', () => {
		const body = { id: 'p-1', email: 'ada@example.org', session_id: 's-1', meta: meta(replay) };
		const { id, email, session_id } = body;
		const record = { type: 'people', id, attributes: { email, session_id }, relationships: {} };
		expect(read(body, [])).toEqual({ eventType: replay, record });
	});
});

test.each([
	['a list', [job]],
	['no id', { ...job, id: undefined }],
	['an id that climbs out of the path', { ...job, id: '../webhooks' }],
	['an id of dots', { ...job, id: '..' }],
	['an id with a line break', { ...job, id: 'j-1\n' }],
	['an endless id', { ...job, id: 'j'.repeat(129) }],
	['no type', { id: 'j-1', attributes: {} }],
	['no eventType, where two can be meant', { data: person }],
	['a type that every object has', { data: { type: 'constructor', id: 'p-1' } }],
	['a eventType that is no text', { data: { ...person, meta: { webhook: { event: 1 } } } }],
])('not read as an event: %s', (_, body) =>
	expect(read(body, ['people.registered', 'people.attended'])).toHaveProperty('kind'),
);

test('nothing makes the reader throw, and what it reads has an id that is safe in a path', () => {
	const almost = fc.record(
		{ type: fc.anything(), id: fc.anything(), attributes: fc.anything(), meta: fc.anything() },
		{ requiredKeys: [] },
	);
	const wrapped = fc.record({ data: fc.oneof(almost, fc.anything()) });
	const bodies = fc.oneof(fc.anything(), almost, wrapped);
	fc.assert(
		fc.property(bodies, (body) => {
			const reading = read(body, ['people.registered']);
			return 'kind' in reading || /^[\w-]{1,128}$/.test(reading.record.id);
		}),
		{ numRuns: 2_000 },
	);
});

describe('the key of an event', () => {
	type Event = [eventType: string, attributes?: JsonObject, id?: string];

	const keyOf = ([eventType, attributes = {}, id = 'a']: Event) =>
		deliveryKey({ eventType, record: { type: 'x', id, attributes, relationships: {} } });

	const [at, later] = [1_800_000_001, 1_800_000_002];
	const person = (session: string, more = {}): JsonObject => {
		return { registrant_detail: { session_id: session, created_at: at, updated_at: at, ...more } };
	};
	const registered = (attributes: JsonObject): Event => ['people.registered', attributes];
	const started = (attributes: JsonObject): Event => ['session.started', attributes];
	const closed = (attributes: JsonObject): Event => ['poll.closed', attributes];

	test.each<[string, ...Event[]]>([
		['a job, whatever the counts say', ['job.ended', { status: 'ended' }], ['job.ended']],
		[
			'a session that started, when the number of people changed',
			...[1, 9].map((attendees_count) => started({ started_at: at, attendees_count })),
		],
		[
			'a registration without a time, however its record is rendered',
			registered({ ...person('s', { created_at: 0 }), created_at: at, role: 'x' }),
			registered({ registrant_detail: { session_id: 's' }, created_at: at }),
		],
		[
			'a eventType that nobody knows, with its fields in another order',
			closed({ votes: 1, open: [{ a: 1, b: 2 }] }),
			closed({ open: [{ b: 2, a: 1 }], votes: 1 }),
		],
	])('an event is recognised: %s', (_, ...events) => {
		expect(new Set(events.map(keyOf)).size).toBe(1);
	});

	test.each<[string, ...Event[]]>([
		['another job', ['job.ended'], ['job.ended', {}, 'b']],
		['another eventType', ['people.attended'], ['people.not_attended']],
		[
			'another session, or another time, of the same person',
			...[person('s'), person('t'), person('s', { created_at: later })].map(registered),
			...[at, later].map((updated_at) => registered({ updated_at })),
		],
		[
			'the same session, started again',
			started({ started_at: at }),
			started({ started_at: later }),
		],
		[
			'a replay that has neither a session nor a time, with something else in it',
			...[1, 2].map((minutes): Event => ['people.watched_replay', { minutes }]),
		],
		['an unknown eventType with something else in it', closed({ votes: 1 }), closed({ votes: 2 })],
	])('an event is told from %s', (_, ...events) => {
		expect(new Set(events.map(keyOf)).size).toBe(events.length);
	});
});
