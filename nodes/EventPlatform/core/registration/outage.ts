import type { Failure } from '../client/failure';
import { Persistence } from '../client/patience';
import type { Ms } from '../values/units';

/** Whether a turn is for a read, or for a request that sends or changes people. */
interface Kind {
	readonly isRead?: boolean;
}

/** Owns since when every request of a run has failed, and with what. Sends may fail alone, while jobs can be read. */
export class Outage {
	readonly persistence = new Persistence('run');
	readonly persistenceOfSends = new Persistence('run');
	/** When the first of the failures in a row left. */
	sinceMs = Infinity;
	latestFailure?: Failure;
	/** Whether one of the failures in a row is that of a read. */
	hasReadFailed = false;

	recordResponse({ isRead }: Kind): void {
		this.persistence.succeeded();
		if (!isRead) this.persistenceOfSends.succeeded();
		this.sinceMs = Infinity;
		this.latestFailure = undefined;
		this.hasReadFailed = false;
	}

	recordFailure(failure: Failure, kind: Kind, sentAt: Ms, now: Ms): void {
		this.sinceMs = Math.min(this.sinceMs, sentAt);
		this.latestFailure = failure;
		this.hasReadFailed ||= isOfRead(failure);
		this.persistence.failed(now, { sentAt });
		if (!kind.isRead) this.persistenceOfSends.failed(now, { sentAt });
	}

	/** Everything has failed for so long that nothing is worth another attempt. */
	get isOver(): boolean {
		return this.persistence.isOver && this.hasReadFailed;
	}

	/** When requests of this kind may leave again. */
	resumesAt({ isRead }: Kind): Ms {
		const { persistence, persistenceOfSends, hasReadFailed } = this;
		if (isRead) return hasReadFailed ? persistence.resumesAt : 0;
		return Math.max(persistence.resumesAt, persistenceOfSends.resumesAt);
	}

	/** After a send that failed a read may work, and it leaves nobody in doubt. Where a read has failed, too, it may not. */
	get prefersReads(): boolean {
		return this.latestFailure !== undefined && !isOfRead(this.latestFailure);
	}
}

/** Also people who are sent again have their form read first. */
function isOfRead({ request }: Failure): boolean {
	return request.method === 'GET';
}
