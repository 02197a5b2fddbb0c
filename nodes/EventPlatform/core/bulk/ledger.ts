import { isGeneratedAddress } from '../dialect/publicEvents';
import { ownReason, type Outcome } from '../people/outcome';
import { otherValuesOf, type Row } from '../people/registration';
import {
	addressesSentByOthers,
	assign,
	noOrder,
	outcomeLeftOpen,
	type SentPerson,
} from '../jobs/assign';
import type { JobPeople } from '../jobs/jobPeople';
import type { TaskResult } from '../jobs/taskResult';
import type { Job } from './job';
import type { Mechanism } from './mechanism';
import { rowsAt, type Plan } from './plan';
import { outcomeOfResult } from './resultOutcome';

/** People of a job of whom the results leave something open that the list of who is registered may show. */
export interface OpenOutcome {
	/** The job that they were sent with. */
	readonly job: Job;
	/** The indexes of their rows in the plan. */
	readonly indexes: readonly number[];
	/** The results of these people, in any order. */
	readonly results: TaskResult[];
}

/** Owns what became of each person. The first outcome of a person stays, unless the list of who is registered shows another. */
export class Ledger {
	readonly jobs: Job[] = [];
	readonly openOutcomes: OpenOutcome[] = [];
	/** Sessions whose records show emails that the platform has made up: nobody can be looked for there. */
	readonly publicSessions = new Set<string>();
	/** Sessions whose records show emails as they were sent. */
	readonly sessionsThatKeepEmails = new Set<string>();
	/** People of whom only words say that they are registered already, and nothing speaks against it. */
	readonly decidedByWords: OpenOutcome[] = [];
	private readonly outcomes: Array<Outcome | undefined>;
	/** The sessions of each job, by its id: some platforms give the same id twice. */
	private readonly sessionsOf = new Map<string, string[]>();
	private order = noOrder;

	constructor(
		private readonly plan: Plan,
		private readonly without?: Mechanism,
	) {
		this.outcomes = [...plan.outcomes];
	}

	recordJob(job: Job): void {
		this.jobs.push(job);
		this.sessionsOf.set(job.id, [...(this.sessionsOf.get(job.id) ?? []), job.sessionId]);
	}

	/** Records the outcomes of the people of a job that is over. Gives the results that are certainly of this job. */
	recordResults(job: Job, results: TaskResult[]): TaskResult[] {
		const { indexes, sessionId } = job;
		const sessions = this.sessionsOf.get(job.id) ?? [];
		// An address names a person within one session only, so results that may be of another session are not used.
		const ownResults = sessions.every((session) => session === sessionId) ? results : [];
		const addresses = this.addressesOf(indexes);
		const hasGenerated = ownResults.some(({ email = '' }) => isGeneratedAddress(email));
		const hasSent = ownResults.some(({ email = '' }) => addresses.includes(email));
		if (hasGenerated) this.publicSessions.add(sessionId);
		if (hasSent) this.sessionsThatKeepEmails.add(sessionId);
		const assigned = assign(addresses, ownResults, {
			order: this.order,
			succeeded: job.final?.succeeded,
			isOfOthersToo: sessions.length > 1,
			sentByOthers: this.sharedAddresses(indexes, ownResults),
			mayProveOrder: this.without !== 'orderProof',
		});
		const { open, left, isContradicted } = assigned;
		this.order = assigned.order;
		for (const [position, index] of indexes.entries()) {
			this.recordResult(job, index, assigned.results[position]);
		}
		this.recordOutcome(indexes, outcomeLeftOpen(left, isContradicted, job.id));
		const openIndexes = open.flatMap((position) => indexes[position] ?? []);
		if (open.length > 0) this.openOutcomes.push({ job, indexes: openIndexes, results: left });
		return ownResults;
	}

	/** Records the same outcome for all of these people, as far as they have none yet. */
	recordOutcome(indexes: readonly number[], outcome: Outcome): void {
		for (const index of indexes) this.outcomes[index] ??= outcome;
	}

	/** Gives the outcome of a person; undefined: there is none yet. */
	outcomeOf(index: number): Outcome | undefined {
		return this.outcomes[index];
	}

	/** Replaces the outcome of a person by what the list of who is registered shows. */
	replaceOutcome(index: number, outcome: Outcome): void {
		this.outcomes[index] = outcome;
	}

	/** One outcome for each person, in the order of the input. */
	all(): Outcome[] {
		const notAwaited: Outcome = { status: 'unknown', reasons: [ownReason('not_awaited')] };
		return this.outcomes.map((outcome) => outcome ?? notAwaited);
	}

	/** Collects whom a job is for, because a trigger that hears of its end may have to say whom the platform refused. */
	peopleOf({ sessionId, indexes }: Job): JobPeople {
		const rows = rowsAt(this.plan, indexes);
		const emails = rows.map(({ email = '' }) => email);
		const shared = addressesSentByOthers(rows.map(sentPersonOf));
		return { sessionId, emails, sentByOthers: shared.size > 0 ? shared : undefined };
	}

	private recordResult(job: Job, index: number, result: TaskResult | undefined): void {
		if (!result || this.outcomes[index]) return;
		this.outcomes[index] = outcomeOfResult(job, result);
		const openOutcome = { job, indexes: [index], results: [result] };
		const isLost = job.lostAt !== undefined && result.status === 'already_registered';
		if (isLost) this.openOutcomes.push(openOutcome);
		else if (result.isByWords) this.decidedByWords.push(openOutcome);
	}

	/** The addresses that other people of the job have sent, too, where the results mention any. */
	private sharedAddresses(
		indexes: readonly number[],
		results: readonly TaskResult[],
	): ReadonlySet<string> | undefined {
		if (!results.some(({ mentions }) => mentions)) return undefined;
		return addressesSentByOthers(rowsAt(this.plan, indexes).map(sentPersonOf));
	}

	/** Gives the addresses of these people, as they are compared. */
	addressesOf(indexes: readonly number[]): string[] {
		return rowsAt(this.plan, indexes).map(({ address }) => address);
	}
}

/** Names a person by what was sent. */
export function sentPersonOf({ address, registration }: Row): SentPerson {
	return { address, others: otherValuesOf(registration) };
}
