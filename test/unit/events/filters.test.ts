import type { Delivery } from '../../../nodes/EventPlatform/core/events/eventTypes';
import {
	hasTitleOfFilter,
	isWithinFilters,
	type Filters,
} from '../../../nodes/EventPlatform/core/events/filters';
import { noFilters } from '../../support/runs/filters';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const event = (
	eventType: string,
	type: string,
	attributes: JsonObject = {},
	relationships = {},
) => {
	return { eventType, record: { type, id: 'x', attributes, relationships } };
};
const job = (attributes: JsonObject = {}) => event('job.ended', 'jobs', attributes);
const session = event('session.ended', 'sessions', { event_id: 'e' });
const ofEvent = { event: { data: { type: 'events', id: 'e' } } };
const person = (detail: JsonObject) =>
	event('people.registered', 'people', { registrant_detail: detail });
const failing = { needsFailedTasks: true };

test.each<[string, Delivery, Partial<Filters>, boolean]>([
	['anything without a filter', event('poll.closed', 'polls'), {}, true],
	['a listed job', job(), { jobIds: ['y', 'x'] }, true],
	['a job that is not listed', job(), { jobIds: ['y'] }, false],
	['jobs, whatever session and event say', job(), { sessionId: 's', eventId: 'e' }, true],
	['a job with failures', job({ status: 'failed', total_fail: 1 }), failing, true],
	['a job without', job({ status: 'ended', total_fail: 0 }), failing, false],
	['an ended job without counts', job({ status: 'ended' }), failing, false],
	['a failed job without counts', job({ status: 'failed' }), failing, true],
	['the session itself', session, { sessionId: 'x' }, true],
	['another session', session, { sessionId: 'y' }, false],
	['a session of the event', session, { eventId: 'e' }, true],
	['a person of the session', person({ session_id: 's' }), { sessionId: 's' }, true],
	['a person of another session', person({ session_id: 's' }), { sessionId: 't' }, false],
	['a person of the event', person({ event_id: 'e' }), { eventId: 'e' }, true],
	['the event itself', event('event.published', 'events'), { eventId: 'x', sessionId: 's' }, true],
	['a related session', event('session.created', 'sessions', {}, ofEvent), { eventId: 'e' }, true],
])('%s', (_, delivery, filters, expected) =>
	expect(isWithinFilters(delivery, { ...noFilters, ...filters })).toBe(expected),
);

test.each<[string, string, unknown, string, boolean]>([
	['any title without a filter', 'session.ended', undefined, '', true],
	['a title with the text, letter case aside', 'people.registered', 'Our WEBINAR', 'webinar', true],
	['another title', 'people.registered', 'Our party', 'webinar', false],
	['a title that is not there', 'session.ended', null, 'webinar', false],
	['jobs, which have no event', 'job.ended', undefined, 'webinar', true],
])('a text in the title lets pass: %s', (_, eventType, title, eventTitleContains, expected) =>
	expect(hasTitleOfFilter(eventType, title, { ...noFilters, eventTitleContains })).toBe(expected),
);
