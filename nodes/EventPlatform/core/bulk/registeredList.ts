import { attributesOf } from '../client/document';
import { largestPage } from '../client/pages';
import { concludeFromList } from '../jobs/assign';
import { findPeople } from '../people/findPeople';
import { groupBy } from '../values/collections';
import type { Ledger, OpenOutcome } from './ledger';
import type { Meter } from './meter';
import type { Plan } from './plan';
import { outcomeOfResult } from './resultOutcome';
import type { RunParts } from './runParts';

/** Asks the list of who is registered about people of whom the results leave something open, once the jobs are over. */
export class RegisteredList {
	/** Sessions whose list of people was asked for, which is not done twice. */
	private readonly listedSessions = new Set<string>();

	constructor(
		private readonly plan: Plan,
		private readonly ledger: Ledger,
		private readonly parts: Pick<RunParts, 'api' | 'clock' | 'view' | 'sessions'>,
		private readonly meter: Meter,
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
		const { ledger, plan, meter, parts } = this;
		const missing = [...plan.people.keys()].filter((index) => {
			const { status, person } = ledger.outcomeOf(index) ?? {};
			return status === 'already_registered' && !person;
		});
		const sessions = groupBy(missing, (index) => plan.people[index]?.sessionId ?? '');
		for (const [sessionId, indexes] of sessions) {
			if (ledger.publicSessions.has(sessionId) || this.listedSessions.has(sessionId)) continue;
			if (indexes.length > 1 && !this.mayFitOnPage(sessionId)) continue;
			const addresses = ledger.addressesOf(indexes);
			const list = await findPeople(sessionId, addresses, 1, meter.askFor(sessionId), parts);
			for (const [position, index] of indexes.entries()) {
				const outcome = ledger.outcomeOf(index);
				const person = list?.people.get(addresses[position] ?? '')?.person;
				if (outcome && person) ledger.replaceOutcome(index, { ...outcome, person });
			}
		}
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
		const { ledger, meter, parts } = this;
		this.listedSessions.add(sessionId);
		const open = openOutcomes.flatMap(({ indexes }) => ledger.addressesOf(indexes));
		const list = await findPeople(sessionId, open, mostRequests, meter.askFor(sessionId), parts);
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
