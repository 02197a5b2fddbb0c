import { Cancelled } from '../client/clock';
import { unlessAborted } from '../client/concurrently';
import { Failure } from '../client/failure';
import { Persistence } from '../client/patience';
import type { Ask } from '../client/request';
import { longestPauseMs } from '../client/retryPolicy';
import { meaningOf } from '../failures/meaning';
import { failedUntilTimeOver, ownReason, reasonOfError, type Reason } from '../people/outcome';
import { mayMeanNotYet } from '../jobs/jobRequests';
import { Line, type Turn } from './line';
import type { RegistrationRun } from './registrationRun';
import type { Ms } from '../values/units';

/** Requests that were under way when the time was over may bring their response for so long: each tells of up to fifty people. */
const graceMs = 3_000;
/** The signal is aborted with a text, because the stack of the usual error would keep the whole run in memory. */
const runIsOver = 'The run is over';

/** The result of a turn in which the request was not sent, which says nothing of the platform. */
export const unsent: unique symbol = Symbol('unsent');

/** The answer to a request, or why there will be none. */
export type Answer<Result> =
	| { readonly kind: 'answered'; readonly result: Result }
	| {
			readonly kind: 'none';
			readonly reason: Reason;
			readonly failure?: Failure;
	  };

/** Carries the requests of a run until each has its answer, and owns what stops them: what the platform says, and the end of the run. */
export class Carrier {
	readonly line: Line;
	/** It is aborted at the end of the run, because a response that comes later is too late. */
	private readonly end = new AbortController();
	readonly over = this.end.signal;

	constructor(private readonly run: RegistrationRun) {
		this.line = new Line(run.clock, run.client.usage, this.over, run.seen.outage);
		if (run.signal?.aborted) this.line.stop({ reason: this.reasonOf(new Cancelled()) });
		void this.endInTime();
	}

	/** Sends requests, and fails once the run is over. */
	readonly ask: Ask = (request) => {
		const refuse = () => Promise.reject(new Cancelled());
		return unlessAborted(this.over, this.run.client.send(request), refuse);
	};

	/** The reason for the people whom an error has kept from their outcome. */
	reasonOf(error: unknown): Reason {
		const isTimeOver = error instanceof Failure && error.cause === 'time_over';
		return isTimeOver ? this.reasonOfTimeOver() : reasonOfError(error, this.run.sessions);
	}

	/** Where the platform does not work, more time would not help, so people are told what it said and since when. A single failure may be chance. */
	private reasonOfTimeOver(): Reason {
		const { clock, sessions, seen } = this.run;
		const { latestFailure, persistence, sinceMs } = seen.outage;
		if (!latestFailure || persistence.failures === 1) return ownReason('time_over');
		const seconds = Math.round((clock.now() - sinceMs) / 1_000);
		return failedUntilTimeOver(seconds, reasonOfError(latestFailure, sessions));
	}

	/** Nothing is under way any more. */
	close(): void {
		this.end.abort(runIsOver);
	}

	/** Sends a request until it has an answer: again after failures that pass, as long as the run has patience, and not after what stops it. */
	async askPatiently<Result>(
		turn: Turn,
		request: () => Promise<Result>,
		recordLost: (sentAt: Ms) => void = () => {},
	): Promise<Answer<Result>> {
		const { line, run } = this;
		let { dueAt } = turn;
		const persistence = new Persistence('batch');
		for (;;) {
			const stopped = await line.wait({
				...turn,
				dueAt,
				isAhead: turn.isAhead || (persistence.failures > 0 && !turn.isRead),
			});
			if (stopped) return { kind: 'none', reason: stopped };
			const sentAt = run.clock.now();
			try {
				const result = await request();
				if (result !== unsent) line.recordResponse(turn);
				return { kind: 'answered', result };
			} catch (error) {
				const reason = this.reasonOf(error);
				if (!(error instanceof Failure)) {
					recordLost(sentAt);
					line.stop({ reason });
					// What stopped the run first is what people are told.
					return { kind: 'none', reason: line.reasonToStop(turn) ?? reason };
				}
				if (meaningOf(error).effectOnPerson === 'perhaps') recordLost(sentAt);
				const now = run.clock.now();
				const waitMs =
					this.mayPass(error, turn, sentAt) && !turn.isOnce
						? persistence.failed(now, { retryAt: error.retryAt })
						: undefined;
				if (waitMs === undefined) return { kind: 'none', reason, failure: error };
				dueAt = () => now + waitMs;
			} finally {
				line.leave(turn);
			}
		}
	}

	/** Whether the request may be sent again after a failure, which may stop the session or the run. */
	private mayPass(failure: Failure, turn: Turn, sentAt: Ms): boolean {
		const { sessionId, isRead = false } = turn;
		const { isPassing = false } = meaningOf(failure);
		const mayPass = isPassing || isRead;
		// Where a job is not found, or its results are refused, that says nothing about other jobs: the results may lag behind its end.
		if (!(isRead && mayMeanNotYet(failure))) {
			const ends = this.run.seen.breaker.recordFailure(failure, sessionId);
			if (mayPass) this.line.recordFailure(failure, turn, sentAt);
			else if (failure.status !== undefined) this.line.recordResponse(turn);
			const isPointless = mayPass && this.isPointless(failure);
			const isSendingPointless = mayPass && !isRead && this.line.isSendingHopeless;
			const scope = isPointless || isSendingPointless ? 'run' : ends;
			const stop = {
				reason: this.reasonOf(failure),
				stopsSendingOnly: !mayPass || (isSendingPointless && !isPointless),
			};
			if (scope === 'run') this.line.stop(stop);
			if (scope === 'session') this.line.stop({ ...stop, sessionId });
		}
		return mayPass;
	}

	private isPointless({ retryAt = 0 }: Failure): boolean {
		const isTooLong = retryAt > this.run.clock.now() + longestPauseMs;
		return isTooLong || retryAt > (this.run.deadlineAt ?? Infinity) || this.line.isHopeless;
	}

	/** Ends the run when its time is over: no more requests leave, and those that have left may still come back. A cancelled run waits for nothing. */
	private async endInTime(): Promise<void> {
		const { clock, signal, sessions, deadlineAt = Infinity } = this.run;
		const { over, line } = this;
		const overOrCancelled = AbortSignal.any(signal ? [over, signal] : [over]);
		try {
			await clock.sleep(deadlineAt - clock.now(), overOrCancelled);
			line.stop({ reason: this.reasonOfTimeOver() });
			await clock.sleep(graceMs, overOrCancelled);
		} catch (error) {
			if (!over.aborted) line.stop({ reason: reasonOfError(error, sessions) });
		}
		this.close();
	}
}
