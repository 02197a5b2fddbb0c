import { attributesOf } from '../client/document';
import { largestPage } from '../client/pages';
import { concludeFromList } from './assign';
import { findPeople, type PeopleListed } from '../people/findPeople';
import { isWithoutJoinLink, type Outcome } from '../people/outcome';
import { groupBy } from '../values/collections';
import { setOutcome, type Candidate } from './candidate';
import { outcomeOfResult, type Ledger, type OpenOutcome } from './ledger';
import { mostTasksInBatch, type Plan } from './plan';
import { mostRequestsForLists } from './lostAnswer';
import type { RunParts, RunTotals } from './runParts';

/** The most requests for the join links of one session: a page, which says how long the list is, and the people of one full batch. */
const mostRequestsForLinks = 1 + mostTasksInBatch;

export class RegisteredList {
	private readonly listedSessions = new Set<string>();

	constructor(
		private readonly plan: Pick<Plan, 'candidates' | 'batches'>,
		private readonly ledger: Ledger,
		private readonly parts: Pick<RunParts, 'api' | 'clock' | 'sessions'>,
		private readonly totals: RunTotals,
	) {}

	/**
	 * Asks who is registered where the results did not say whose they are, or whether this run has registered somebody. The likely
	 * outcomes come last, with one request for each session, so that they take nothing from the doubts. An outcome about which the
	 * list says nothing stays as it is.
	 */
	async decideOpenOutcomes(): Promise<void> {
		const { openOutcomes } = this.ledger;
		const { usage } = this.parts.api;
		const lastRequestNumber = usage.requests + mostRequestsForLists(this.plan.batches.length);
		const doubts = openOutcomes.filter(({ isLikely }) => !isLikely);
		const likely = openOutcomes.filter(({ isLikely }) => isLikely);
		await this.decideBySession(doubts, lastRequestNumber);
		await this.decideBySession(likely, lastRequestNumber, 1);
	}

	/**
	 * Brings the records of people who were registered before the run, because their results do not have them. It sends one request
	 * for each session, and only where one request can bring all of its records.
	 */
	async bringRecords(): Promise<void> {
		const isWithoutRecord = ({ status, person }: Outcome) =>
			status === 'already_registered' && !person;
		for (const [sessionId, people] of this.peopleBySession(isWithoutRecord)) {
			if (this.listedSessions.has(sessionId)) continue;
			if (people.length > 1 && !this.mayFitOnPage(sessionId)) continue;
			await this.addRecords(sessionId, people, 1);
		}
	}

	/**
	 * Brings the join links that the results do not have. The result of a person who was registered before the run, for example,
	 * says nothing else. The outcome of a person who is not found stays as it is.
	 */
	async bringJoinLinks(): Promise<void> {
		for (const [sessionId, people] of this.peopleBySession(isWithoutJoinLink)) {
			// A failure with one session does not keep the others from being read.
			await this.addRecords(sessionId, people, mostRequestsForLinks).catch(() => {});
		}
	}

	private peopleBySession(isMissing: (outcome: Outcome) => boolean): Map<string, Candidate[]> {
		const people = this.plan.candidates.filter(({ outcome }) => outcome && isMissing(outcome));
		const bySession = groupBy(people, ({ row }) => row.sessionId);
		for (const sessionId of this.ledger.publicSessions) bySession.delete(sessionId);
		return bySession;
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

	/** The people count whom the session had when it was read, and those whom the run has added. */
	private mayFitOnPage(sessionId: string): boolean {
		const session = this.parts.sessions.find(sessionId)?.session ?? {};
		const { registrants_count: countBefore } = attributesOf(session);
		const added = this.plan.candidates.filter(
			({ row, outcome }) => row.sessionId === sessionId && outcome?.status === 'registered',
		);
		return typeof countBefore !== 'number' || countBefore + added.length <= largestPage;
	}

	private async decideBySession(
		openOutcomes: readonly OpenOutcome[],
		lastRequestNumber: number,
		mostForSession = Infinity,
	): Promise<void> {
		const { usage } = this.parts.api;
		for (const [id, outcomesOfSession] of groupBy(openOutcomes, ({ job }) => job.sessionId)) {
			if (this.ledger.publicSessions.has(id)) continue;
			const mostRequests = Math.min(mostForSession, lastRequestNumber - usage.requests);
			// A failure with one session does not keep the others from being read.
			await this.decideOutcomes(id, outcomesOfSession, mostRequests).catch(() => {});
		}
	}

	private async decideOutcomes(
		sessionId: string,
		openOutcomes: readonly OpenOutcome[],
		mostRequests: number,
	): Promise<void> {
		this.listedSessions.add(sessionId);
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
