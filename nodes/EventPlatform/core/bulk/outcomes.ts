import type { JobState } from '../jobs/jobState';
import { distinctReasons, sameAddress, type Reason, type TaskResult } from '../jobs/taskResult';
import { assign, orderProof, type OrderSeen } from './assign';
import { outcomeOf, type Outcome } from './outcome';
import type { Plan } from './plan';

/** The job and its people, by their place in the input. */
export interface SentJob {
	readonly id: string;
	readonly sessionId: string;
	readonly people: readonly number[];
	/** Section 3.1, as last read or as its results say. */
	status: string;
	processed: number;
	succeeded: number;
	failed: number;
}

/** People of a job whose results could not be told apart. */
export interface OpenQuestion {
	readonly job: SentJob;
	/** By their place in the input. */
	readonly people: readonly number[];
	/** As `sameAddress` writes them. */
	readonly emails: readonly string[];
	/** Theirs, in whatever order; as many as there are people, or some are missing. */
	readonly oneOf: readonly TaskResult[];
}

/** Owns what became of each person and of each job. The first outcome of a person stays. */
export class Outcomes {
	readonly jobs: SentJob[] = [];
	private readonly known: Array<Outcome | undefined>;
	private readonly questions: OpenQuestion[] = [];
	private order: OrderSeen = { inPlace: 0, isBroken: false };
	/** The sessions for whose people the platform gave this job id. */
	private readonly sessionsOfId = new Map<string, string[]>();
	private readonly finalStates = new Map<SentJob, JobState>();
	/** By session; only where a result bears an address that its job does not have. */
	private readonly emailsOfRun = new Map<string, ReadonlySet<string>>();

	constructor(
		private readonly plan: Plan,
		private readonly proof = orderProof,
		private readonly onJob?: (job: SentJob) => void,
	) {
		this.known = [...plan.outcomes];
	}

	accepted(id: string, sessionId: string, people: readonly number[]): SentJob {
		const counts = { processed: 0, succeeded: 0, failed: 0 };
		const job = { id, sessionId, people, status: 'processing', ...counts };
		this.jobs.push(job);
		this.onJob?.(job);
		this.sessionsOfId.set(id, [...(this.sessionsOfId.get(id) ?? []), sessionId]);
		return job;
	}

	sawState(job: SentJob, state?: JobState): void {
		if (!state) return;
		job.processed = state.processed ?? job.processed;
		job.succeeded = state.succeeded ?? job.succeeded;
		job.failed = state.failed ?? job.failed;
		if (!state.isFinal) return;
		job.status = state.status;
		this.finalStates.set(job, state);
	}

	/** The job is over, and these are its results. */
	close(job: SentJob, given: readonly TaskResult[]): void {
		const sessions = this.sessionsOfId.get(job.id) ?? [];
		// An address names a person within one session only.
		const results = sessions.every((id) => id === job.sessionId) ? given : [];
		const emails = job.people.map((index) => sameAddress(this.plan.people[index]?.email ?? ''));
		const onlyByEmail = this.isContradicted(job, emails, results);
		const assigned = assign(emails, results, this.order, { proof: this.proof, onlyByEmail });
		this.order = assigned.order;
		const open: number[] = [];
		for (const [place, index] of job.people.entries()) {
			const result = assigned.results[place];
			if (result) this.settle([index], outcomeOf(result, job.id));
			else open.push(place);
		}
		const people = open.map((place) => job.people[place] ?? -1);
		if (open.length > 0 && onlyByEmail) this.settle(people, contradictory(job.id, assigned.left));
		else if (open.length > 0) this.leaveOpen(job, open, emails, assigned.left);
		this.finalStates.delete(job);
		job.processed = results.length;
		job.succeeded = results.filter(({ succeeded }) => succeeded).length;
		job.failed = job.processed - job.succeeded;
		// Section 3.1, unless the platform has said so itself.
		if (job.status === 'processing') job.status = job.failed > 0 ? 'failed' : 'ended';
	}

	/** The same for all of them, as far as they have no outcome yet. */
	settle(people: readonly number[], outcome: Outcome): void {
		for (const index of people) this.known[index] ??= outcome;
	}

	/** What asking who is registered may answer, by session. */
	openQuestions(): Map<string, OpenQuestion[]> {
		return groupBy(this.questions, ({ job }) => job.sessionId);
	}

	/** Replaces `unknown` where the answer says more. */
	answer({ job, people }: OpenQuestion, results: ReadonlyArray<TaskResult | undefined>): void {
		for (const [place, index] of people.entries()) {
			const result = results[place];
			if (result) this.known[index] = outcomeOf(result, job.id);
		}
	}

	all(): Outcome[] {
		return this.known.map((outcome) => outcome ?? notAwaited);
	}

	/** Whether what else the platform says shows that these are not the results of just this job. */
	private isContradicted(
		job: SentJob,
		emails: readonly string[],
		results: readonly TaskResult[],
	): boolean {
		if ((this.sessionsOfId.get(job.id)?.length ?? 0) > 1 || results.length > emails.length)
			return true;
		const { succeeded } = this.finalStates.get(job) ?? {};
		const isComplete = results.length === emails.length;
		const good = results.filter((result) => result.succeeded).length;
		const agrees = succeeded === undefined || !isComplete || succeeded === good;
		return !agrees || this.namesSomebodyElse(job, emails, results);
	}

	private namesSomebodyElse(
		{ sessionId }: SentJob,
		emails: readonly string[],
		results: readonly TaskResult[],
	): boolean {
		const own = new Set(emails);
		const others = results.flatMap(({ email = '' }) =>
			email === '' || own.has(email) ? [] : email,
		);
		if (others.length === 0) return false;
		let all = this.emailsOfRun.get(sessionId);
		if (!all) {
			const people = this.plan.people.filter((person) => person.sessionId === sessionId);
			all = new Set(people.map(({ email = '' }) => sameAddress(email)));
			this.emailsOfRun.set(sessionId, all);
		}
		return others.some((email) => all.has(email));
	}

	private leaveOpen(
		job: SentJob,
		places: readonly number[],
		emails: readonly string[],
		oneOf: readonly TaskResult[],
	): void {
		const people = places.map((place) => job.people[place] ?? -1);
		if (oneOf.length === 0) return this.settle(people, noResult(job.id));
		const errors = [notAssignable, ...distinctReasons(oneOf)];
		this.settle(people, { status: 'unknown', jobId: job.id, errors });
		this.questions.push({ job, people, emails: places.map((place) => emails[place] ?? ''), oneOf });
	}
}

const notAssignable: Reason = {
	code: 'not_assignable',
	message:
		'The platform did not say whose results these are: one of the following is for this person.',
};

function contradictory(jobId: string, left: readonly TaskResult[]): Outcome {
	const message =
		'What the platform says about this job contradicts itself, so nothing is concluded from it. Look for the person on the platform, or run the same people again.';
	const errors = [{ code: 'contradictory', message }, ...distinctReasons(left)];
	return { status: 'unknown', jobId, errors };
}

const notAwaited: Outcome = {
	status: 'unknown',
	errors: [{ code: 'not_awaited', message: 'Sent; nobody waited for the result.' }],
};

function noResult(jobId: string): Outcome {
	const message = 'The job is over, but the platform gave no result for this person.';
	return { status: 'unknown', jobId, errors: [{ code: 'no_result', message }] };
}

export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const key = keyOf(one);
		const members = groups.get(key);
		if (members) members.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}
