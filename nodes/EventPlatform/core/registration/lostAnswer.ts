/*
 * What follows from a lost answer: a request that registers people was sent, and no answer came (connection lost, time over, 5xx), or one that is no JSON. It
 * is the same rule for one person and for fifty:
 *
 *  1. Where the event is known to keep emails, because its form asks for one or a result of this run shows an address that was sent,
 *     the same people are sent again. Registering twice does no harm there.
 *  2. Where it is known to replace emails, as public events do, nobody is sent again: two registrations of one person would be two
 *     people, and nobody could tell.
 *  3. Where neither is known, the list of the session is asked when the other jobs are over. A person who stands there with the address
 *     that was sent is registered. Then the event keeps emails, and the others are sent once more. Otherwise they are unknown.
 *
 * Register follows it unless 'If Already Registered' is `fail`: then its failure says that the person may be registered.
 *
 * In the third case fifty wait until their attempt is fifteen seconds old before the list is asked, because the platform works on a job
 * after it has accepted it. One person waits no longer than for another attempt, because the platform registers the person within the
 * request.
 */
import type { Ask } from '../client/request';
import type { EmailUse } from '../dialect/publicEvents';
import { readEmailUse } from '../people/emailUse';
import type { ListedPerson } from '../people/findPeople';
import type { RegistrationDates } from '../people/registrationTime';
import { ownReason, type Outcome, notConfirmed, type Reason } from '../people/outcome';
import { groupBy } from '../values/collections';
import {
	setOutcome,
	type Batch,
	type Candidate,
	type FindPeople,
	type LostAttempt,
} from './candidate';
import type { RegistrationRun } from './registrationRun';
import type { Ms } from '../values/units';

function isByAttempt(
	{ registeredAt, createdAt }: RegistrationDates,
	{ sentAt }: LostAttempt,
	// By an unknown clock, the attempt is later than any record.
	clockAheadMs = -Infinity,
): boolean {
	// The platform's dates have whole seconds. A person cannot be created after the registration, so either date may prove it.
	return [registeredAt, createdAt].some(
		(dateSeconds) => dateSeconds !== undefined && (dateSeconds + 1) * 1_000 > sentAt - clockAheadMs,
	);
}

interface ListedOutcome extends Pick<Outcome, 'reasons' | 'person'> {
	readonly status: 'registered' | 'already_registered';
}

/** The person stands in the list with the address that was sent, and their own result is not known. */
export function outcomeOfListed(
	listedPerson: ListedPerson,
	lost: LostAttempt,
	clockAheadMs?: Ms,
): ListedOutcome {
	const { person } = listedPerson;
	if (isByAttempt(listedPerson, lost, clockAheadMs))
		return { status: 'registered', person, reasons: [] };
	// Its time is before the attempt. Without it, or without the platform's clock, nobody can tell.
	const isByAnotherRun = listedPerson.registeredAt !== undefined && clockAheadMs !== undefined;
	const reasons = isByAnotherRun ? [] : [ownReason('answer_lost')];
	return { status: 'already_registered', person, reasons };
}

/**
 * The list of a session is not asked sooner than this after an attempt, because the platform may still work on the job. Nobody knows
 * how long a job takes at most, and somebody who is not listed then is only unknown.
 */
const longestJobMs = 15_000;

type LostBatch = Batch & { readonly lost: LostAttempt };

/** Applies it for the batches of a run. */
export class LostAnswers {
	/** The batches that have had to wait for a list. People who have an outcome by now are passed over. */
	private readonly waiting: LostBatch[] = [];

	/**
	 * `ask` fails once the run is over, when `over` is aborted. `find` asks the list of a session, again where it fails for a moment.
	 * `longestWorkMs`: how long the platform may work on people after their request has left.
	 */
	constructor(
		private readonly run: RegistrationRun,
		private readonly ask: Ask,
		private readonly over: AbortSignal | undefined,
		private readonly find: FindPeople,
		private readonly longestWorkMs = longestJobMs,
	) {}

	/** Takes the people over unless they may be sent again now: they get their outcome, or wait for `askLists`. Gives whether it has. */
	async takeOver(batch: LostBatch): Promise<boolean> {
		const use = await this.emailUse(batch.sessionId);
		if (use === 'unknown') this.waiting.push(batch);
		if (use === 'replaced') leaveUnknown(batch.people, ownReason('not_repeated'));
		return use !== 'kept';
	}

	/** Asks the lists about the people who wait, and gives those who are to be sent once more. */
	async askLists(): Promise<Batch[]> {
		const again: Batch[] = [];
		for (const [sessionId, batches] of groupBy(this.waiting, ({ sessionId: id }) => id)) {
			const use = this.run.findings.emailsAre(sessionId);
			const isKept =
				use === 'kept' || (use !== 'replaced' && (await this.showsSent(sessionId, batches)));
			const code = use === 'replaced' ? 'not_repeated' : 'not_listed';
			for (const batch of batches) {
				const people = batch.people.filter(({ outcome }) => !outcome);
				if (!isKept) leaveUnknown(people, ownReason(code));
				else if (people.length > 0) again.push({ ...batch, people });
			}
		}
		return again;
	}

	leaveAllUnknown(reason: Reason): void {
		for (const { people } of this.waiting) leaveUnknown(people, reason);
	}

	/** Who stands in the list with the address that was sent is registered; and then the event keeps emails. */
	private async showsSent(sessionId: string, batches: readonly LostBatch[]): Promise<boolean> {
		const { clock, client, findings } = this.run;
		const latestAt = batches.reduce((latest, { lost }) => Math.max(latest, lost.sentAt), 0);
		await clock.sleep(latestAt + this.longestWorkMs - clock.now(), this.over);
		const list = await this.find(
			sessionId,
			batches.flatMap(({ people }) => people),
		);
		const { clockAheadMs } = client.usage;
		const listed = batches.flatMap(({ people, lost }) =>
			people.flatMap((candidate) => {
				const person = list?.get(candidate.row.address);
				return person ? [{ candidate, person, lost }] : [];
			}),
		);
		// Members of the team have their own addresses at a public event, too.
		const isKept = listed.some(
			({ person, lost }) => person.isRegistrant || isByAttempt(person, lost, clockAheadMs),
		);
		if (!isKept) return false;
		findings.recordEmails(sessionId, 'kept');
		for (const { candidate, person, lost } of listed) {
			setOutcome([candidate], outcomeOfListed(person, lost, clockAheadMs));
		}
		return true;
	}

	private async emailUse(sessionId: string): Promise<EmailUse> {
		const { findings, sessions } = this.run;
		const known = findings.emailsAre(sessionId);
		if (known) return known;
		const use = await readEmailUse(sessions, sessionId, this.ask);
		// A form that tells is kept with its session.
		if (use === 'unknown') findings.recordEmails(sessionId, use);
		return use;
	}
}

function leaveUnknown(people: readonly Candidate[], reason: Reason): void {
	setOutcome(people, notConfirmed(reason));
}
