/*
 * Trying again after a failure. The numbers of the activities below are here: how often each is tried, how long it waits in between (backoff),
 * and which wait is too long. Two things try again for their caller. The client sends one request again where that is harmless whatever became
 * of it (`afterResponse.ts`). `persist` makes a whole attempt again where it matters that the one before may have arrived: its caller looks
 * between the two what is to be done. Who has a loop of its own, such as the transfer of a file, counts with `Persistence`.
 *
 * Elsewhere: what a later poll tries again, which outlives the process (`polling/backOff.ts`), and a job that is not over, which is no failure
 * (`jobs/whenRead.ts`): both wait about as long as it has lasted. What the platform may have refused because of a parameter is asked for again
 * without it (`refusedQueries.ts`, `jobs/jobRequests.ts`).
 */
import type { Clock } from './clock';
import { asFailure, Failure } from './failure';
import type { Ms } from '../values/units';

/**
 * What would have to wait longer than this for the platform fails at once. A deadline may allow less. The waits for a limit per second are
 * far shorter; a longer one means an outage or a spent month, and then people want to know when it ends.
 */
export const longestPauseMs: Ms = 120_000;

/** How often an activity is tried, and its backoff: how long it waits between two attempts. */
interface Patience {
	attempts: number;
	firstMs: Ms;
	/** Absent: so few attempts are made that no wait becomes too long. */
	longestMs?: Ms;
	/** The first failures in a row, up to this number, are followed by no wait. After them each wait is twice as long as the one before. */
	failuresWithoutWait?: number;
}

const patience = {
	/** A request that may be sent again, and had no usable response: 3.5 s in all, because somebody may be waiting in the editor. */
	request: { attempts: 4, firstMs: 500 },
	/**
	 * A 429: 95 s in all, because others may be using up the limit. Of twelve busy processes each meets it with a third of its attempts.
	 * Where the response says when to come back that counts instead, and the limiter spaces the attempts: with a second each, they
	 * take about 40 s.
	 */
	rateLimit: { attempts: 15, firstMs: 1_000, longestMs: 8_000 },
	/**
	 * A batch of people, and each read of its job, also that of Wait: a minute in all, because fifty people depend on it. After a 429,
	 * and where a batch does not reach the platform, the client's own attempts come on top.
	 */
	batch: { attempts: 8, firstMs: 500, longestMs: 30_000 },
	/** Reads of a job that is over and whose list of results lags behind: fifteen seconds in all. Nobody has seen how far it may lag. */
	lateResults: { attempts: 5, firstMs: 1_000 },
	/** A bulk run whose requests all fail: two minutes in all. After the first two failures the next request leaves at once. */
	run: { attempts: 12, firstMs: 500, longestMs: 30_000, failuresWithoutWait: 2 },
	/**
	 * Items in a row that all fail, each after the patience of its own request: twenty seconds in all. Nothing is sent for the rest, because
	 * an outage would take four requests for each of ten thousand items. Also requests with people in a row that a firewall refuses: one
	 * person may be why, or all requests are refused.
	 */
	items: { attempts: 6, firstMs: 0 },
	/**
	 * Lookups of deliveries that show nothing of their delivery, because they fail: so many in a row are no chance but an outage. They are
	 * not given up: `isGivenUp` means that they are
	 * slowed down, to one in a minute or fewer (`LookupBudget`).
	 */
	lookups: { attempts: 10, firstMs: 0 },
	/** A file, which goes on where it broke off: a minute in all. To begin with gigabytes anew would take longer. */
	transfer: { attempts: 11, firstMs: 500, longestMs: 8_000 },
} as const satisfies Record<string, Patience>;

export type Activity = keyof typeof patience;

/** Undefined means that the activity is given up. The `failures` are those in a row, or all those of one request. */
export function againAfterMs(activity: Activity, failures: number): Ms | undefined {
	const {
		attempts,
		firstMs,
		longestMs = Infinity,
		failuresWithoutWait = 0,
	}: Patience = patience[activity];
	if (failures >= attempts) return undefined;
	const doublings = failures - failuresWithoutWait - 1;
	return doublings < 0 ? 0 : Math.min(longestMs, firstMs * 2 ** doublings);
}

interface Attempt {
	/** When it left, where several may be under way: those that were under way together count once. Absent: it was the only one. */
	sentAt?: Ms;
	/** The platform asks to wait until then. */
	retryAt?: Ms;
}

/** Counts failures in a row of one activity, and says by the table how long it goes on. */
export class Persistence {
	failures = 0;
	/** When the latest failure that counts happened. */
	failedAt: Ms = -Infinity;

	constructor(private readonly activity: Activity) {}

	succeeded(): void {
		this.failures = 0;
	}

	/** Gives how long the next attempt waits from now; undefined where the activity is given up. */
	failed(now: Ms, { sentAt = now, retryAt = now }: Attempt = {}): Ms | undefined {
		if (sentAt >= this.failedAt) {
			this.failedAt = now;
			this.failures += 1;
		}
		return this.isGivenUp ? undefined : Math.max(now, this.resumesAt, retryAt) - now;
	}

	/** Its attempts are used up. */
	get isGivenUp(): boolean {
		return againAfterMs(this.activity, this.failures) === undefined;
	}

	get resumesAt(): Ms {
		return this.failures === 0
			? 0
			: this.failedAt + (againAfterMs(this.activity, this.failures) ?? 0);
	}
}

interface Attempts {
	clock: Clock;
	signal?: AbortSignal;
	/** Whether another attempt may end otherwise than with this failure. */
	mayTryAgain(failure: Failure): boolean;
	/** Lets the time pass before the next attempt, or has that attempt wait. Absent: the clock lets it pass. */
	delayNext?(ms: Ms): void | Promise<void>;
}

/** Makes attempts until one has a result, fails so that another one is of no use, or the patience of the activity is over. */
export async function persist<Result>(
	activity: Activity,
	attempt: () => Promise<Result>,
	{ clock, signal, mayTryAgain, delayNext = (ms) => clock.sleep(ms, signal) }: Attempts,
): Promise<Result> {
	const persistence = new Persistence(activity);
	for (;;) {
		const result = await attempt().catch(asFailure);
		if (!(result instanceof Failure)) return result;
		const { retryAt } = result;
		const waitMs = mayTryAgain(result) ? persistence.failed(clock.now(), { retryAt }) : undefined;
		if (waitMs === undefined || waitMs > longestPauseMs) throw result;
		await delayNext(waitMs);
	}
}
