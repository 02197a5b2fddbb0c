import { Failure, type Cause } from '../http/failure';
import type { Ask } from '../http/ports';
import { pathTo } from '../http/path';
import { expectJob } from '../jobs/jobState';
import { readTaskResult, type TaskResult } from '../jobs/task';
import type { TaskReader } from '../jobs/tasks';
import type { OpenJob, Readable, Found } from './openJobs';
import type { RunState } from './state';

/** Reads a job, and tells the owners what became of it. */
export async function collect(run: RunState, job: OpenJob): Promise<void> {
	const { jobs, outcomes, health, now: sentAt } = run;
	const { sent } = job;
	try {
		// A read that fails is tried again by the run: both together would multiply the attempts.
		const ask: Ask = (request) => run.askFor(sent.sessionId)({ ...request, isTriedBySender: true });
		const found = await readJob(job, ask, run.tasks);
		if (run.isOver) return;
		health.answered();
		outcomes.sawState(sent, found.state);
		if (jobs.found(job, found, run.now)) outcomes.close(sent, found.results ?? []);
	} catch (error) {
		if (!run.isOver) failed(run, job, error, sentAt);
	}
}

function failed(run: RunState, job: OpenJob, error: unknown, sentAt: number): void {
	const { jobs, health, now } = run;
	const why = run.because(error, job.id);
	const failure = error instanceof Failure ? error : undefined;
	if (!jobs.failed(job, now, failure?.retryAt)) run.giveUp([job], why);
	if (!failure) return run.stop(why);
	// That one job is not found concerns no other.
	if (failure.reason === 'not_found') return;
	health.failed(sentAt, now, failure);
	const { sessionId } = job.sent;
	const ends = run.isPointless(failure) ? 'run' : run.meanings.of(failure, sessionId).ends;
	if (ends !== undefined) run.stop(why, ends === 'run' ? undefined : sessionId);
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
		.filter(({ status }) => status === 'failed')
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
	return rows
		.map((row) => readTaskResult(row, tasks.show))
		.filter((result) => result !== undefined);
}

const noResults: ReadonlySet<Cause> = new Set<Cause>(['not_found', 'page_out_of_range']);
