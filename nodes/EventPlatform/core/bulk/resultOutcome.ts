import type { TaskResult } from '../jobs/taskResult';
import { isRegisteredSince, type ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';
import type { Job } from './job';

/** The facts that the list of who is registered shows of a person, and the clock behind its times. */
export interface ListLookup {
	/** Absent: the list does not show the person. */
	person?: ListedPerson;
	/** How many milliseconds our clock is ahead of the platform's; absent where no response had a date. */
	clockAheadMs?: number;
}

/** The outcome of a person with this result. `lookup`: what the list of who is registered shows, once it was read. */
export function outcomeOfResult(
	{ id: jobId, lostAt }: Pick<Job, 'id' | 'lostAt'>,
	{ status, person, reasons, isByWords }: TaskResult,
	lookup?: ListLookup,
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, reasons };
	const { person: listed, clockAheadMs } = lookup ?? {};
	const outcome: Outcome = { status, jobId, person: listed?.person, reasons };
	// The list does not show the person, and only words said that it would.
	if (lookup && !listed && isByWords) return { ...outcome, status: 'failed' };
	if (lostAt === undefined) return outcome;
	// An earlier attempt whose response got lost has registered the person: the record is younger than the attempt.
	const isByThisRun =
		listed !== undefined &&
		clockAheadMs !== undefined &&
		isRegisteredSince(listed, lostAt - clockAheadMs);
	if (isByThisRun) return { ...outcome, status: 'registered', reasons: [] };
	const isByAnotherRun = listed?.registeredAt !== undefined && clockAheadMs !== undefined;
	return isByAnotherRun ? outcome : { ...outcome, reasons: [...reasons, ownReason('answer_lost')] };
}
