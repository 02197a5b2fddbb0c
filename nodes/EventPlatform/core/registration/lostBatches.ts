import { asFailure, Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { againAfterMs } from '../client/retryPolicy';
import type { EmailUse } from '../dialect/publicEvents';
import { meaningOf } from '../failures/meaning';
import { askEmailUse } from '../people/emailUse';
import { findPeople, type PeopleListed } from '../people/findPeople';
import { notConfirmed, ownReason } from '../people/outcome';
import type { Reason } from '../people/reason';
import { groupBy } from '../values/collections';
import { type PendingBatch, decide } from './candidate';
import type { Ledger } from './ledger';
import {
	afterLostAnswer,
	outcomeOfListed,
	showsThatEmailsAreKept,
	type AfterLostAnswer,
} from './lostAnswer';
import type { RunParts } from './runParts';
import type { RunTotals } from './runTotals';

/** A batch of which an attempt got no answer. */
type LostBatch = PendingBatch & { readonly lostAt: number };

/** The list of a session is not asked sooner than this after an attempt, because the platform may still work on the job. */
const longestJobMs = 15_000;
/** The list of one session may cost so many requests, however small the run is. */
const leastRequestsForList = 50;

/** The parts of a run that lost batches need. */
export interface LostBatchParts extends Pick<RunParts, 'clock' | 'sessions'> {
	/** Gives the function through which the run sends requests about a session. */
	readonly askFor: (about: { readonly sessionId: string }) => Ask;
	/** Aborted when the run is over. */
	readonly over: AbortSignal;
	/** Decides which part of a record is kept. */
	readonly view: RunTotals['view'];
}

/** Owns the batches whose request got no answer, and applies the law of the lost answer to them. */
export class LostBatches {
	private waiting: LostBatch[] = [];
	/** The use of emails by the event of each session, as far as its form shows it. */
	private readonly usesByForm = new Map<string, Promise<EmailUse>>();

	constructor(
		private readonly ledger: Ledger,
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
	 * Asks the lists of the sessions about the people who were kept for later. Gives the batches that are sent once more.
	 * `batchesOfRun`: the number of batches in the plan. The list of one session may cost as many requests, or fifty where that is more.
	 */
	async askLists(batchesOfRun: number): Promise<PendingBatch[]> {
		// The platform may not have responded when the form was asked for.
		this.usesByForm.clear();
		const sessions = [...groupBy(this.waiting, ({ sessionId }) => sessionId)];
		const missing = sessions.map(async ([sessionId, batches]) => {
			const decision = afterLostAnswer(await this.emailUse(sessionId));
			if (decision === 'sendAgain') return batches;
			if (decision === 'askTheList') {
				const mostRequests = Math.max(leastRequestsForList, batchesOfRun);
				return await this.askList(sessionId, batches, mostRequests);
			}
			this.giveUp(batches, ownReason('not_repeated'));
			return [];
		});
		const batches = (await Promise.all(missing)).flat();
		this.waiting = [];
		return batches;
	}

	/** Ends the waiting of the batches that were kept for later. */
	giveUpAll(reason: Reason): void {
		this.giveUp(this.waiting, reason);
	}

	private giveUp(batches: readonly PendingBatch[], reason: Reason): void {
		const outcome = notConfirmed(reason);
		for (const { people } of batches) decide(people, outcome);
	}

	/** Tells what an event does with emails, as the results of the run show it, or else its form. */
	private async emailUse(sessionId: string): Promise<EmailUse> {
		const { ledger, parts, usesByForm } = this;
		if (ledger.publicSessions.has(sessionId)) return 'replaced';
		if (ledger.sessionsThatKeepEmails.has(sessionId)) return 'kept';
		const use =
			usesByForm.get(sessionId) ??
			askEmailUse(parts.sessions, sessionId, parts.askFor({ sessionId }));
		usesByForm.set(sessionId, use);
		// A platform that does not respond now is asked again.
		use.catch(() => usesByForm.delete(sessionId));
		return await use;
	}

	/** Asks the list of a session who of these people is registered. Gives those who are missing and may be sent once more. */
	private async askList(
		sessionId: string,
		batches: readonly LostBatch[],
		mostRequests: number,
	): Promise<PendingBatch[]> {
		const { ledger } = this;
		const { clock, over } = this.parts;
		const latestAt = batches.reduce((latest, { lostAt }) => Math.max(latest, lostAt), 0);
		const waitMs = latestAt + longestJobMs - clock.now();
		if (waitMs > 0) await clock.sleep(waitMs, over);
		const list = await this.readList(sessionId, batches, mostRequests);
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
		ledger.sessionsThatKeepEmails.add(sessionId);
		for (const { candidate, person, attempt } of listed) {
			candidate.outcome ??= outcomeOfListed(person, attempt);
		}
		return batches.flatMap((batch) => {
			const people = batch.people.filter(({ outcome }) => !outcome);
			return people.length > 0 ? [{ ...batch, people }] : [];
		});
	}

	/** Reads the list as far as these people need it; undefined where it cannot be read. A platform that does not respond now is asked again. */
	private async readList(
		sessionId: string,
		batches: readonly LostBatch[],
		mostRequests: number,
	): Promise<PeopleListed | undefined> {
		const { askFor, clock, over, view } = this.parts;
		const addresses = batches.flatMap(({ people }) => people.map(({ address }) => address));
		const ask = askFor({ sessionId });
		for (let failures = 1; ; failures++) {
			const list = await findPeople(sessionId, addresses, mostRequests, ask, {
				clock,
				view,
			}).catch(asFailure);
			if (!(list instanceof Failure)) return list;
			const waitMs = meaningOf(list).isPassing ? againAfterMs('batch', failures) : undefined;
			if (waitMs === undefined) return undefined;
			await clock.sleep(waitMs, over);
		}
	}
}
