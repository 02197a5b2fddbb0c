import type { TaskResult } from '../jobs/taskResult';
import { isRegisteredSince, type ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';
import type { Job } from './job';

/** The facts about a person that the list of registered people shows, and how our clock differs from that of its times. */
export interface ListLookup {
	/** The person in the list. Absent: the list does not show the person. */
	person?: ListedPerson;
	/** How many milliseconds our clock is ahead of the platform's; absent where no response had a date. */
	clockAheadMs?: number;
}

/** Gives the outcome of a person with this result. `lookup`: the facts that the list of registered people shows. Absent: the list was not read. */
export function outcomeOfResult(
	{ id: jobId, lostAt }: Pick<Job, 'id' | 'lostAt'>,
	{ status, person, reasons, isByWords }: TaskResult,
	lookup?: ListLookup,
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, reasons };
	const { person: listedPerson, clockAheadMs } = lookup ?? {};
	const outcome: Outcome = { status, jobId, person: listedPerson?.person, reasons };
	// Only words said that the person is registered already, and the list does not show the person.
	if (lookup && !listedPerson && isByWords) return { ...outcome, status: 'failed' };
	if (lostAt === undefined) return outcome;
	// Where the record is younger than an attempt whose response got lost, that attempt has registered the person.
	const isByThisRun =
		listedPerson !== undefined &&
		clockAheadMs !== undefined &&
		isRegisteredSince(listedPerson, lostAt - clockAheadMs);
	if (isByThisRun) return { ...outcome, status: 'registered', reasons: [] };
	const isByAnotherRun = listedPerson?.registeredAt !== undefined && clockAheadMs !== undefined;
	return isByAnotherRun ? outcome : { ...outcome, reasons: [...reasons, ownReason('answer_lost')] };
}
