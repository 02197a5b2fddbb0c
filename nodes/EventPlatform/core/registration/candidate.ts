import type { Failure } from '../client/failure';
import type { ListedPerson } from '../people/findPeople';
import type { Outcome } from '../people/outcome';
import type { Row } from '../people/registration';
import type { Ms } from '../values/units';

/** A person of a run, from the row that came in to what became of it. */
export interface Candidate {
	readonly row: Row;
	/** The number of the row in the list, counted from 1. Absent: the person is not on the list. */
	readonly rowNumber?: number;
	/** The person of the earlier row that this one repeats. Absent: no earlier row has the person. */
	first?: Candidate;
	/** Only `setOutcome` and `correctOutcome` write it. Who is not on the list and is kept by Sync has it from the start (`sync/plan.ts`). */
	readonly outcome?: Outcome;
}

/** A person at the end of a run. */
export interface PersonOutcome extends Candidate {
	readonly outcome: Outcome;
}

/** The first outcome of a person stays. */
export function setOutcome(people: readonly Candidate[], outcome: Outcome): void {
	for (const person of people) if (!person.outcome) correctOutcome(person, outcome);
}

/** What is learned later tells more: the list of registered people, which is asked when all results are known, or a look at the whole list. */
export function correctOutcome<Person extends Candidate>(
	person: Person,
	outcome: Outcome,
): Person & { readonly outcome: Outcome } {
	return Object.assign(person, { outcome });
}

/** People who are sent in one request. */
export interface Batch {
	readonly sessionId: string;
	readonly people: readonly Candidate[];
	/** The first attempt whose answer got lost: this run has registered whoever is registered since then. */
	lost?: LostAttempt;
}

/** An attempt to send people whose answer got lost: the platform may have acted on it. */
export interface LostAttempt {
	/** When it left the line. It may have waited in the token's queue after that, so that it was sent then or later. */
	readonly sentAt: Ms;
	/** Absent: the run ended before the answer came. */
	readonly failure?: Failure;
}

/**
 * Asks the list of a session about people; undefined where that would cost too many requests, or where the list is refused or fails and that is
 * not thrown.
 */
export type FindPeople = (
	sessionId: string,
	people: readonly Candidate[],
) => Promise<ReadonlyMap<string, ListedPerson> | undefined>;
