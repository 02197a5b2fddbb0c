import type { Delivery } from '../../../nodes/EventPlatform/core/deliveries/record';
import { passes, type Filters } from '../../../nodes/EventPlatform/core/deliveries/kinds';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const none: Filters = { jobIds: [], onlyWithFailures: false, sessionId: '', eventId: '' };

function event(
	kind: string,
	type: string,
	attributes: JsonObject = {},
	relationships = {},
): Delivery {
	return { kind, record: { type, id: 'x', attributes, relationships } };
}
const job = (attributes: JsonObject) => event('job.ended', 'jobs', attributes);
const session = (of: string) => event('session.ended', 'sessions', { event_id: of });
const person = (detail: JsonObject) =>
	event('people.registered', 'people', { registrant_detail: detail });

test.each<[string, Delivery, Partial<Filters>, boolean]>([
	['anything without a filter', event('poll.closed', 'polls'), {}, true],
	['a listed job', job({}), { jobIds: ['y', 'x'] }, true],
	['a job that is not listed', job({}), { jobIds: ['y'] }, false],
	['jobs, whatever session and event say', job({}), { sessionId: 's', eventId: 'e' }, true],
	[
		'a job with failures',
		job({ status: 'failed', total_fail: 1 }),
		{ onlyWithFailures: true },
		true,
	],
	['a job without', job({ status: 'ended', total_fail: 0 }), { onlyWithFailures: true }, false],
	['an ended job without counts', job({ status: 'ended' }), { onlyWithFailures: true }, false],
	['a failed job without counts', job({ status: 'failed' }), { onlyWithFailures: true }, true],
	['the session itself', session('e'), { sessionId: 'x' }, true],
	['another session', session('e'), { sessionId: 'y' }, false],
	['a session of the event', session('e'), { eventId: 'e' }, true],
	['a session of another event', session('e'), { eventId: 'f' }, false],
	['a person of the session', person({ session_id: 's' }), { sessionId: 's' }, true],
	['a person of another session', person({ session_id: 's' }), { sessionId: 't' }, false],
	['a person of the event', person({ event_id: 'e' }), { eventId: 'e' }, true],
	['the event itself', event('event.published', 'events'), { eventId: 'x', sessionId: 's' }, true],
	[
		'a session by its relationship',
		event('session.created', 'sessions', {}, { event: { data: { type: 'events', id: 'e' } } }),
		{ eventId: 'e' },
		true,
	],
])('%s', (_, delivery, filters, expected) =>
	expect(passes(delivery, { ...none, ...filters })).toBe(expected),
);
