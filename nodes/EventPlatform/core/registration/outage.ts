import type { Clock } from '../client/clock';
import { Failure } from '../client/failure';
import { Persistence } from '../client/patience';
import type { Ask } from '../client/request';
import type { Run } from '../client/run';
import { meaningOf } from '../failures/meaning';
import { failedUntilTimeOver, ownReason, reasonOfError, type Reason } from '../people/outcome';
import type { SessionCache } from '../sessions/sessionCache';
import type { Ms } from '../values/units';

/** Owns since when every request of a run has failed, and with what. */
export class Outage {
	readonly persistence = new Persistence('run');
	/** When the first of the failures in a row left. */
	sinceMs = Infinity;
	private latestFailure?: Failure;

	constructor(
		private readonly clock: Clock,
		private readonly sessions: SessionCache,
	) {}

	recordResponse(): void {
		this.persistence.succeeded();
		this.sinceMs = Infinity;
		this.latestFailure = undefined;
	}

	recordFailure(failure: Failure, sentAt: Ms): void {
		this.sinceMs = Math.min(this.sinceMs, sentAt);
		this.latestFailure = failure;
		this.persistence.failed(this.clock.now(), { sentAt });
	}

	/** The run, whose client records what becomes of each request. */
	watching<Whole extends Pick<Run, 'client'>>(run: Whole): Whole {
		const { send, usage } = run.client;
		const watched: Ask = async (request) => {
			const sentAt = this.clock.now();
			const response = await send(request).catch((error: unknown) => {
				this.recordError(error, sentAt);
				throw error;
			});
			this.recordResponse();
			return response;
		};
		return { ...run, client: { send: watched, usage } };
	}

	/** A request that comes too late is not sent, and shows nothing. */
	private recordError(error: unknown, sentAt: Ms): void {
		if (!(error instanceof Failure) || error.cause === 'time_over') return;
		if (meaningOf(error).isPassing) this.recordFailure(error, sentAt);
		else this.recordResponse();
	}

	/** The reason for the people whom an error has kept from their outcome. */
	reasonOf(error: unknown): Reason {
		const isTimeOver = error instanceof Failure && error.cause === 'time_over';
		return isTimeOver ? this.reasonOfTimeOver() : reasonOfError(error, this.sessions);
	}

	/** Where the platform does not work, more time would not help, so people are told what it said and since when. A single failure may be chance. */
	reasonOfTimeOver(): Reason {
		const { latestFailure, persistence, sinceMs, clock, sessions } = this;
		if (!latestFailure || persistence.failures === 1) return ownReason('time_over');
		const seconds = Math.round((clock.now() - sinceMs) / 1_000);
		return failedUntilTimeOver(seconds, reasonOfError(latestFailure, sessions));
	}
}
