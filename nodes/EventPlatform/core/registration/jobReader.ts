import type { JobState } from '../dialect/jobs';
import type { Clock } from '../client/clock';
import { Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { Persistence } from '../client/patience';
import type { RecordView } from '../records/recordView';
import type { Batch } from './candidate';
import { readJobState, type TaskReader } from '../jobs/jobRequests';
import { pauseBeforeReadMs, type FirstReads } from '../jobs/whenRead';
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
	/** The platform gave the same id to another job, so that nobody knows whose the results are. */
	isIdShared?: boolean;
}

/** What all jobs of a run are read with. */
interface JobReaderRun {
	readonly ask: Ask;
	readonly clock: Pick<Clock, 'now'>;
	readonly tasks: TaskReader;
	readonly firstReads: FirstReads;
	readonly view?: RecordView;
}

/** The run repeats a read that fails, so the client does not. */
export const retryOfReads = 'onlyWhenRateLimited';

/**
 * Reads one job until it is over; `../jobs/whenRead.ts` says when. The results are read first, because one for each task proves the end.
 * Where they show no progress, the state says whether the job is over. The state is read first where results are worth nothing before the
 * end: they come in several pages, between which they move, or the platform hides them and jobs are read too early.
 */
export class JobReader {
	/** Those that the latest read has shown. */
	results: readonly TaskResult[] = [];
	/** When the job is to be read again. Absent: it has not been read. */
	private readAt?: Ms;
	/** How many tasks were done when the job was read last. */
	private done = 0;
	private readonly incompleteReads = new Persistence('lateResults');

	constructor(
		private readonly job: SentJob,
		private readonly run: JobReaderRun,
	) {}

	get hasRead(): boolean {
		return this.readAt !== undefined;
	}

	/** When the job is to be read. */
	dueAt(readsInFlight: number): Ms {
		return this.readAt ?? this.run.firstReads.dueAt(this.job.acceptedAt, readsInFlight);
	}

	/** Whether there will be no more results. Otherwise the job is to be read again. */
	async read(): Promise<boolean> {
		const { job } = this;
		const { firstReads, clock } = this.run;
		const isFirstRead = !this.hasRead;
		const isOver = await this.readWhatThereIs();
		const nowMs = clock.now();
		const ageMs = nowMs - job.acceptedAt;
		if (!isOver) {
			this.readAt = nowMs + pauseBeforeReadMs(ageMs);
			if (isFirstRead) firstReads.recordEarly(ageMs, this.done / job.people.length, this.readAt);
			return false;
		}
		// The list of results may lag behind the end.
		const waitMs =
			this.results.length < job.people.length ? this.incompleteReads.failed(nowMs) : undefined;
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

	/** Reads results, state, or both. Gives whether the job is over, after which the results were read. */
	private async readWhatThereIs(): Promise<boolean> {
		const { tasks, firstReads } = this.run;
		if (!this.isOver) {
			const areResultsFirst = !tasks.hasSmallPages && !firstReads.asksForStateFirst;
			const early = areResultsFirst ? await this.readEarly() : undefined;
			if (early === 'all') return true;
			if (early === 'more') return false;
			await this.readState();
			if (!this.isOver) {
				const areHidden = early === 'refused' || (this.done > 0 && this.results.length === 0);
				if (areHidden) firstReads.recordHiddenResults();
				return false;
			}
		}
		this.results = this.resultsIn(await tasks.read(this.job.id));
		return true;
	}

	/** The state has said so. */
	private get isOver(): boolean {
		return this.job.status !== 'processing';
	}

	/** Reads results of a job that may not be over. Gives what they show: one for each task, more than before, or nothing new. */
	private async readEarly(): Promise<'all' | 'more' | 'nothingNew' | 'refused'> {
		const { job } = this;
		const { tasks } = this.run;
		const early = await tasks.readEarly(job.id);
		if (early instanceof Failure) return 'refused';
		const seen = this.results.length;
		this.results = this.resultsIn(early);
		this.done = this.results.length;
		if (this.done >= job.people.length && !tasks.hasSmallPages) return 'all';
		return this.done > seen ? 'more' : 'nothingNew';
	}

	private async readState(): Promise<void> {
		const { job } = this;
		const state = await readJobState(this.run.ask, job.id, retryOfReads);
		this.done = Math.max(this.results.length, state.processed ?? 0);
		if (!state.isFinal) return;
		job.status = state.status;
		job.succeeded = state.succeeded;
	}

	private resultsIn(tasks: Parameters<typeof readTaskResult>[0][]): TaskResult[] {
		return tasks.flatMap((task) => readTaskResult(task, this.run.view) ?? []);
	}
}
