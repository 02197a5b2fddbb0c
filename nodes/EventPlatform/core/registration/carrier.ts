import { Cancelled } from '../client/clock';
import { unlessAborted } from '../client/concurrently';
import { asFailure, Failure } from '../client/failure';
import { longestPauseMs, persist } from '../client/patience';
import type { Ask } from '../client/request';
import { isLasting, meaningOf } from '../failures/meaning';
import { failedUntilTimeOver, ownReason, reasonOfError, type Reason } from '../people/outcome';
import { mayMeanNotYet } from '../jobs/jobRequests';
import { Line, type Turn } from './line';
import type { RegistrationRun } from './registrationRun';
import type { Ms } from '../values/units';

/**
 * Requests that are under way when the time is over, and have time of their own (`endingAt`), may bring their response for so long. Who is not heard of
 * by then is unknown: to wait for all ten seconds would hold up a run whose time is over.
 */
const graceMs = 3_000;
/** The signal is aborted with a text, because the stack of the usual error would keep the whole run in memory. */
const runIsOver = 'The run is over';

/** The result of a turn in which nobody was sent, for a reason of ours. It says nothing of the platform. */
export const skipped: unique symbol = Symbol('skipped');

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
		this.line = new Line(run.clock, run.client.usage, this.over, run.findings.outage);
		// `endInTime` would stop the line a moment later, when the first requests have left it.
		if (run.signal?.aborted) this.line.stop({ reason: this.reasonOf(new Cancelled()) });
		void this.endInTime();
	}

	/**
	 * Sends a request. Fails once the run is over, because no response is waited for then. That nothing leaves any more is the client's work: it
	 * knows the deadline and the cancellation.
	 */
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
		const { clock, sessions, findings } = this.run;
		const { inRow, persistence } = findings.outage;
		if (!inRow || persistence.failures === 1) return ownReason('time_over');
		const seconds = Math.round((clock.now() - inRow.beganAt) / 1_000);
		return failedUntilTimeOver(seconds, reasonOfError(inRow.latest, sessions));
	}

	/** Nothing is under way any more. */
	close(): void {
		this.end.abort(runIsOver);
	}

	/** Sends a request until it has an answer: again after failures that may pass, as long as there is patience, and not after what stops it. */
	async askPatiently<Result>(turn: Turn, request: () => Promise<Result>): Promise<Answer<Result>> {
		const { clock } = this.run;
		let nextTurn = turn;
		const asking = persist('batch', () => this.askInTurn(nextTurn, request), {
			clock,
			mayTryAgain: (failure) => mayAskAgain(failure, turn),
			delayNext: (ms) => {
				const readyAt = clock.now() + ms;
				// People who were sent are in doubt until they are sent again. A read that failed has shown nothing.
				const isAhead = turn.isAhead || !turn.isRead;
				nextTurn = { ...turn, isAhead, dueAt: () => readyAt };
			},
		});
		return await this.answerOf(asking);
	}

	/** Sends a request when the line lets it leave. The run does not repeat it, whatever becomes of it; the client may (`afterResponse.ts`). */
	async askOnce<Result>(turn: Turn, request: () => Promise<Result>): Promise<Answer<Result>> {
		return await this.answerOf(this.askInTurn(turn, request));
	}

	private async answerOf<Result>(asking: Promise<Answer<Result>>): Promise<Answer<Result>> {
		const answer = await asking.catch(asFailure);
		if (!(answer instanceof Failure)) return answer;
		return { kind: 'none', reason: this.reasonOf(answer), failure: answer };
	}

	/** Sends a request when the line lets it leave, and records what its answer or its failure shows. */
	private async askInTurn<Result>(
		turn: Turn,
		request: () => Promise<Result>,
	): Promise<Answer<Result>> {
		const { line, run } = this;
		const stopped = await line.wait(turn);
		if (stopped) return { kind: 'none', reason: stopped };
		// It has left the line. In the token's queue it may wait again.
		const sentAt = run.clock.now();
		try {
			const result = await request();
			if (result !== skipped) {
				line.recordResponse(turn);
				// That a job can be read says nothing of what may be sent.
				if (!turn.isRead) run.findings.breaker.recordSuccess();
			}
			return { kind: 'answered', result };
		} catch (error) {
			return this.afterError(error, turn, sentAt);
		} finally {
			line.recordReturn(turn);
		}
	}

	/** Throws a failure, after which the request may be sent again. Anything else ends the run. */
	private afterError(error: unknown, turn: Turn, sentAt: Ms): Answer<never> {
		if (error instanceof Failure) {
			this.recordFailure(error, turn, sentAt);
			throw error;
		}
		const reason = this.reasonOf(error);
		this.line.stop({ reason });
		// What stopped the run first is what people are told.
		return { kind: 'none', reason: this.line.reasonToStop(turn) ?? reason };
	}

	/**
	 * Records a failure, and stops what would fail as well:
	 *
	 *   a read of results that may not be there yet   nothing: other jobs may have theirs
	 *   a refusal of the people in a request          nothing: the platform works
	 *   a lasting failure of a request with people    nothing more is sent, if it ends the session or the run (the breaker says so); jobs can be read
	 *   a lasting failure of a read                   nothing more leaves, if it ends the session or the run
	 *   a failure that may pass, or a firewall's      a pause, until the patience is over, or the platform asks for a longer one (`Outage`)
	 */
	private recordFailure(failure: Failure, turn: Turn, sentAt: Ms): void {
		if (turn.isRead && mayMeanNotYet(failure)) return;
		// What a firewall refuses may not have reached the platform, so a single request tries until one does.
		const isOfOutage = !isLasting(failure) || meaningOf(failure).mayBeAboutPeople;
		if (isOfOutage) this.recordOutage(failure, turn, sentAt);
		else this.recordLasting(failure, turn);
	}

	private recordLasting(failure: Failure, turn: Turn): void {
		const { sessionId, isRead } = turn;
		const ends = this.run.findings.breaker.recordFailure(failure, sessionId);
		// The platform works: it has said so in a response, if only to another request where the month is spent.
		if (failure.status !== undefined) this.line.recordResponse(turn, ends);
		const stop = { reason: this.reasonOf(failure), isOfSendingOnly: !isRead };
		if (ends === 'run') this.line.stop(stop);
		if (ends === 'session') this.line.stop({ ...stop, sessionId });
	}

	private recordOutage(failure: Failure, turn: Turn, sentAt: Ms): void {
		const { clock, deadlineAtMs = Infinity, findings } = this.run;
		const reason = this.reasonOf(failure);
		const now = clock.now();
		findings.outage.recordFailure(failure, turn, sentAt, now);
		const latestAt = Math.min(deadlineAtMs, now + longestPauseMs);
		const givenUp = findings.outage.givesUp(failure, turn, latestAt);
		if (givenUp === 'run') this.line.stop({ reason });
		if (givenUp === 'sending') this.line.stop({ reason, isOfSendingOnly: true });
	}

	/** Ends the run when its time is over: no more requests leave, and those that have left may still come back. A cancelled run waits for nothing. */
	private async endInTime(): Promise<void> {
		const { clock, signal, sessions, deadlineAtMs = Infinity } = this.run;
		const { over, line } = this;
		const overOrCancelled = AbortSignal.any(signal ? [over, signal] : [over]);
		try {
			await clock.sleep(deadlineAtMs - clock.now(), overOrCancelled);
			line.stop({ reason: this.reasonOfTimeOver() });
			await clock.sleep(graceMs, overOrCancelled);
		} catch (error) {
			if (over.aborted) return;
			line.stop({ reason: reasonOfError(error, sessions) });
			// First a request that waits in the token's queue says that it has not left. What `close` breaks off after that may have left.
			await clock.sleep(1);
		}
		this.close();
	}
}

/** A failed read may be made again whatever the failure: it harms nobody, and fifty people depend on it. After one that ends the run the line has stopped. */
function mayAskAgain(failure: Failure, { isRead = false }: Turn): boolean {
	return isRead || !isLasting(failure);
}
