import { Failure, type Cause } from '../http/failure';
import type { Ask } from '../http/ports';
import { pathTo } from '../http/path';
import { expectJob } from '../jobs/jobState';
import { readTaskResult, statusOf, type TaskResult } from '../jobs/taskResult';
import { TaskReader } from '../jobs/tasks';
import type { OpenJob, Readable, Found } from './await';
import type { Owners } from './ending';
import { conclude, whoIsThere } from './presence';
import { stopReach } from './submit';

/** Reads jobs, and tells the owners what became of them. */
export class Reading {
	underWay = 0;
	private readonly tasks = new TaskReader();

	constructor(private readonly owners: Owners) {}

	async read(job: OpenJob): Promise<void> {
		const { jobs, outcomes, health, requests, ending, clock } = this.owners;
		const sentAt = clock.now();
		this.underWay += 1;
		try {
			const found = await readJob(job, requests.askFor(job.sent.sessionId), this.tasks);
			if (ending.isOver) return;
			health.answered();
			outcomes.sawState(job.sent, found.state);
			if (jobs.found(job, found, clock.now())) outcomes.close(job.sent, found.results ?? []);
		} catch (error) {
			if (!ending.isOver) this.failed(job, error, sentAt);
		} finally {
			this.underWay -= 1;
		}
	}

	/**
	 * Asks who is registered where the results did not say whose they are. It costs at most half as
	 * many requests as the plan, or fifty; what it does not find out stays unknown.
	 */
	async askWhoIsThere(): Promise<void> {
		const { outcomes, plan, requests } = this.owners;
		let budget = Math.max(50, plan.chunks.length);
		for (const [sessionId, questions] of outcomes.openQuestions()) {
			const emails = questions.flatMap((question) => question.emails);
			const before = requests.of(sessionId);
			const present = await whoIsThere(sessionId, emails, requests.askFor(sessionId), budget);
			budget -= requests.of(sessionId) - before;
			if (!present) continue;
			for (const question of questions) outcomes.answer(question, conclude(question, present));
		}
	}

	private failed(job: OpenJob, error: unknown, sentAt: number): void {
		const { jobs, health, ending, clock } = this.owners;
		const failure = error instanceof Failure ? error : undefined;
		const stop = ending.because(error, job.id);
		if (failure && failure.reason !== 'not_found') {
			health.failed(sentAt, clock.now(), failure);
		}
		if (!jobs.failed(job, clock.now(), failure?.retryAt)) ending.giveUp([job], stop);
		const everywhere = !failure || ending.isTooLate(failure) || health.isHopeless;
		const reach = failure && failure.reason !== 'not_found' ? stopReach(failure) : undefined;
		if (everywhere || reach === 'run') ending.stopAll(stop);
		else if (reach === 'session') ending.stopSession(stop, job.sent.sessionId);
	}
}

/**
 * Reads a job in as few requests as can be. The results are read first: a final result for every
 * task proves that the job is over. Only where they show no progress the status is asked for.
 */
export async function readJob(job: Readable, ask: Ask, tasks: TaskReader): Promise<Found> {
	if (job.isOver) {
		const results = await readResults(job, ask, tasks);
		return { results, processed: results.length };
	}
	const early = tasks.hasSmallPages ? [] : await readResults(job, ask, tasks);
	const isComplete = early.length >= job.tasks && !tasks.hasSmallPages;
	if (isComplete && !repeatsFailure(early)) return { results: early, processed: job.tasks };
	if (!isComplete && early.length > job.processed) return { processed: early.length };
	const request = { method: 'GET', path: pathTo`/jobs/${job.id}` } as const;
	const state = expectJob(request, await ask(request));
	if (isComplete) return { results: early, processed: job.tasks, state };
	if (!state.isFinal) return { processed: Math.max(state.processed ?? 0, early.length), state };
	const results = await readResults({ ...job, isOver: true }, ask, tasks);
	return { results, processed: job.tasks, state };
}

/** The same failure twice may be one that stands in the place of another result: the counts tell. */
function repeatsFailure(results: readonly TaskResult[]): boolean {
	const failures = results
		.filter((result) => statusOf(result) === 'failed')
		.map(({ errors }) => JSON.stringify(errors));
	return new Set(failures).size < failures.length;
}

async function readResults(
	{ id, isOver }: Readable,
	ask: Ask,
	tasks: TaskReader,
): Promise<TaskResult[]> {
	const rows = await tasks.read(ask, id).catch((error: unknown) => {
		// Some platforms have no results to show before the end.
		const isHidden = error instanceof Failure && noResults.has(error.reason);
		if (isHidden && !isOver) return [];
		throw error;
	});
	return rows.map(readTaskResult).filter((result) => result !== undefined);
}

const noResults: ReadonlySet<Cause> = new Set<Cause>(['not_found', 'page_out_of_range']);
