import { deliveryKey } from '../../../nodes/EventPlatform/core/deliveries/delivery';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

type Event = [kind: string, attributes?: JsonObject, id?: string];

const keyOf = ([kind, attributes = {}, id = 'a']: Event) =>
	deliveryKey({ kind, record: { type: 'x', id, attributes, relationships: {} } });

const person = (session: string, more = {}) => ({
	registrant_detail: { session_id: session, created_at: 1, updated_at: 1, ...more },
});

test.each<[string, ...Event[]]>([
	['a job, whatever the counts say', ['job.ended', { status: 'ended' }], ['job.ended']],
	[
		'a session that started, when the number of people changed',
		['session.started', { started_at: 5, attendees_count: 1 }],
		['session.started', { started_at: 5, attendees_count: 9 }],
	],
	[
		'a registration without a time, however its record is rendered',
		['people.registered', { ...person('s', { created_at: 0 }), created_at: 5, role: 'x' }],
		['people.registered', { registrant_detail: { session_id: 's' }, created_at: '5' }],
	],
	[
		'a kind that nobody knows, with its fields in another order',
		['poll.closed', { votes: 1, open: [{ a: 1, b: 2 }] }],
		['poll.closed', { open: [{ b: 2, a: 1 }], votes: 1 }],
	],
])('an event is recognised: %s', (_, ...events) => {
	expect(new Set(events.map(keyOf)).size).toBe(1);
});

test.each<[string, ...Event[]]>([
	['another job', ['job.ended'], ['job.ended', {}, 'b']],
	['another kind', ['people.attended'], ['people.not_attended']],
	[
		'another session, or another time, of the same person',
		['people.registered', person('s')],
		['people.registered', person('t')],
		['people.registered', person('s', { created_at: 2 })],
		['people.registered', { updated_at: 1 }],
		['people.registered', { updated_at: 2 }],
	],
	[
		'the same session, started again',
		['session.started', { started_at: 1 }],
		['session.started', { started_at: 2 }],
	],
	[
		'a replay watched again',
		['people.watched_replay', person('s')],
		['people.watched_replay', person('s', { updated_at: 2 })],
	],
	[
		'a kind that nobody knows, with something else in it',
		['poll.closed', { votes: 1 }],
		['poll.closed', { votes: 2 }],
	],
])('an event is told from %s', (_, ...events) => {
	expect(new Set(events.map(keyOf)).size).toBe(events.length);
});
