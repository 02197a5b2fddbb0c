/*
 * What failures say about the rest of a run: where it would fail as well, nothing more is asked (a circuit breaker). Begin here.
 * `meaning.ts` says what a single failure concerns, and `messages.ts` how it is told; `platformName.ts` names the platform in it, and
 * `readings.ts` reads each thing once. What is below remembers what came before it: by session, or in a row (`Persistence`).
 *
 *   operations item by item   `ItemBreaker`; the router tells the items that are left why they were not sent
 *   people for sessions       `SessionBreaker` says what is over: this session, or the run. It keeps no failure. The line of a bulk run
 *                             (`Line.stop`) and `SessionsReader` of Sync keep the reason for people; `checkSessions` of Validate Only throws
 *                             the failure; `FormCache` keeps it (`brokenBy`), and forms then come from elsewhere, or the run goes on without
 *   requests of a bulk run    `givesUp` of `registration/outage.ts`, where all of them fail, or all that send people, or a firewall
 *                             refuses several in a row
 *   lookups of deliveries     `LookupBudget` of `webhooks/lookupBudget.ts`, which makes one in a minute instead of none
 *   a poll                    `Stops` of `polling/pollContext.ts`, for lists of one kind or all: the next poll asks again
 */
import type { Clock } from '../client/clock';
import { Failure } from '../client/failure';
import { Persistence } from '../client/patience';
import { mentionsSession } from '../dialect/refusals';
import { endsRun, isLasting, meaningOf } from './meaning';
import type { Ms } from '../values/units';

/** The failure of an earlier item, for an item that was kept back because it would fail like it. */
export class KeptBack extends Failure {
	constructor({ cause, request, ...details }: Failure) {
		super(cause, request, details);
	}
}

/**
 * Owns after which failure an operation asks nothing more for the items that are left. A plain 403 (`forbidden`) concerns what one item names, so it
 * ends no other items, however many get one. A failure that ends the run does, and so do failures in a row that may pass or are of a firewall.
 */
export class ItemBreaker {
	/** Each item that is left would fail like this. Undefined: the next one may succeed. */
	private brokenBy?: Failure;
	private readonly persistence = new Persistence('items');

	constructor(private readonly clock: Pick<Clock, 'now'>) {}

	/** Works on an item. Throws its failure, or `KeptBack` without having asked anything. */
	async work<Result>(onItem: () => Promise<Result>): Promise<Result> {
		if (this.brokenBy) throw new KeptBack(this.brokenBy);
		const sentAt = this.clock.now();
		const result = await onItem().catch((error: unknown) => {
			if (error instanceof Failure) this.recordFailure(error, sentAt);
			throw error;
		});
		this.persistence.succeeded();
		return result;
	}

	private recordFailure(failure: Failure, sentAt: Ms): void {
		const { mayBeAboutPeople } = meaningOf(failure);
		// A failure that lasts is no sign of an outage: the platform, or our own queue, has said no to this item. A firewall may stop this item, or all.
		if (isLasting(failure) && !mayBeAboutPeople) this.persistence.succeeded();
		else this.persistence.failed(this.clock.now(), { sentAt });
		const isOfAll = endsRun(failure) && !mayBeAboutPeople;
		if (isOfAll || this.persistence.isGivenUp) this.brokenBy ??= failure;
	}
}

type RefusedScope = 'session' | 'run';

/**
 * Owns what refused sessions say about the rest of a run. A refusal of one session concerns that session. A 403 that does not mention
 * it may be about all of them, and so may the refusal of very many in a row: then the column holds something else than sessions, and
 * each row would cost a request. One that is closed is a session, however many of them there are.
 */
export class SessionBreaker {
	/** The sessions that were refused since the last success, each with whether a 403 did not mention the session. */
	private readonly refusedSessions = new Map<string, boolean>();

	/**
	 * Records that the platform did not take people for a session. Gives the scope that is over; undefined where the next request may
	 * succeed.
	 */
	recordFailure(failure: Failure, sessionId: string): RefusedScope | undefined {
		const { ends } = meaningOf(failure);
		return ends === 'session' ? this.recordRefusal(failure, sessionId) : ends;
	}

	/** Records that a session could not be read. A refusal concerns that session, and any other failure the run. */
	recordUnread(failure: Failure, sessionId: string): RefusedScope {
		const isOfSession = isLasting(failure) && !endsRun(failure);
		return isOfSession ? this.recordRefusal(failure, sessionId) : 'run';
	}

	/** Records that the platform did what was asked: its refusals were not about all sessions. */
	recordSuccess(): void {
		this.refusedSessions.clear();
	}

	private recordRefusal(failure: Failure, sessionId: string): RefusedScope {
		const { cause, errors } = failure;
		if (cause === 'session_closed') return 'session';
		const mayBeAboutAll = cause === 'forbidden' && !mentionsSession(errors);
		const wasAboutAll = this.refusedSessions.get(sessionId) === true;
		this.refusedSessions.set(sessionId, mayBeAboutAll || wasAboutAll);
		const unspecificRefusals = [...this.refusedSessions.values()].filter(Boolean);
		const isAboutAll = unspecificRefusals.length > 1 || this.refusedSessions.size > mostRefused;
		return isAboutAll ? 'run' : 'session';
	}
}

/** A list may have some sessions in a row that are deleted. More mean a wrong column, at the cost of a request for each row. */
const mostRefused = 20;
