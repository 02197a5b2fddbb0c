import type { JobState } from '../jobs/jobState';
import { assign, type OrderSeen } from './assign';
import type { Outcome, SentJob } from './person';
import type { Plan } from './plan';
import { sameAddress } from '../jobs/address';
import { distinctReasons, statusOf, type Reason, type TaskResult } from '../jobs/taskResult';

/** People of a job whose results could not be told apart. */
export interface OpenQuestion {
	job: SentJob;
	/** By their place in the input. */
	people: number[];
	/** As `sameAddress` writes them. */
	emails: string[];
	/** Theirs, in whatever order; as many as there are people, or some are missing. */
	oneOf: readonly TaskResult[];
}

/** What became of each person: exactly one outcome, written once. */
export class Ledger {
	readonly jobs: SentJob[] = [];
	readonly questions: OpenQuestion[] = [];
	private order: OrderSeen = { inPlace: 0, isBroken: false };

	constructor(private readonly plan: Plan) {}

	/** A job was accepted. */
	open(id: string, sessionId: string, people: readonly number[]): SentJob {
		const job = {
			id,
			sessionId,
			people,
			status: 'processing',
			processed: 0,
			succeeded: 0,
			failed: 0,
		};
		this.jobs.push(job);
		return job;
	}

	sawState(job: SentJob, state?: JobState): void {
		if (!state) return;
		job.processed = state.processed ?? job.processed;
		job.succeeded = state.succeeded ?? job.succeeded;
		job.failed = state.failed ?? job.failed;
		if (state.isFinal) job.status = state.status;
	}

	/** Writes what the results say. */
	close(job: SentJob, results: readonly TaskResult[]): void {
		const emails = job.people.map((index) => sameAddress(this.plan.people[index]?.email ?? ''));
		const assigned = assign(emails, results, this.order);
		this.order = assigned.order;
		const open: number[] = [];
		for (const [place, index] of job.people.entries()) {
			const result = assigned.results[place];
			if (result) this.settle([index], outcomeOf(result, job.id));
			else open.push(place);
		}
		if (open.length > 0) this.ask(job, open, emails, assigned.left);
		job.processed = results.length;
		job.succeeded = results.filter(({ succeeded }) => succeeded).length;
		job.failed = job.processed - job.succeeded;
		// Section 3.1, unless the platform has said so itself.
		if (job.status === 'processing') job.status = job.failed > 0 ? 'failed' : 'ended';
	}

	/** All of them share the outcome. */
	settle(people: readonly number[], outcome: Outcome): void {
		const { outcomes } = this.plan;
		for (const index of people) outcomes[index] ??= outcome;
	}

	outcomes(): Outcome[] {
		return this.plan.outcomes.map((outcome) => outcome ?? forgotten);
	}

	/** Answers that were found otherwise. */
	answer({ job, people }: OpenQuestion, results: ReadonlyArray<TaskResult | undefined>): void {
		for (const [place, index] of people.entries()) {
			const result = results[place];
			if (result) this.plan.outcomes[index] = outcomeOf(result, job.id);
		}
	}

	/** Unknown until it is found out otherwise. */
	private ask(
		job: SentJob,
		places: readonly number[],
		emails: readonly string[],
		oneOf: readonly TaskResult[],
	): void {
		const people = places.map((place) => job.people[place] ?? -1);
		if (oneOf.length === 0) return this.settle(people, missing(job.id));
		const errors = [ambiguous, ...distinctReasons(oneOf)];
		this.settle(people, { status: 'unknown', jobId: job.id, errors });
		this.questions.push({ job, people, emails: places.map((place) => emails[place] ?? ''), oneOf });
	}
}

function outcomeOf(result: TaskResult, jobId: string): Outcome {
	const status = statusOf(result);
	const errors = status === 'failed' ? result.errors : none;
	return { status, jobId, person: result.person, errors };
}

const none: readonly Reason[] = [];
const ambiguous: Reason = {
	code: 'not_assignable',
	message:
		'The platform did not say whose results these are: one of the following is for this person.',
};

/** For those whose job nobody waited for. */
const forgotten: Outcome = {
	status: 'unknown',
	errors: [{ code: 'not_awaited', message: 'Sent; nobody waited for the result.' }],
};

function missing(jobId: string): Outcome {
	const message = 'The job is over, but the platform gave no result for this person.';
	return { status: 'unknown', jobId, errors: [{ code: 'no_result', message }] };
}
