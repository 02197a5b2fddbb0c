import type { TaskResult } from './taskResult';
import type { EmailUse } from '../dialect/publicEvents';
import { isRegisteredSince, type ListedPerson } from '../people/findPeople';
import { ownReason, type Outcome } from '../people/outcome';

/*
 * The law of the lost answer: a request that registers people was sent, and no answer came (connection lost, time over, 5xx). It
 * is the same law for one person and for fifty:
 *
 *  1. Where the event is known to keep emails, because its form asks for one or a result of this run shows an address that was sent,
 *     the same people are sent again. Registering twice does no harm there.
 *  2. Where it is known to replace emails, as public events do, nobody is sent again: two registrations of one person would be two
 *     people, and nobody could tell.
 *  3. Where neither is known, the list of the session is asked when the other jobs are over. Whoever stands there with the address
 *     that was sent is registered. Then the event keeps emails, and the others are sent once more. Otherwise they are unknown.
 */

/** What follows for people whose request got no answer. */
export type AfterLostAnswer = 'sendAgain' | 'sendNobody' | 'askTheList';

/** Decides what follows by what is known about the emails of the event. */
export function afterLostAnswer(use: EmailUse): AfterLostAnswer {
	const decisions = { kept: 'sendAgain', replaced: 'sendNobody', unknown: 'askTheList' } as const;
	return decisions[use];
}

/** An attempt whose answer got lost, and what tells whether it is older than a record of the list. */
export interface LostAttempt {
	/** When it left, in milliseconds by our clock. */
	readonly lostAt: number;
	/** How many milliseconds our clock is ahead of the platform's; absent where no response had a date. */
	readonly clockAheadMs?: number;
}

/** Whether the record is younger than the attempt, so that the attempt has registered the person. */
export function isByAttempt(
	person: Pick<ListedPerson, 'registeredAt' | 'createdAt'>,
	{ lostAt, clockAheadMs }: LostAttempt,
): boolean {
	return clockAheadMs !== undefined && isRegisteredSince(person, lostAt - clockAheadMs);
}

/**
 * Whether a person who stands in the list with an address that was sent shows that the event keeps emails. Members of the team have
 * their own addresses at a public event, too.
 */
export function showsThatEmailsAreKept(person: ListedPerson, attempt: LostAttempt): boolean {
	return person.mayBeRegistrant || isByAttempt(person, attempt);
}

/** The outcome of a person whom the list of a session shows. */
export interface ListedOutcome extends Pick<Outcome, 'reasons' | 'person'> {
	/** Whether the attempt has registered the person, or somebody else before. */
	readonly status: 'registered' | 'already_registered';
}

/** Gives the outcome of a person who stands in the list with the address that was sent, and whose own result is not known. */
export function outcomeOfListed(listedPerson: ListedPerson, attempt: LostAttempt): ListedOutcome {
	const { person } = listedPerson;
	if (isByAttempt(listedPerson, attempt)) return { status: 'registered', person, reasons: [] };
	const isByAnotherRun =
		listedPerson.registeredAt !== undefined && attempt.clockAheadMs !== undefined;
	const reasons = isByAnotherRun ? [] : [ownReason('answer_lost')];
	return { status: 'already_registered', person, reasons };
}

/** The facts about a person that the list of registered people shows, and how our clock differs from that of its times. */
export interface ListLookup {
	/** The person in the list. Absent: the list does not show the person. */
	person?: ListedPerson;
	/** How many milliseconds our clock is ahead of the platform's; absent where no response had a date. */
	clockAheadMs?: number;
}

/**
 * Gives the outcome of a person with this result. `lostAt`: when an earlier attempt left whose answer got lost. `lookup`: the facts
 * that the list of registered people shows. Absent: the list was not read.
 */
export function outcomeOfResult(
	{ id: jobId, lostAt }: { readonly id: string; readonly lostAt?: number },
	{ status, person, reasons, isByWords }: TaskResult,
	lookup?: ListLookup,
): Outcome {
	if (status !== 'already_registered') return { status, jobId, person, reasons };
	const { person: listedPerson, clockAheadMs } = lookup ?? {};
	const outcome: Outcome = { status, jobId, person: listedPerson?.person, reasons };
	// Only words said that the person is registered already, and the list does not show the person.
	if (lookup && !listedPerson && isByWords) return { ...outcome, status: 'failed' };
	if (lostAt === undefined) return outcome;
	if (!listedPerson) return { ...outcome, reasons: [...reasons, ownReason('answer_lost')] };
	const listed = outcomeOfListed(listedPerson, { lostAt, clockAheadMs });
	const isByThisRun = listed.status === 'registered';
	return { ...outcome, ...listed, reasons: isByThisRun ? [] : [...reasons, ...listed.reasons] };
}
