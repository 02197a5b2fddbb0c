import type { Failure } from '../client/failure';
import { Persistence } from '../client/patience';
import type { Ms } from '../values/units';

/** Owns since when every request of a run has failed, and with what. */
export class Outage {
	readonly persistence = new Persistence('run');
	/** When the first of the failures in a row left. */
	sinceMs = Infinity;
	latestFailure?: Failure;

	recordResponse(): void {
		this.persistence.succeeded();
		this.sinceMs = Infinity;
		this.latestFailure = undefined;
	}

	recordFailure(failure: Failure, sentAt: Ms, now: Ms): void {
		this.sinceMs = Math.min(this.sinceMs, sentAt);
		this.latestFailure = failure;
		this.persistence.failed(now, { sentAt });
	}
}
