import type { JsonObject } from '../http/ports';
import { subjectOf, sessionOf, eventOf, type Delivery } from './delivery';

/** What has to be true of an event to start the workflow; empty means any. */
export interface Filters {
	jobIds: readonly string[];
	onlyWithFailures: boolean;
	sessionId: string;
	eventId: string;
}

export function passes({ kind, record }: Delivery, filters: Filters): boolean {
	const subject = subjectOf(kind);
	if (subject === 'job') return passesForJobs({ kind, record }, filters);
	const { sessionId, eventId } = filters;
	const isOfEvent = eventId === '' || eventOf(record) === eventId;
	// An event has many sessions, so it belongs to none.
	const isOfSession = sessionId === '' || subject === 'event' || sessionOf(record) === sessionId;
	return isOfEvent && isOfSession;
}

function passesForJobs({ record }: Delivery, { jobIds, onlyWithFailures }: Filters): boolean {
	if (jobIds.length > 0 && !jobIds.includes(record.id)) return false;
	return !onlyWithFailures || mayHaveFailures(record.attributes);
}

/** Section 3.1: a job with a failed task ends as failed. */
function mayHaveFailures({ status, total_fail: fails, total_failed: failed }: JsonObject): boolean {
	const count = fails ?? failed;
	return typeof count === 'number' ? count > 0 : status !== 'ended';
}
