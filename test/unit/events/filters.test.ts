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

interface FilteredDelivery {
	what: string;
	delivery: Delivery;
	filters: Partial<Filters>;
}

const matching: FilteredDelivery[] = [
	{ what: 'anything without a filter', delivery: event('poll.closed', 'polls'), filters: {} },
	{ what: 'a listed job', delivery: job(), filters: { jobIds: ['y', 'x'] } },
	{
		what: 'jobs, whatever session and event say',
		delivery: job(),
		filters: { sessionId: 's', eventId: 'e' },
	},
	{
		what: 'a job with failures',
		delivery: job({ status: 'failed', total_fail: 1 }),
		filters: failing,
	},
	{ what: 'a failed job without counts', delivery: job({ status: 'failed' }), filters: failing },
	{ what: 'the session itself', delivery: session, filters: { sessionId: 'x' } },
	{ what: 'a session of the event', delivery: session, filters: { eventId: 'e' } },
	{
		what: 'a person of the session',
		delivery: person({ session_id: 's' }),
		filters: { sessionId: 's' },
	},
	{ what: 'a person of the event', delivery: person({ event_id: 'e' }), filters: { eventId: 'e' } },
	{
		what: 'the event itself',
		delivery: event('event.published', 'events'),
		filters: { eventId: 'x', sessionId: 's' },
	},
	{
		what: 'a related session',
		delivery: event('session.created', 'sessions', {}, ofEvent),
		filters: { eventId: 'e' },
	},
];

const leftOut: FilteredDelivery[] = [
	{ what: 'a job that is not listed', delivery: job(), filters: { jobIds: ['y'] } },
	{ what: 'a job without', delivery: job({ status: 'ended', total_fail: 0 }), filters: failing },
	{ what: 'an ended job without counts', delivery: job({ status: 'ended' }), filters: failing },
	{ what: 'another session', delivery: session, filters: { sessionId: 'y' } },
	{
		what: 'a person of another session',
		delivery: person({ session_id: 's' }),
		filters: { sessionId: 't' },
	},
];

test.each(matching)('$what lies within the filters', ({ delivery, filters }) => {
	expect(isWithinFilters(delivery, { ...noFilters, ...filters })).toBe(true);
});

test.each(leftOut)('$what does not lie within the filters', ({ delivery, filters }) => {
	expect(isWithinFilters(delivery, { ...noFilters, ...filters })).toBe(false);
});

interface FilteredTitle {
	what: string;
	eventType: string;
	title?: unknown;
	eventTitleContains: string;
}

const fittingTitles: FilteredTitle[] = [
	{ what: 'any title without a filter', eventType: 'session.ended', eventTitleContains: '' },
	{
		what: 'a title with the text, letter case aside',
		eventType: 'people.registered',
		title: 'Our WEBINAR',
		eventTitleContains: 'webinar',
	},
	{ what: 'jobs, which have no event', eventType: 'job.ended', eventTitleContains: 'webinar' },
];

const otherTitles: FilteredTitle[] = [
	{
		what: 'another title',
		eventType: 'people.registered',
		title: 'Our party',
		eventTitleContains: 'webinar',
	},
	{
		what: 'a title that is not there',
		eventType: 'session.ended',
		title: null,
		eventTitleContains: 'webinar',
	},
];

test.each(fittingTitles)('a text in the title lets pass: $what', (delivery) => {
	const { eventType, title, eventTitleContains } = delivery;
	expect(hasTitleOfFilter(eventType, title, { ...noFilters, eventTitleContains })).toBe(true);
});

test.each(otherTitles)('a text in the title does not let pass: $what', (delivery) => {
	const { eventType, title, eventTitleContains } = delivery;
	expect(hasTitleOfFilter(eventType, title, { ...noFilters, eventTitleContains })).toBe(false);
});
