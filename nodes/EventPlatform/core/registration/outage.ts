import type { Failure } from '../client/failure';
import { Persistence } from '../client/retry';
import type { Usage } from '../client/usage';
import type { Ms } from '../values/units';

/** Whether a turn is for a read, or for a request that sends or changes people. */
interface Kind {
	readonly isRead?: boolean;
}

/** A platform that has never responded is tried for so long, which is three attempts where it refuses to connect. */
const longestSilenceMs = 10_000;

/** Owns since when every request of a run has failed, with what, and what is given up for that. Sends may fail alone, while jobs can be read. */
export class Outage {
	readonly persistence = new Persistence('run');
	readonly persistenceOfSends = new Persistence('run');
	/** When the first of the failures in a row left. */
	sinceMs = Infinity;
	latestFailure?: Failure;
	/** Whether one of the failures in a row is that of a read. */
	hasReadFailed = false;

	constructor(private readonly usage: Pick<Usage, 'responses'>) {}

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

	/** The latest failure, as long as the platform has never responded to the run, whatever part of it asked. */
	get unreached(): Failure | undefined {
		return this.usage.responses > 0 ? undefined : this.latestFailure;
	}

	/**
	 * What is given up after the latest failure: the whole run, or to send people while jobs can still be read. `latestAt`: up to then it is
	 * worth waiting for the platform.
	 */
	givesUp(latestAt: Ms): 'run' | 'sending' | undefined {
		const { persistence, persistenceOfSends, latestFailure, hasReadFailed } = this;
		const { retryAt = 0 } = latestFailure ?? {};
		const isOver = persistence.isGivenUp && hasReadFailed;
		if (isOver || this.isSilent || retryAt > latestAt) return 'run';
		return persistenceOfSends.isGivenUp ? 'sending' : undefined;
	}

	/** A single request that hangs for so long may be chance. */
	private get isSilent(): boolean {
		const { failures, failedAt } = this.persistence;
		const isLong = failedAt - this.sinceMs >= longestSilenceMs;
		return this.unreached !== undefined && failures > 1 && isLong;
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
