import { attributesOf } from '../client/document';
import { largestPage } from '../client/pages';
import { concludeFromList } from '../jobs/assign';
import { findPeople, type PeopleListed } from '../people/findPeople';
import { isWithoutJoinLink, type Outcome } from '../people/outcome';
import { groupBy } from '../values/collections';
import type { Ledger, OpenOutcome } from './ledger';
import type { Plan } from './plan';
import { outcomeOfResult } from './lostAnswer';
import type { RunParts } from './runParts';
import type { RunTotals } from './runTotals';

/** Looking for the join links of one session may cost at most so many requests. */
const mostRequestsForLinks = 50;

/** Deciding outcomes that the results leave open may always cost so many requests in a run, however small it is. */
const leastRequestsForOutcomes = 50;

/** Asks the list of registered people, once the jobs are over, about people whose results leave a question open. */
export class RegisteredList {
	/** The ids of sessions whose list of people was asked for. No list is asked for twice. */
	private readonly listedSessions = new Set<string>();

	constructor(
		private readonly plan: Plan,
		private readonly ledger: Ledger,
		private readonly parts: Pick<RunParts, 'api' | 'clock' | 'sessions'>,
		private readonly totals: RunTotals,
	) {}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether this run has registered somebody. That may
	 * cost half as many requests as the plan, or fifty where that is more. Where only words say that somebody is registered, it may
	 * cost one request in the whole run. An outcome about which the list says nothing stays as it is.
	 */
	async decideOpenOutcomes(): Promise<void> {
		const { openOutcomes, decidedByWords, publicSessions } = this.ledger;
		const { usage } = this.parts.api;
		const lastRequestNumber =
			usage.requests + Math.max(leastRequestsForOutcomes, this.plan.batches.length);
		for (const [id, outcomesOfSession] of groupBy(openOutcomes, ({ job }) => job.sessionId)) {
			if (publicSessions.has(id)) continue;
			await this.decideOutcomes(id, outcomesOfSession, lastRequestNumber - usage.requests);
		}
		const [onlySession, ...more] = groupBy(decidedByWords, ({ job }) => job.sessionId);
		if (!onlySession || more.length > 0) return;
		const [id, outcomesOfSession] = onlySession;
		if (!publicSessions.has(id)) await this.decideOutcomes(id, outcomesOfSession, 1);
	}

	/**
	 * Brings the records of people who were registered before the run, because their results do not have them. It sends one request
	 * for each session, and only where one request can bring all of its records.
	 */
	async bringRecords(): Promise<void> {
		const isWithoutRecord = ({ status, person }: Outcome) =>
			status === 'already_registered' && !person;
		for (const [sessionId, indexes] of this.indexesBySession(isWithoutRecord)) {
			if (this.listedSessions.has(sessionId)) continue;
			if (indexes.length > 1 && !this.mayFitOnPage(sessionId)) continue;
			await this.addRecords(sessionId, indexes, 1);
		}
	}

	/**
	 * Brings the join links that the results do not have. The result of a person who was registered before the run, for example,
	 * says nothing else. The outcome of a person who is not found stays as it is.
	 */
	async bringJoinLinks(): Promise<void> {
		for (const [sessionId, indexes] of this.indexesBySession(isWithoutJoinLink)) {
			// A failure with one session does not keep the others from being read.
			await this.addRecords(sessionId, indexes, mostRequestsForLinks).catch(() => {});
		}
	}

	/** Gives the indexes of people with such an outcome, by session. Sessions where nobody can be looked for by email are left out. */
	private indexesBySession(isMissing: (outcome: Outcome) => boolean): Map<string, number[]> {
		const { ledger, plan } = this;
		const indexes = [...plan.people.keys()].filter((index) => {
			const outcome = ledger.outcomeOf(index);
			return outcome !== undefined && isMissing(outcome);
		});
		const indexesOfSessions = groupBy(indexes, (index) => plan.people[index]?.sessionId ?? '');
		for (const sessionId of ledger.publicSessions) indexesOfSessions.delete(sessionId);
		return indexesOfSessions;
	}

	/** Adds the records that the list of a session shows to the outcomes of its people, if `mostRequests` are enough to read it. */
	private async addRecords(
		sessionId: string,
		indexes: readonly number[],
		mostRequests: number,
	): Promise<void> {
		const { ledger } = this;
		const addresses = ledger.addressesOf(indexes);
		const list = await this.findRegistered(sessionId, addresses, mostRequests);
		for (const [position, index] of indexes.entries()) {
			const outcome = ledger.outcomeOf(index);
			const person = list?.people.get(addresses[position] ?? '')?.person;
			if (outcome && person) ledger.replaceOutcome(index, { ...outcome, person });
		}
	}

	/** Looks for people in the list of a session; gives undefined where `mostRequests` are not enough. */
	private async findRegistered(
		sessionId: string,
		addresses: readonly string[],
		mostRequests: number,
	): Promise<PeopleListed | undefined> {
		const { clock } = this.parts;
		const { meter, view } = this.totals;
		const ask = meter.askFor(sessionId);
		return await findPeople(sessionId, addresses, mostRequests, ask, { clock, view });
	}

	/** Whether one page may hold everybody in a session: the people whom it had when it was read, and those whom the run has added. */
	private mayFitOnPage(sessionId: string): boolean {
		const session = this.parts.sessions.find(sessionId)?.session ?? {};
		const { registrants_count: countBefore } = attributesOf(session);
		const added = this.plan.people.filter(
			(row, index) =>
				row.sessionId === sessionId && this.ledger.outcomeOf(index)?.status === 'registered',
		);
		return typeof countBefore !== 'number' || countBefore + added.length <= largestPage;
	}

	/** Replaces outcomes by those that the list of the session shows, if `mostRequests` are enough to read it. */
	private async decideOutcomes(
		sessionId: string,
		openOutcomes: readonly OpenOutcome[],
		mostRequests: number,
	): Promise<void> {
		const { ledger } = this;
		this.listedSessions.add(sessionId);
		const openAddresses = openOutcomes.flatMap(({ indexes }) => ledger.addressesOf(indexes));
		const list = await this.findRegistered(sessionId, openAddresses, mostRequests);
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
