/*
 * The law of the lost answer: a request that registers people was sent, and no answer came (connection lost, time over, 5xx). It
 * is the same law for one person and for fifty:
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
 * In the third case one person waits half a second before the list is asked, because the platform registers the person within
 * the request. Fifty wait until their attempt is fifteen seconds old, because the platform works on a job after it has accepted it.
 */
import type { EmailUse } from '../dialect/publicEvents';
import {
	isRegisteredSince,
	type ListedPerson,
	findPeople,
	type PeopleListed,
} from '../people/findPeople';
import { ownReason, type Outcome, notConfirmed, type Reason } from '../people/outcome';
import { asFailure, Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { againAfterMs } from '../client/retryPolicy';
import { meaningOf } from '../failures/meaning';
import { askEmailUse, knownEmailUse } from '../people/emailUse';
import type { Usage } from '../client/usage';
import type { SessionCache } from '../sessions/sessionCache';
import { addAll, groupBy } from '../values/collections';
import { type PendingBatch, setOutcome } from './candidate';
import { firstGuessMs } from './pace';
import { mostTasksInBatch } from './plan';
import type { RunParts, RunTotals } from './runParts';

export type AfterLostAnswer = 'sendAgain' | 'sendNobody' | 'askTheList';

export function afterLostAnswer(use: EmailUse): AfterLostAnswer {
	const decisions = { kept: 'sendAgain', replaced: 'sendNobody', unknown: 'askTheList' } as const;
	return decisions[use];
}

export interface LostAttempt {
	readonly lostAt: number;
	readonly clockAheadMs?: number;
}

function isByAttempt(
	person: Pick<ListedPerson, 'registeredAt' | 'createdAt'>,
	// By an unknown clock, the attempt is later than any record.
	{ lostAt, clockAheadMs = -Infinity }: LostAttempt,
): boolean {
	return isRegisteredSince(person, lostAt - clockAheadMs);
}

/** The person stands in the list with an address that was sent. Members of the team have their own addresses at a public event, too. */
export function showsThatEmailsAreKept(person: ListedPerson, attempt: LostAttempt): boolean {
	return person.mayBeRegistrant || isByAttempt(person, attempt);
}

export interface ListedOutcome extends Pick<Outcome, 'reasons' | 'person'> {
	readonly status: 'registered' | 'already_registered';
}

/** The person stands in the list with the address that was sent, and their own result is not known. */
export function outcomeOfListed(listedPerson: ListedPerson, attempt: LostAttempt): ListedOutcome {
	const { person } = listedPerson;
	if (isByAttempt(listedPerson, attempt)) return { status: 'registered', person, reasons: [] };
	const isByAnotherRun =
		listedPerson.registeredAt !== undefined && attempt.clockAheadMs !== undefined;
	const reasons = isByAnotherRun ? [] : [ownReason('answer_lost')];
	return { status: 'already_registered', person, reasons };
}

export interface EmailUsesShown {
	/** The ids of sessions for which results of this run show emails that the platform has made up. Nobody can be looked for by email there. */
	readonly publicSessions: ReadonlySet<string>;
	readonly sessionsThatKeepEmails: Set<string>;
}

/**
 * What is known without a request; undefined where nothing is. What replaces emails wins, wherever it is seen, because sending again
 * does harm there only. A made-up address in a result of this run shows what the platform does now, whatever the form asks for; the
 * list that Sync reads may show one from before.
 */
export function emailUseSeen(
	uses: EmailUsesShown,
	sessions: SessionCache,
	sessionId: string,
): EmailUse | undefined {
	const byForm = knownEmailUse(sessions, sessionId);
	if (uses.publicSessions.has(sessionId) || byForm === 'replaced') return 'replaced';
	return uses.sessionsThatKeepEmails.has(sessionId) || byForm === 'kept' ? 'kept' : undefined;
}

type LostBatch = PendingBatch & { readonly lostAt: number };

/**
 * The list of a session is not asked sooner than this after an attempt, because the platform may still work on the job. Nobody knows
 * how long a job takes at most, and somebody who is not listed then is only unknown.
 */
const longestJobMs = 10 * firstGuessMs;

/** One person is sent again or looked for so long after a lost answer, because the platform registers them within the request. */
export const pauseForOnePersonMs = 500;

/**
 * The most requests for asking the lists of all sessions about doubts: half as many again as sending and reading the jobs takes, so
 * that doubts do not cost more than the run; and in a small run a page, which says how long the list is, and one for each person of a
 * full job.
 */
export function mostRequestsForLists(batchesOfRun: number): number {
	return Math.max(1 + mostTasksInBatch, batchesOfRun);
}

export interface LostBatchParts extends Pick<RunParts, 'clock' | 'sessions'> {
	readonly askFor: (about: { readonly sessionId: string }) => Ask;
	readonly usage: Pick<Usage, 'requests'>;
	readonly over: AbortSignal;
	readonly view: RunTotals['view'];
}

export class LostBatches {
	private waiting: LostBatch[] = [];
	private readonly usesByForm = new Map<string, Promise<EmailUse>>();
	/** Those in a row, of whatever list: a platform that shows no list now is waited for once and not for each session. */
	private failedLists = 0;

	constructor(
		private readonly results: EmailUsesShown,
		private readonly parts: LostBatchParts,
	) {}

	/** Decides whether the people of a batch are sent again now. Those about whom the list is to be asked are kept for later. */
	async decide(batch: LostBatch): Promise<AfterLostAnswer> {
		const decision = afterLostAnswer(await this.emailUse(batch.sessionId));
		if (decision === 'askTheList') this.waiting.push(batch);
		if (decision === 'sendNobody') this.giveUp([batch], ownReason('not_repeated'));
		return decision;
	}

	/**
	 * Asks the lists of the sessions about the people who were kept for later, one list after another, so that each may use the requests
	 * that the lists before have left. Gives the batches that are sent once more. `batchesOfRun`: the number of batches in the plan.
	 */
	async askLists(batchesOfRun: number): Promise<PendingBatch[]> {
		// The platform may not have responded when the form was asked for.
		this.usesByForm.clear();
		const sessions = await Promise.all(
			[...groupBy(this.waiting, ({ sessionId }) => sessionId)].map(
				async ([sessionId, batches]) =>
					[afterLostAnswer(await this.emailUse(sessionId)), sessionId, batches] as const,
			),
		);
		const lastRequestNumber = this.parts.usage.requests + mostRequestsForLists(batchesOfRun);
		const missing: PendingBatch[] = [];
		for (const [decision, sessionId, batches] of sessions) {
			if (decision === 'sendAgain') addAll(missing, batches);
			if (decision === 'sendNobody') this.giveUp(batches, ownReason('not_repeated'));
			if (decision !== 'askTheList') continue;
			addAll(missing, await this.askList(sessionId, batches, lastRequestNumber));
		}
		this.waiting = [];
		return missing;
	}

	giveUpAll(reason: Reason): void {
		this.giveUp(this.waiting, reason);
	}

	private giveUp(batches: readonly PendingBatch[], reason: Reason): void {
		const outcome = notConfirmed(reason);
		for (const { people } of batches) setOutcome(people, outcome);
	}

	private async emailUse(sessionId: string): Promise<EmailUse> {
		const { results, parts, usesByForm } = this;
		const useSeen = emailUseSeen(results, parts.sessions, sessionId);
		if (useSeen) return useSeen;
		const use =
			usesByForm.get(sessionId) ??
			askEmailUse(parts.sessions, sessionId, parts.askFor({ sessionId }));
		usesByForm.set(sessionId, use);
		// A platform that does not respond now is asked again.
		use.catch(() => usesByForm.delete(sessionId));
		return await use;
	}

	private async askList(
		sessionId: string,
		batches: readonly LostBatch[],
		lastRequestNumber: number,
	): Promise<PendingBatch[]> {
		const { clock, over } = this.parts;
		const latestAt = batches.reduce((latest, { lostAt }) => Math.max(latest, lostAt), 0);
		await clock.sleep(latestAt + longestJobMs - clock.now(), over);
		const list = await this.readList(sessionId, batches, lastRequestNumber);
		const listed = batches.flatMap(({ people, lostAt }) =>
			people.flatMap((candidate) => {
				const person = list?.people.get(candidate.address);
				const attempt = { lostAt, clockAheadMs: list?.clockAheadMs };
				return person ? [{ candidate, person, attempt }] : [];
			}),
		);
		if (!listed.some(({ person, attempt }) => showsThatEmailsAreKept(person, attempt))) {
			this.giveUp(batches, ownReason('not_listed'));
			return [];
		}
		this.results.sessionsThatKeepEmails.add(sessionId);
		for (const { candidate, person, attempt } of listed) {
			setOutcome([candidate], outcomeOfListed(person, attempt));
		}
		return batches.flatMap((batch) => {
			const people = batch.people.filter(({ outcome }) => !outcome);
			return people.length > 0 ? [{ ...batch, people }] : [];
		});
	}

	private async readList(
		sessionId: string,
		batches: readonly LostBatch[],
		lastRequestNumber: number,
	): Promise<PeopleListed | undefined> {
		const { askFor, clock, usage, over, view } = this.parts;
		const addresses = batches.flatMap(({ people }) => people.map(({ address }) => address));
		const ask = askFor({ sessionId });
		for (;;) {
			const mostRequests = lastRequestNumber - usage.requests;
			const list = await findPeople(sessionId, addresses, mostRequests, ask, {
				clock,
				view,
			}).catch(asFailure);
			const isPassing = list instanceof Failure && meaningOf(list).isPassing === true;
			this.failedLists = isPassing ? this.failedLists + 1 : 0;
			if (!(list instanceof Failure)) return list;
			const waitMs = isPassing ? againAfterMs('batch', this.failedLists) : undefined;
			if (waitMs === undefined) return undefined;
			await clock.sleep(waitMs, over);
		}
	}
}
