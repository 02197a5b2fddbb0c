import { normalizeId } from '../client/path';
import { readJob } from '../dialect/jobs';
import { idOf } from '../records/record';
import { containsPart } from '../values/text';
import { eventTypeOf, type Delivery } from './eventTypes';
import type { SessionFacts } from './sessionFacts';

/** The conditions that an event has to meet to start the workflow. An absent one, or an empty list, is met by any event. */
export interface Filters {
	jobIds: readonly string[];
	needsFailedTasks: boolean;
	sessionId?: string;
	eventId?: string;
	/** A part of the title of the event, letter case aside. */
	eventTitleContains?: string;
}

/** The title is not looked at here: `hasTitleOfFilter` decides about it. */
export function isWithinFilters({ eventType, record }: Delivery, filters: Filters): boolean {
	const { jobIds, needsFailedTasks, sessionId, eventId } = filters;
	const { type } = eventTypeOf(eventType);
	// Section 2.1: a job names neither its session nor its event.
	if (type === 'jobs') {
		if (jobIds.length > 0 && !jobIds.map(normalizeId).includes(record.id)) return false;
		const { failed, status } = readJob(record) ?? {};
		// Section 3.1: a job with a failed task ends as failed.
		return !needsFailedTasks || (failed === undefined ? status !== 'ended' : failed > 0);
	}
	const isOf = (name: 'session' | 'event', id: string | undefined) =>
		id === undefined || idOf(name, record) === normalizeId(id);
	// An event has many sessions, so it belongs to none.
	return (type === 'events' || isOf('session', sessionId)) && isOf('event', eventId);
}

/** Whether the title of its event fits. A job names no event. `facts`: what is known of the session; absent where nothing is. */
export function hasTitleOfFilter(
	{ eventType, record }: Delivery,
	facts: Pick<SessionFacts, 'event_title'> | undefined,
	filters: Filters,
): boolean {
	const { type } = eventTypeOf(eventType);
	if (type === 'jobs') return true;
	const title = type === 'events' ? record.attributes.title : facts?.event_title;
	return fitsTitle(title, filters);
}

export function fitsTitle(title: unknown, { eventTitleContains }: Filters): boolean {
	return eventTitleContains === undefined || containsPart(title, eventTitleContains);
}
