import { asSpelled } from '../http/path';
import { readJob } from '../jobs/jobState';
import type { Delivery } from './delivery';
import { kindOf, type Subject } from './kinds';
import { eventOf, sessionOf, type DeliveredRecord } from './record';

/** What has to be true of an event to start the workflow; empty means any. */
export interface Filters {
	jobIds: readonly string[];
	onlyWithFailures: boolean;
	sessionId: string;
	eventId: string;
}

export function passes({ kind, record }: Delivery, filters: Filters): boolean {
	return passesFor(kindOf(kind).subject, record, filters);
}

/** For a record that something may happen to. */
export function passesFor(
	subject: Subject | undefined,
	record: DeliveredRecord,
	filters: Filters,
): boolean {
	// Section 2.1: a job names neither its session nor its event.
	if (subject === 'job') return passesForJobs(record, filters);
	const { sessionId, eventId } = filters;
	const isOfEvent = eventId === '' || eventOf(record) === asSpelled(eventId);
	// An event has many sessions, so it belongs to none.
	const isOfSession =
		sessionId === '' || subject === 'event' || sessionOf(record) === asSpelled(sessionId);
	return isOfEvent && isOfSession;
}

function passesForJobs(
	record: DeliveredRecord,
	{ jobIds, onlyWithFailures }: Pick<Filters, 'jobIds' | 'onlyWithFailures'>,
): boolean {
	if (jobIds.length > 0 && !jobIds.map(asSpelled).includes(record.id)) return false;
	return !onlyWithFailures || mayHaveFailures(record);
}

/** Section 3.1: a job with a failed task ends as failed. */
function mayHaveFailures(record: DeliveredRecord): boolean {
	const job = readJob(record);
	return job?.failed === undefined ? job?.status !== 'ended' : job.failed > 0;
}
