import { concludeFromList } from './assign';
import { findPeople, type PeopleListed } from '../people/findPeople';
import { isWithoutJoinLink } from '../people/outcome';
import { groupBy } from '../values/collections';
import { setOutcome, type Candidate } from './candidate';
import { outcomeOfResult, type Ledger, type OpenOutcome } from './ledger';
import { mostTasksInBatch, type Plan } from './plan';
import { mostRequestsForLists } from './lostAnswer';
import type { RunParts, RunTotals } from './runParts';

/** The most requests for the join links of one session: a page, which says how long the list is, and the people of one full batch. */
const mostRequestsForLinks = 1 + mostTasksInBatch;

export class RegisteredList {
	constructor(
		private readonly plan: Pick<Plan, 'candidates' | 'batches'>,
		private readonly ledger: Ledger,
		private readonly parts: Pick<RunParts, 'api' | 'clock'>,
		private readonly totals: RunTotals,
	) {}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether this run has registered somebody. An outcome
	 * about which the list says nothing stays as it is.
	 */
	async decideOpenOutcomes(): Promise<void> {
		const { openOutcomes } = this.ledger;
		const { usage } = this.parts.api;
		const lastRequestNumber = usage.requests + mostRequestsForLists(this.plan.batches.length);
		for (const [id, outcomesOfSession] of groupBy(openOutcomes, ({ job }) => job.sessionId)) {
			if (this.ledger.publicSessions.has(id)) continue;
			const mostRequests = lastRequestNumber - usage.requests;
			// A failure with one session does not keep the others from being read.
			await this.decideOutcomes(id, outcomesOfSession, mostRequests).catch(() => {});
		}
	}

	/**
	 * Brings the join links that the results do not have. The result of a person who was registered before the run, for example,
	 * says nothing else. The outcome of a person who is not found stays as it is.
	 */
	async bringJoinLinks(): Promise<void> {
		const people = this.plan.candidates.filter(
			({ outcome }) => outcome && isWithoutJoinLink(outcome),
		);
		for (const [sessionId, candidates] of groupBy(people, ({ row }) => row.sessionId)) {
			if (this.ledger.publicSessions.has(sessionId)) continue;
			// A failure with one session does not keep the others from being read.
			await this.addRecords(sessionId, candidates, mostRequestsForLinks).catch(() => {});
		}
	}

	private async addRecords(
		sessionId: string,
		people: readonly Candidate[],
		mostRequests: number,
	): Promise<void> {
		const list = await this.findRegistered(sessionId, people, mostRequests);
		for (const candidate of people) {
			const person = list?.people.get(candidate.address)?.person;
			if (candidate.outcome && person)
				setOutcome([candidate], { ...candidate.outcome, person }, 'list');
		}
	}

	private async findRegistered(
		sessionId: string,
		people: readonly Candidate[],
		mostRequests: number,
	): Promise<PeopleListed | undefined> {
		const addresses = people.map(({ address }) => address);
		const { clock } = this.parts;
		const { meter, view } = this.totals;
		const ask = meter.askFor(sessionId);
		return await findPeople(sessionId, addresses, mostRequests, ask, { clock, view });
	}

	private async decideOutcomes(
		sessionId: string,
		openOutcomes: readonly OpenOutcome[],
		mostRequests: number,
	): Promise<void> {
		const openPeople = openOutcomes.flatMap(({ people }) => people);
		const list = await this.findRegistered(sessionId, openPeople, mostRequests);
		if (!list) return;
		const { people: present, clockAheadMs } = list;
		for (const { job, people, results } of openOutcomes) {
			const [onlyPerson, ...more] = people;
			const [onlyResult] = results;
			const assigned =
				onlyPerson && onlyResult && more.length === 0
					? new Map([[onlyPerson, onlyResult]])
					: concludeFromList(people, results, present);
			for (const [candidate, result] of assigned) {
				const person = present.get(candidate.address);
				setOutcome([candidate], outcomeOfResult(job, result, { person, clockAheadMs }), 'list');
			}
		}
	}
}
