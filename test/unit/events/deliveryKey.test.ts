import { deliveryKey } from '../../../nodes/EventPlatform/core/events/delivery';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

type Event = [eventType: string, attributes?: JsonObject, id?: string];

const keyOf = ([eventType, attributes = {}, id = 'a']: Event) =>
	deliveryKey({ eventType, record: { type: 'x', id, attributes, relationships: {} } });

const person = (session: string, more = {}): JsonObject => {
	return { registrant_detail: { session_id: session, created_at: 1, updated_at: 1, ...more } };
};
const registered = (attributes: JsonObject): Event => ['people.registered', attributes];
const started = (attributes: JsonObject): Event => ['session.started', attributes];
const closed = (attributes: JsonObject): Event => ['poll.closed', attributes];

test.each<[string, ...Event[]]>([
	['a job, whatever the counts say', ['job.ended', { status: 'ended' }], ['job.ended']],
	[
		'a session that started, when the number of people changed',
		...[1, 9].map((attendees_count) => started({ started_at: 5, attendees_count })),
	],
	[
		'a registration without a time, however its record is rendered',
		registered({ ...person('s', { created_at: 0 }), created_at: 5, role: 'x' }),
		registered({ registrant_detail: { session_id: 's' }, created_at: '5' }),
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
		...[person('s'), person('t'), person('s', { created_at: 2 })].map(registered),
		...[1, 2].map((updated_at) => registered({ updated_at })),
	],
	['the same session, started again', started({ started_at: 1 }), started({ started_at: 2 })],
	[
		'a replay watched again',
		['people.watched_replay', person('s')],
		['people.watched_replay', person('s', { updated_at: 2 })],
	],
	[
		'a replay that has neither a session nor a time, with something else in it',
		...[1, 2].map((minutes): Event => ['people.watched_replay', { minutes }]),
	],
	['an unknown eventType with something else in it', closed({ votes: 1 }), closed({ votes: 2 })],
])('an event is told from %s', (_, ...events) => {
	expect(new Set(events.map(keyOf)).size).toBe(events.length);
});
