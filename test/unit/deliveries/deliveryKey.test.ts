import { deliveryKey } from '../../../nodes/EventPlatform/core/deliveries/delivery';
import type { Delivery } from '../../../nodes/EventPlatform/core/deliveries/record';

function event(kind: string, id: string, attributes: object = {}): Delivery {
	const record = {
		type: 'x',
		id,
		attributes: attributes as Record<string, string>,
		relationships: {},
	};
	return { kind, record };
}

describe('an event is recognised', () => {
	const person = (session: string, more = {}) => ({
		registrant_detail: { session_id: session, created_at: 1, updated_at: 1, ...more },
	});

	test.each([
		[
			'a job, whatever the counts say',
			event('job.ended', 'a', { status: 'ended' }),
			event('job.ended', 'a'),
		],
		[
			'a session that started, when the number of people changed',
			event('session.started', 'a', { started_at: 5, attendees_count: 1 }),
			event('session.started', 'a', { started_at: 5, attendees_count: 9 }),
		],
		[
			'a registration without a time, however its record is rendered',
			event('people.registered', 'a', {
				...person('s', { created_at: 0 }),
				created_at: 5,
				role: 'x',
			}),
			event('people.registered', 'a', { registrant_detail: { session_id: 's' }, created_at: '5' }),
		],
		[
			'a kind that nobody knows, with its fields in another order',
			event('poll.closed', 'a', { votes: 1, open: [{ a: 1, b: 2 }] }),
			event('poll.closed', 'a', { open: [{ b: 2, a: 1 }], votes: 1 }),
		],
	])('%s', (_, one, other) => expect(deliveryKey(one)).toBe(deliveryKey(other)));

	test.each([
		['another job', event('job.ended', 'a'), event('job.ended', 'b')],
		['another kind', event('people.attended', 'a'), event('people.not_attended', 'a')],
		[
			'the same person in another session',
			event('people.registered', 'a', person('s')),
			event('people.registered', 'a', person('t')),
		],
		[
			'the same person, where no session is named and something changed',
			event('people.registered', 'a', { updated_at: 1 }),
			event('people.registered', 'a', { updated_at: 2 }),
		],
		[
			'the same person, registered again after unregistering',
			event('people.registered', 'a', person('s')),
			event('people.registered', 'a', person('s', { created_at: 2 })),
		],
		[
			'the same session, started again',
			event('session.started', 'a', { started_at: 1 }),
			event('session.started', 'a', { started_at: 2 }),
		],
		[
			'a replay watched again',
			event('people.watched_replay', 'a', person('s')),
			event('people.watched_replay', 'a', person('s', { updated_at: 2 })),
		],
		[
			'a kind that nobody knows, with something else in it',
			event('poll.closed', 'a', { votes: 1 }),
			event('poll.closed', 'a', { votes: 2 }),
		],
	])('and told from %s', (_, one, other) => expect(deliveryKey(one)).not.toBe(deliveryKey(other)));
});
