import { attributesOf } from '../client/document';
import { largestPage } from '../client/pages';
import { concludeFromList } from '../jobs/assign';
import { findPeople, type PeopleListed } from '../people/findPeople';
import { isWithoutJoinLink, type Outcome } from '../people/outcome';
import { groupBy } from '../values/collections';
import type { Ledger, OpenOutcome } from './ledger';
import type { Plan } from './plan';
import { outcomeOfResult } from './resultOutcome';
import type { RunParts } from './runParts';
import type { RunTotals } from './runTotals';

/** Looking for the links of one session may cost so many requests. */
const mostRequestsForLinks = 50;

/** Asks the list of who is registered about people of whom the results leave something open, once the jobs are over. */
export class RegisteredList {
	/** Sessions whose list of people was asked for, which is not done twice. */
	private readonly listedSessions = new Set<string>();

	constructor(
		private readonly plan: Plan,
		private readonly ledger: Ledger,
		private readonly parts: Pick<RunParts, 'api' | 'clock' | 'sessions'>,
		private readonly totals: RunTotals,
	) {}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether it was by this run. That may cost half as
	 * many requests as the plan, or fifty; where only words say that somebody is registered, one in the whole run. An outcome
	 * about which the list says nothing stays as it is.
	 */
	async decideOpenOutcomes(): Promise<void> {
		const { openOutcomes, decidedByWords, publicSessions } = this.ledger;
		const { usage } = this.parts.api;
		const lastRequest = usage.requests + Math.max(50, this.plan.batches.length);
		for (const [id, ofSession] of groupBy(openOutcomes, ({ job }) => job.sessionId)) {
			if (publicSessions.has(id)) continue;
			await this.decide(id, ofSession, lastRequest - usage.requests);
		}
		const [onlySession, ...more] = groupBy(decidedByWords, ({ job }) => job.sessionId);
		if (!onlySession || more.length > 0) return;
		const [id, ofSession] = onlySession;
		if (!publicSessions.has(id)) await this.decide(id, ofSession, 1);
	}

	/**
	 * Brings the records of people who were registered before the run, of whom a result says nothing else. It sends one request
	 * for each session, and only where that can bring all of them.
	 */
	async bringRecords(): Promise<void> {
		const isWithoutRecord = ({ status, person }: Outcome) =>
			status === 'already_registered' && !person;
		for (const [sessionId, indexes] of this.bySession(isWithoutRecord)) {
			if (this.listedSessions.has(sessionId)) continue;
			if (indexes.length > 1 && !this.mayFitOnPage(sessionId)) continue;
			await this.bring(sessionId, indexes, 1);
		}
	}

	/**
	 * Brings the join links that the results do not have: of somebody who was registered before a result says only that. A person
	 * who is not found keeps the outcome as it is.
	 */
	async bringJoinLinks(): Promise<void> {
		for (const [sessionId, indexes] of this.bySession(isWithoutJoinLink)) {
			// A failure with one session leaves the others.
			await this.bring(sessionId, indexes, mostRequestsForLinks).catch(() => {});
		}
	}

	/** The indexes of people with such an outcome, by session, where they can be looked for by email. */
	private bySession(isMissing: (outcome: Outcome) => boolean): Map<string, number[]> {
		const { ledger, plan } = this;
		const indexes = [...plan.people.keys()].filter((index) => {
			const outcome = ledger.outcomeOf(index);
			return outcome !== undefined && isMissing(outcome);
		});
		const sessions = groupBy(indexes, (index) => plan.people[index]?.sessionId ?? '');
		for (const sessionId of ledger.publicSessions) sessions.delete(sessionId);
		return sessions;
	}

	/** Gives people of a session the record that its list shows, if `mostRequests` are enough to read it. */
	private async bring(
		sessionId: string,
		indexes: readonly number[],
		mostRequests: number,
	): Promise<void> {
		const { ledger } = this;
		const addresses = ledger.addressesOf(indexes);
		const list = await this.find(sessionId, addresses, mostRequests);
		for (const [position, index] of indexes.entries()) {
			const outcome = ledger.outcomeOf(index);
			const person = list?.people.get(addresses[position] ?? '')?.person;
			if (outcome && person) ledger.replaceOutcome(index, { ...outcome, person });
		}
	}

	private async find(
		sessionId: string,
		addresses: readonly string[],
		mostRequests: number,
	): Promise<PeopleListed | undefined> {
		const { clock } = this.parts;
		const { meter, view } = this.totals;
		const ask = meter.askFor(sessionId);
		return await findPeople(sessionId, addresses, mostRequests, ask, { clock, view });
	}

	/** Whether one page may hold everybody of a session: those whom it had when it was read, and those whom the run has added. */
	private mayFitOnPage(sessionId: string): boolean {
		const session = this.parts.sessions?.find(sessionId)?.session ?? {};
		const { registrants_count: countBefore } = attributesOf(session);
		const added = this.plan.people.filter(
			(row, index) =>
				row.sessionId === sessionId && this.ledger.outcomeOf(index)?.status === 'registered',
		);
		return typeof countBefore !== 'number' || countBefore + added.length <= largestPage;
	}

	/** Replaces outcomes by what the list of the session shows, if `mostRequests` are enough to read it. */
	private async decide(
		sessionId: string,
		openOutcomes: readonly OpenOutcome[],
		mostRequests: number,
	): Promise<void> {
		const { ledger } = this;
		this.listedSessions.add(sessionId);
		const open = openOutcomes.flatMap(({ indexes }) => ledger.addressesOf(indexes));
		const list = await this.find(sessionId, open, mostRequests);
		if (!list) return;
		const { people: present, clockAheadMs } = list;
		for (const { job, indexes, results } of openOutcomes) {
			const addresses = ledger.addressesOf(indexes);
			const assigned =
				indexes.length === 1 ? results : concludeFromList(addresses, results, present);
			for (const [position, index] of indexes.entries()) {
				const result = assigned[position];
				const person = present.get(addresses[position] ?? '');
				if (!result) continue;
				const outcome = outcomeOfResult(job, result, { person, clockAheadMs });
				ledger.replaceOutcome(index, outcome);
			}
		}
	}
}
