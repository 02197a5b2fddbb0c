import type { Failure } from '../client/failure';
import { Persistence } from '../client/patience';
import { meaningOf } from '../failures/meaning';
import type { Usage } from '../client/usage';
import type { Ms } from '../values/units';

/**
 * Whether a turn is for a read, or for a request that sends or changes people. Before people are sent again, the form is read in their turn: its
 * failure counts as one of sending, and holds sends back. Only `prefersReads` tells it from theirs, by the method of the request.
 */
interface Kind {
	readonly isRead?: boolean;
}

/** What the failures in a row have shown. */
interface FailuresInRow {
	/** When the first of them left the line. It may have waited in the token's queue since then. */
	readonly beganAt: Ms;
	readonly latest: Failure;
	/** One of them is that of a read. */
	readonly hasRead: boolean;
}

/** A platform that has never responded is tried for so long, which is three attempts where it refuses to connect. */
const longestSilenceMs = 10_000;

/**
 * Owns since when every request of a run has failed, with what, and what is given up for that. There are three counts, because a response to a
 * read does not show that people can be sent, and a firewall may refuse people only.
 *
 *   field                 set by                             until                  what waits for it                     given up for it
 *   persistence           each failure; those that were      any response           all, until none is in flight; sends   the run, if a read is
 *                         under way together are one                                pause, and reads if `hasRead`         among them
 *   persistenceOfSends    a failure of a send                a response to a send   sends, until none is in flight, and   sending
 *                                                                                   for a pause
 *   persistenceOfBlocked  what a firewall refuses            a response to a send   -                                     sending
 *   inRow                 each failure, if `persistence`     any response           sends, for a read if `prefersReads`   the run, if the platform
 *                         has counted any                                                                                 never responded
 */
export class Outage {
	readonly persistence = new Persistence('run');
	readonly persistenceOfSends = new Persistence('run');
	/** Of requests that a firewall refuses, since a request with people had a response. */
	private readonly persistenceOfBlocked = new Persistence('items');
	/** Absent after a response. */
	inRow?: FailuresInRow;

	constructor(private readonly usage: Pick<Usage, 'responses'>) {}

	recordResponse({ isRead }: Kind): void {
		this.persistence.succeeded();
		if (!isRead) {
			this.persistenceOfSends.succeeded();
			this.persistenceOfBlocked.succeeded();
		}
		this.inRow = undefined;
	}

	recordFailure(failure: Failure, { isRead = false }: Kind, sentAt: Ms, now: Ms): void {
		this.persistence.failed(now, { sentAt });
		if (!isRead) this.persistenceOfSends.failed(now, { sentAt });
		if (meaningOf(failure).mayBeAboutPeople) this.persistenceOfBlocked.failed(now, { sentAt });
		// It left together with one that was followed by a response.
		if (this.persistence.failures === 0) return;
		const { beganAt = sentAt, hasRead = false } = this.inRow ?? {};
		this.inRow = { beganAt, latest: failure, hasRead: hasRead || isRead };
	}

	/** The latest failure, as long as the platform has never responded to the run, whatever part of it asked. */
	get unreached(): Failure | undefined {
		return this.usage.responses > 0 ? undefined : this.inRow?.latest;
	}

	/**
	 * What is given up after a failure: the whole run, or to send people while jobs can still be read. `latestAt`: up to then it is worth
	 * waiting for the platform. Too long a wait that is asked of a send ends the sending: jobs may still be read. Too long a wait that is asked of a
	 * read ends the run: the results of people who are sent now could not be read either, and these would be unknown. It counts also where
	 * `persistence` has not counted the failure.
	 */
	givesUp({ retryAt = 0 }: Failure, { isRead }: Kind, latestAt: Ms): 'run' | 'sending' | undefined {
		const { persistence, persistenceOfSends, persistenceOfBlocked, inRow } = this;
		const isOver = persistence.isGivenUp && inRow?.hasRead;
		const isTooLong = retryAt > latestAt;
		if (isOver || this.isSilent || (isTooLong && isRead)) return 'run';
		const isSendingOver = persistenceOfSends.isGivenUp || persistenceOfBlocked.isGivenUp;
		return isTooLong || isSendingOver ? 'sending' : undefined;
	}

	/** A single request that hangs for so long may be chance. */
	private get isSilent(): boolean {
		const { failures, failedAt } = this.persistence;
		const { beganAt = Infinity } = this.inRow ?? {};
		return this.unreached !== undefined && failures > 1 && failedAt - beganAt >= longestSilenceMs;
	}

	/** When requests of this kind may leave again. */
	resumesAt({ isRead }: Kind): Ms {
		const { persistence, persistenceOfSends, inRow } = this;
		if (isRead) return inRow?.hasRead ? persistence.resumesAt : 0;
		return Math.max(persistence.resumesAt, persistenceOfSends.resumesAt);
	}

	/**
	 * Whether a read goes before the sends that wait. The latest failure decides, because it says most of what works now. After a send that failed a
	 * read goes first: it may work, and if it fails no answer about people is lost. After a read that failed, also that of a form, it does not:
	 * otherwise an outage of 20 s would cost two requests more.
	 */
	get prefersReads(): boolean {
		return this.inRow !== undefined && this.inRow.latest.request.method !== 'GET';
	}
}
