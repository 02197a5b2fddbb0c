import type { JobState } from '../dialect/jobs';
import { Cancelled } from '../client/clock';
import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { Persistence } from '../client/retry';
import type { RecordView } from '../records/recordView';
import { needsCounts } from '../jobs/assign';
import type { Batch } from './candidate';
import { pauseBeforeReadMs, readJobState, type TaskReader } from '../jobs/jobRequests';
import { readTaskResult, type TaskResult } from '../jobs/taskResult';
import type { Ms } from '../values/units';

/** A job that the platform has accepted. */
export interface SentJob extends Batch {
	readonly id: string;
	readonly accepted: JobState;
	readonly acceptedAt: Ms;
	status: string;
	/** How many tasks succeeded, where the platform has said so at the end. */
	succeeded?: number;
	/** That was asked because of equal results, and could not be read. */
	isUncounted?: boolean;
	/** The platform gave the same id to another job, so that nobody knows whose the results are. */
	isIdShared?: boolean;
}

/** A job is guessed to take so long until one has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/**
 * Owns when jobs are read first: how long they take is learned from those already read, and they end in about the order in which they
 * were accepted. While one of them is not over the ones behind it are not asked for either.
 */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	private heldUntil = 0;
	private inTimeInARow = 0;
	/** The platform has hidden the results of a running job that had some. */
	hidesResults = false;

	/** Where a job that has just been read was not over, the next one will hardly be, and asking for hidden results would be wasted. */
	get asksForStateFirst(): boolean {
		return this.hidesResults && this.inTimeInARow === 0;
	}

	dueAt(acceptedAt: Ms, readsInFlight: number): Ms {
		// Two jobs are read at once, in case one read hangs, and one more for each read that came in time.
		if (readsInFlight >= 2 + this.inTimeInARow) return Infinity;
		return Math.max(this.heldUntil, acceptedAt + this.expectedMs);
	}

	/** Records that a job was not over when it was first read. `share`: the part of its tasks that were done, from 0 to 1. */
	recordEarly(ageMs: Ms, share: number, readAgainAt: Ms): void {
		// As long as no job was over when it was read, progress alone predicts how long jobs take. Without any it is guessed to be half done.
		const wholeMs = ageMs / (share > 0 ? share : 0.5);
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.inTimeInARow = 0;
		this.heldUntil = readAgainAt;
	}

	/** A first read shows only that the job was over by then. If a higher age counted, the estimate could only grow. */
	recordEnd(ageMs: Ms, isFirstRead: boolean): void {
		if (isFirstRead) this.inTimeInARow += 1;
		if (!isFirstRead || ageMs < this.expectedMs) this.expectedMs = ageMs;
		this.isLearned = true;
	}
}

/** The run repeats a read that fails, so the client does not. */
const retry = 'onlyWhenRefused';

/** The counts of a job cannot be read, or come after the end of the run: what its results say by address is believed all the same. */
function noneIfUnread(error: unknown): undefined {
	if (!(error instanceof Failure) && !(error instanceof Cancelled)) throw error;
}

/** Reads one job until it is over. One result for each task proves the end; where results show no progress, the state of the job decides. */
export class JobReading {
	readAt?: Ms;
	/** Those that the latest read has shown. */
	results: readonly TaskResult[] = [];
	/** How many tasks were done when the job was read last. */
	private done = 0;
	private isOver = false;
	private readonly shortReads = new Persistence('lateResults');

	constructor(
		private readonly job: SentJob,
		private readonly tasks: TaskReader,
		private readonly view?: RecordView,
	) {}

	/** Whether there will be no more results. Otherwise the job is to be read again at `readAt`. */
	async read(ask: Ask, now: () => Ms, firstReads: FirstReads): Promise<boolean> {
		const { job } = this;
		const isFirstRead = this.readAt === undefined;
		const isOver = await this.isFinished(ask, firstReads);
		const nowMs = now();
		const ageMs = nowMs - job.acceptedAt;
		if (!isOver) {
			this.readAt = nowMs + pauseBeforeReadMs(ageMs);
			if (isFirstRead) firstReads.recordEarly(ageMs, this.done / job.people.length, this.readAt);
			return false;
		}
		// The list of results may lag behind the end.
		const waitMs =
			this.results.length < job.people.length ? this.shortReads.failed(nowMs) : undefined;
		if (waitMs !== undefined) {
			this.readAt = nowMs + waitMs;
			return false;
		}
		firstReads.recordEnd(ageMs, isFirstRead);
		if (job.status === 'processing') {
			// Section 3.1 derives the status from the results.
			job.status = this.results.every(({ status }) => status === 'registered') ? 'ended' : 'failed';
		}
		return true;
	}

	private async isFinished(ask: Ask, firstReads: FirstReads): Promise<boolean> {
		const { job } = this;
		// Results may move from page to page while the job runs.
		const mayReadEarly = !this.isOver && !this.tasks.hasSmallPages && !firstReads.asksForStateFirst;
		let isRefused = false;
		if (mayReadEarly) {
			const seen = this.results.length;
			const tasks = await this.tasks.readEarly(ask, job.id, { retry });
			isRefused = tasks instanceof Failure;
			if (!(tasks instanceof Failure)) this.results = this.resultsIn(tasks);
			if (this.results.length >= job.people.length && !this.tasks.hasSmallPages) {
				if (needsCounts(job.people, this.results)) {
					// All results are there, so that the run does not repeat this read, and the client does.
					const state = await readJobState(ask, job.id).catch(noneIfUnread);
					job.isUncounted = state === undefined;
					// Before the end the counts may lag behind the results.
					if (state?.isFinal) job.succeeded = state.succeeded;
				}
				return true;
			}
			this.done = this.results.length;
			if (this.results.length > seen) return false;
		}
		if (!this.isOver) {
			const state = await readJobState(ask, job.id, retry);
			this.done = Math.max(this.results.length, state.processed ?? 0);
			if (!state.isFinal) {
				firstReads.hidesResults ||= isRefused || (this.done > 0 && this.results.length === 0);
				return false;
			}
			this.isOver = true;
			job.status = state.status;
			job.succeeded = state.succeeded;
		}
		this.results = this.resultsIn(await this.tasks.read(ask, job.id, { retry }));
		return true;
	}

	private resultsIn(tasks: Parameters<typeof readTaskResult>[0][]): TaskResult[] {
		return tasks.flatMap((task) => readTaskResult(task, this.view) ?? []);
	}
}
