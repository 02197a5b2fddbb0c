import { againAfterMs, Failure } from '../client/failure';
import type { JsonObject } from '../values/json';
import { pathTo, type ApiRequest, type Ask } from '../client/request';
import {
	expectJob,
	nextReadMs,
	readJobState,
	type JobState,
	type Progress,
} from '../jobs/jobState';
import { asTask, readTaskResult, type TaskReader, type TaskResult } from '../jobs/task';
import type { Candidate, Chunk, SentJob, Shipment } from './plan';
import type { Turn } from './turns';

export async function submit({ sessionId, people }: Chunk, all: readonly Candidate[], ask: Ask) {
	const tasks = people.flatMap((index) => all[index]?.wanted ?? []).map(asTask);
	const request: ApiRequest = {
		method: 'POST',
		path: pathTo`/sessions/${sessionId}/people/bulk`,
		body: { data: { type: 'jobs', attributes: { tasks } } } satisfies JsonObject,
		// Section 4: only here JSON:API's own type.
		contentType: 'application/vnd.api+json',
	};
	// Repeating is left to the run: it has to know what may have arrived. And a 2xx without a job may
	// be one that nobody can ask about.
	return expectJob(request, await ask(request));
}

/** Owns what is known of a job, and when it is read next. */
export class Job implements SentJob, Turn {
	readonly sessionId: string;
	readonly people: readonly number[];
	readonly lostAt?: number;
	/** As last read or as its results say. */
	status = 'processing';
	processed = 0;
	succeeded = 0;
	failed = 0;
	/** As the platform said when it was over. */
	final?: JobState;
	/** How far it was when it was accepted, and at each read that went well. */
	private progress: readonly Progress[];
	/** When it is to be read again; absent until it has been read. */
	private readAt?: number;
	/** Reads in a row that failed. */
	tries = 0;
	/** Reads after the end that did not bring all results. */
	private shortReads = 0;

	constructor(
		readonly id: string,
		{ sessionId, people, lostAt }: Shipment,
		private readonly acceptedAt: number,
		private readonly firstReads: FirstReads,
	) {
		this.sessionId = sessionId;
		this.people = people;
		this.lostAt = lostAt;
		this.progress = [{ at: acceptedAt, processed: 0 }];
	}

	get kind() {
		return this.readAt === undefined ? 'read' : 'readAgain';
	}

	/** So many tasks are processed, as its status or its results have shown. */
	get reached(): number {
		return this.progress.at(-1)?.processed ?? 0;
	}

	dueAt(reading: number): number {
		return this.readAt ?? this.firstReads.dueAt(this.acceptedAt, reading);
	}

	/**
	 * The results when it is over, which may lag behind and be fewer than its tasks; else how many are processed.
	 * Results are read first: one for every task proves the end. The status is asked for where they show no progress, and
	 * before them where they will hardly be there.
	 */
	async read(ask: Ask, tasks: TaskReader): Promise<TaskResult[] | number> {
		const { id, people, reached } = this;
		if (this.final) return await readResults(id, ask, tasks);
		const early = this.mayShowResults(tasks) ? await tasks.readEarly(ask, id) : [];
		const results = early instanceof Failure ? [] : resultsIn(early, tasks);
		const isComplete = results.length >= people.length && !tasks.hasSmallPages;
		if (isComplete && !repeatsFailure(results)) return results;
		if (!isComplete && results.length > reached) return results.length;
		const state = await readJobState(ask, id);
		this.shows(state);
		if (isComplete) return results;
		if (state.isFinal) return await readResults(id, ask, tasks);
		const processed = Math.max(reached, state.processed ?? 0);
		tasks.hidesEarly ||= early instanceof Failure || (results.length === 0 && processed > 0);
		return processed;
	}

	/** A platform that hides results until the end is asked for them only when a job is likely to be over. */
	private mayShowResults({ hasSmallPages, hidesEarly }: TaskReader): boolean {
		return !hasSmallPages && !(hidesEarly && this.firstReads.isTooEarly);
	}

	shows(state: JobState): void {
		this.processed = state.processed ?? this.processed;
		this.succeeded = state.succeeded ?? this.succeeded;
		this.failed = state.failed ?? this.failed;
		this.final = state.isFinal ? state : undefined;
		this.status = this.final?.status ?? this.status;
	}

	/** Takes in what a read gave. Gives the results once there is nothing more to wait for. */
	found(read: TaskResult[] | number, now: number): TaskResult[] | undefined {
		const ageMs = now - this.acceptedAt;
		const isFirst = this.progress.length === 1;
		const tasks = this.people.length;
		this.tries = 0;
		if (typeof read === 'number') {
			this.progress = [...this.progress, { at: now, processed: read }];
			this.readAt = now + nextReadMs(this.progress, tasks);
			if (isFirst) this.firstReads.cameTooEarly(ageMs, read / tasks, this.readAt);
			return undefined;
		}
		const isShort = read.length < tasks;
		const againMs = isShort ? againAfterMs('lateResults', (this.shortReads += 1)) : undefined;
		if (againMs !== undefined) {
			this.readAt = now + againMs;
			return undefined;
		}
		this.firstReads.sawEnd(ageMs, isFirst);
		return read;
	}

	close(results: readonly TaskResult[]): void {
		this.processed = results.length;
		this.succeeded = results.filter(({ status }) => status === 'registered').length;
		this.failed = this.processed - this.succeeded;
		// Section 3.1, unless the platform has said so itself.
		if (!this.final) this.status = this.failed > 0 ? 'failed' : 'ended';
	}

	/** A read has failed. */
	again(tries: number, notBefore: number): this {
		this.tries = tries;
		this.readAt = notBefore;
		return this;
	}
}

/** The same failure twice may be one that stands instead of another result: the counts tell. */
function repeatsFailure(results: readonly TaskResult[]): boolean {
	const failures = results.filter(({ status }) => status === 'failed');
	return new Set(failures.map(({ errors }) => JSON.stringify(errors))).size < failures.length;
}

async function readResults(id: string, ask: Ask, tasks: TaskReader): Promise<TaskResult[]> {
	return resultsIn(await tasks.read(ask, id), tasks);
}

function resultsIn(rows: readonly JsonObject[], { show }: TaskReader): TaskResult[] {
	return rows.flatMap((row) => readTaskResult(row, show) ?? []);
}

/** A guess until a job has been read: fifty people at 20 ms each, and half a second to begin. */
const firstGuessMs = 1_500;

/** Owns when jobs are read first: how long they take is learned from those already read. */
export class FirstReads {
	private expectedMs = firstGuessMs;
	private isLearned = false;
	/** First reads in a row that found the job over; below zero: that came too early. */
	private inTime = 0;
	private notBefore = 0;

	dueAt(acceptedAt: number, reading: number): number {
		// Two at once, in case one is never answered, and one more for each that came in time.
		if (reading >= Math.max(this.inTime, 0) + 2) return Infinity;
		return Math.max(this.notBefore, acceptedAt + this.expectedMs);
	}

	/** Whether the last job that was read for the first time was not over. */
	get isTooEarly(): boolean {
		return this.inTime < 0;
	}

	cameTooEarly(ageMs: number, share: number, readAgainAt: number): void {
		const wholeMs = share > 0 ? ageMs / share : 2 * ageMs;
		// Until a job has been seen over, what progress predicts is all there is.
		if (!this.isLearned) this.expectedMs = Math.max(this.expectedMs, wholeMs);
		this.inTime = Math.min(this.inTime, 0) - 1;
		// One slow job is chance; after two the next ones would not be over either.
		if (this.inTime < -1) this.notBefore = readAgainAt;
	}

	sawEnd(ageMs: number, isFirst: boolean): void {
		// A first read shows no more than that it was over by then: a higher age would let the estimate only grow.
		if (!isFirst || ageMs < this.expectedMs) {
			this.expectedMs = this.isLearned ? (this.expectedMs + ageMs) / 2 : ageMs;
		}
		this.isLearned = true;
		if (isFirst) this.inTime = Math.max(this.inTime, 0) + 1;
	}
}
