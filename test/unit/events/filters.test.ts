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

test.each<[what: string, isWithin: boolean, Delivery, Partial<Filters>]>([
	['anything without a filter', true, event('poll.closed', 'polls'), {}],
	['a listed job', true, job(), { jobIds: ['y', 'x'] }],
	['a job that is not listed', false, job(), { jobIds: ['y'] }],
	['jobs, whatever session and event say', true, job(), { sessionId: 's', eventId: 'e' }],
	['a job with failures', true, job({ status: 'failed', total_fail: 1 }), failing],
	['a job without', false, job({ status: 'ended', total_fail: 0 }), failing],
	['a failed job without counts', true, job({ status: 'failed' }), failing],
	['an ended job without counts', false, job({ status: 'ended' }), failing],
	['the session itself', true, session, { sessionId: 'x' }],
	['another session', false, session, { sessionId: 'y' }],
	['a session of the event', true, session, { eventId: 'e' }],
	['a related session', true, event('session.created', 'sessions', {}, ofEvent), { eventId: 'e' }],
	['a person of the session', true, person({ session_id: 's' }), { sessionId: 's' }],
	['a person of another session', false, person({ session_id: 's' }), { sessionId: 't' }],
	['a person of the event', true, person({ event_id: 'e' }), { eventId: 'e' }],
	['the event itself', true, event('event.published', 'events'), { eventId: 'x', sessionId: 's' }],
])('%s lies within the filters: %s', (_, isWithin, delivery, filters) => {
	expect(isWithinFilters(delivery, { ...noFilters, ...filters })).toBe(isWithin);
});

interface SessionTitle {
	event_title: string | null;
}

const ours: SessionTitle = { event_title: 'Our WEBINAR' };
const published = (title: string) => event('event.published', 'events', { title });

test.each<[what: string, isPassing: boolean, Delivery, facts: SessionTitle | undefined]>([
	['a title with the text, letter case aside', true, person({}), ours],
	['a job, which has no event', true, job(), undefined],
	['another title', false, person({}), { event_title: 'Our party' }],
	['a title that is not there', false, session, { event_title: null }],
	['a session of which nothing is known', false, session, undefined],
	['the event itself', true, published('A webinar'), undefined],
	['another event', false, published('A party'), ours],
])('a text in the title lets %s pass: %s', (_, isPassing, delivery, facts) => {
	const filters = { ...noFilters, eventTitleContains: 'webinar' };
	expect(hasTitleOfFilter(delivery, facts, filters)).toBe(isPassing);
	expect(hasTitleOfFilter(delivery, facts, noFilters)).toBe(true);
});
