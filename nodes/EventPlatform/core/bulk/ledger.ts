import { isGeneratedAddress } from '../dialect/publicEvents';
import { ownReason, type Outcome } from '../people/outcome';
import { otherValuesOf, type Registration, type Row } from '../people/registration';
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
import { rowsAt, type Plan } from './plan';
import { outcomeOfResult } from './lostAnswer';

/** Some people of a job whose results leave a question open that the list of registered people may answer. */
export interface OpenOutcome {
	/** The job that they were sent with. */
	readonly job: Job;
	/** The indexes of their rows in the plan. */
	readonly indexes: readonly number[];
	/** The results of these people, in no certain order. */
	readonly results: TaskResult[];
}

/** Owns the outcome of each person. The first outcome of a person stays, unless the list of registered people shows another one. */
export class Ledger {
	/** The jobs that the platform has accepted. */
	readonly jobs: Job[] = [];
	/** The people about whom the list of registered people has to be asked. */
	readonly openOutcomes: OpenOutcome[] = [];
	/** The ids of sessions whose records show emails that the platform has made up. Nobody can be looked for by email there. */
	readonly publicSessions = new Set<string>();
	/** The ids of sessions whose records show emails as they were sent. */
	readonly sessionsThatKeepEmails = new Set<string>();
	/** People whose results say only in words that they are registered already, where nothing speaks against it. */
	readonly decidedByWords: OpenOutcome[] = [];
	/** The outcomes by the index of the person. Undefined: there is none yet. */
	private readonly outcomes: Array<Outcome | undefined>;
	/** The ids of the sessions of each job, by the id of the job, because some platforms give the same id to two jobs. */
	private readonly sessionIdsOfJob = new Map<string, string[]>();
	/** The knowledge about the order of results that the jobs so far have given. */
	private order = noOrder;

	constructor(private readonly plan: Plan) {
		this.outcomes = [...plan.outcomes];
	}

	/** Records a job that the platform has accepted. */
	recordJob(job: Job): void {
		this.jobs.push(job);
		const sessionIds = this.sessionIdsOfJob.get(job.id) ?? [];
		this.sessionIdsOfJob.set(job.id, [...sessionIds, job.sessionId]);
	}

	/** Records the outcomes of the people of a job that is over. Gives the results that are certainly of this job. */
	recordResults(job: Job, results: TaskResult[]): TaskResult[] {
		const { indexes, sessionId } = job;
		const sessionIds = this.sessionIdsOfJob.get(job.id) ?? [];
		// An address names a person within one session only, so results that may be of another session are not used.
		const ownResults = sessionIds.every((id) => id === sessionId) ? results : [];
		const addresses = this.addressesOf(indexes);
		const hasGeneratedAddress = ownResults.some(({ email = '' }) => isGeneratedAddress(email));
		const hasSentAddress = ownResults.some(({ email = '' }) => addresses.includes(email));
		if (hasGeneratedAddress) this.publicSessions.add(sessionId);
		if (hasSentAddress) this.sessionsThatKeepEmails.add(sessionId);
		const assigned = assign(addresses, ownResults, {
			order: this.order,
			succeeded: job.final?.succeeded,
			hasSharedId: sessionIds.length > 1,
			sentByOthers: this.sharedAddresses(indexes, ownResults),
		});
		const { open, unassigned, isContradicted } = assigned;
		this.order = assigned.order;
		for (const [position, index] of indexes.entries()) {
			this.recordResult(job, index, assigned.results[position]);
		}
		this.recordOutcome(indexes, outcomeLeftOpen(unassigned, isContradicted, job.id));
		const openIndexes = open.flatMap((position) => indexes[position] ?? []);
		if (open.length > 0) this.openOutcomes.push({ job, indexes: openIndexes, results: unassigned });
		return ownResults;
	}

	/** Records the same outcome for all of these people, as far as they have none yet. */
	recordOutcome(indexes: readonly number[], outcome: Outcome): void {
		for (const index of indexes) this.outcomes[index] ??= outcome;
	}

	/** Gives the outcome of a person; undefined where there is none yet. */
	outcomeOf(index: number): Outcome | undefined {
		return this.outcomes[index];
	}

	/** Replaces the outcome of a person by the one that the list of registered people shows. */
	replaceOutcome(index: number, outcome: Outcome): void {
		this.outcomes[index] = outcome;
	}

	/** Gives one outcome for each person, in the order of the input. */
	allOutcomes(): Outcome[] {
		const notAwaited: Outcome = { status: 'unknown', reasons: [ownReason('not_awaited')] };
		return this.outcomes.map((outcome) => outcome ?? notAwaited);
	}

	/** Collects the people whom a job is for, because a trigger that hears of its end may have to say whom the platform refused. */
	peopleOf({ sessionId, indexes }: Job): JobPeople {
		const rows = rowsAt(this.plan, indexes);
		const emails = rows.map(({ email = '' }) => email);
		const sentByOthers = addressesSentByOthers(rows.map(sentPersonOf));
		return { sessionId, emails, sentByOthers: sentByOthers.size > 0 ? sentByOthers : undefined };
	}

	/** Records the outcome that a result gives a person who has none yet, and the question that it leaves open. */
	private recordResult(job: Job, index: number, result: TaskResult | undefined): void {
		if (!result || this.outcomes[index]) return;
		this.outcomes[index] = outcomeOfResult(job, result);
		const openOutcome = { job, indexes: [index], results: [result] };
		// An earlier attempt of this run may have registered the person. Its response got lost.
		const mayBeByThisRun = job.lostAt !== undefined && result.status === 'already_registered';
		if (mayBeByThisRun) this.openOutcomes.push(openOutcome);
		else if (result.isByWords) this.decidedByWords.push(openOutcome);
	}

	/** Gives the addresses that other people of the job have sent, too; undefined where the results mention no addresses. */
	private sharedAddresses(
		indexes: readonly number[],
		results: readonly TaskResult[],
	): ReadonlySet<string> | undefined {
		if (!results.some(({ mentions }) => mentions)) return undefined;
		return addressesSentByOthers(rowsAt(this.plan, indexes).map(sentPersonOf));
	}

	/** Gives the registrations of these people. */
	registrationsOf(indexes: readonly number[]): Registration[] {
		return rowsAt(this.plan, indexes).map(({ registration }) => registration);
	}

	/** Gives the addresses of these people, as they are compared. */
	addressesOf(indexes: readonly number[]): string[] {
		return rowsAt(this.plan, indexes).map(({ address }) => address);
	}
}

/** Names a person by the texts that were sent. */
function sentPersonOf({ address, registration }: Row): SentPerson {
	return { address, otherTexts: otherValuesOf(registration) };
}
