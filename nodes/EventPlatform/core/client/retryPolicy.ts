import { causeOf, type Cause } from './cause';
import { readErrors } from '../dialect/errors';
import { Failure } from './failure';
import { readQuota } from './quota';
import { parseHeaderTime } from '../dialect/limitHeaders';
import type { ApiRequest, ApiResponse, LostConnection, Retry } from './request';
import { tlsProblemOf } from './tlsProblem';

/**
 * A request that would have to wait longer than this for the platform fails at once. A deadline may allow less. The waits for a limit
 * per second are far shorter; a longer one means an outage or a spent month, and then people want to know when it ends.
 */
export const longestPauseMs = 120_000;

interface Patience {
	attempts: number;
	firstMs: number;
	/** Absent: so few attempts are made that no wait becomes too long. */
	longestMs?: number;
	/** The first failures in a row, up to this number, are followed by no wait. After them each wait is twice as long as the one before. */
	failuresWithoutWait?: number;
}

const patience = {
	/** A request that may be sent again, and had no usable response: 3.5 s in all, because somebody may be waiting in the editor. */
	request: { attempts: 4, firstMs: 500 },
	/**
	 * A 429: 95 s in all, because others may be using up the limit. Of twelve busy processes each is refused a third of its attempts.
	 * Where the response says when to come back that counts instead, and the limiter spaces the attempts: with a second each, they
	 * take about 40 s.
	 */
	refusal: { attempts: 15, firstMs: 1_000, longestMs: 8_000 },
	/** A batch of people, and each read of its job: a minute in all, because fifty people depend on it. */
	batch: { attempts: 8, firstMs: 500, longestMs: 30_000 },
	/** Reads of a job that is over and whose list of results lags behind: fifteen seconds in all. Nobody has seen how far it may lag. */
	lateResults: { attempts: 5, firstMs: 1_000 },
	/** A bulk run whose requests all fail: two minutes in all. The first two failures only slow it down. */
	run: { attempts: 12, firstMs: 500, longestMs: 30_000, failuresWithoutWait: 2 },
	/** A file, which goes on where it broke off: a minute in all. To begin with gigabytes anew would take longer. */
	transfer: { attempts: 11, firstMs: 500, longestMs: 8_000 },
} as const satisfies Record<string, Patience>;

/** Undefined means that the activity is given up. The `failures` are those in a row. */
export function againAfterMs(
	activity: keyof typeof patience,
	failures: number,
): number | undefined {
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

export type Verdict =
	| { kind: 'done'; response: ApiResponse }
	/** The request is sent again after this time, to which the client adds some jitter. */
	| { kind: 'retry'; afterMs: number; failure: Failure }
	| { kind: 'failed'; failure: Failure };

/** Decides what follows attempt number `attempt`, counted from 1. `nowMs`: the time by which dates in headers are read. */
export function afterResponse(
	request: ApiRequest,
	response: ApiResponse | LostConnection,
	attempt: number,
	nowMs: number,
): Verdict {
	if ('lost' in response) {
		const cause = response.sent ? 'unconfirmed' : 'unreachable';
		const failure = new Failure(cause, request, { errors: [{ code: response.lost }] });
		return verdictOn(failure, mayFollowLoss(request, response), attempt, nowMs);
	}
	const cause = causeOf(request, response, nowMs);
	if (cause === undefined) return { kind: 'done', response };
	const failure = failureOf(request, response, cause, nowMs);
	return verdictOn(failure, mayFollowRefusal(request, response, cause), attempt, nowMs);
}

function verdictOn(
	failure: Failure,
	mayBeSentAgain: boolean,
	attempt: number,
	nowMs: number,
): Verdict {
	if (!mayBeSentAgain) return { kind: 'failed', failure };
	const activity = failure.cause === 'rate_limited' ? 'refusal' : 'request';
	const usualWaitMs = againAfterMs(activity, attempt);
	if (usualWaitMs === undefined) return { kind: 'failed', failure };
	const { retryAt = nowMs + usualWaitMs } = failure;
	const askedWaitMs = retryAt - nowMs;
	// After a 429 the limiter spaces the attempts, after other failures only these waits do.
	const afterMs = activity === 'refusal' ? askedWaitMs : Math.max(usualWaitMs, askedWaitMs);
	return { kind: 'retry', afterMs, failure };
}

function retryOf({ method, retry }: ApiRequest): Retry {
	return retry ?? (method === 'GET' ? 'safe' : 'unlessActedOn');
}

/** Another attempt may follow where it does no harm, and may have another result. The same holds after a refusal. */
function mayFollowLoss(request: ApiRequest, { lost, sent }: LostConnection): boolean {
	const retry = retryOf(request);
	if (retry === 'never' || retry === 'onlyWhenRefused') return false;
	// The next attempt would meet the same certificate.
	return sent ? retry === 'safe' : tlsProblemOf(lost) === undefined;
}

function mayFollowRefusal(request: ApiRequest, response: ApiResponse, cause: Cause): boolean {
	const retry = retryOf(request);
	if (retry === 'never') return false;
	// The platform did not act on a request that it turned away, so any may be sent again.
	if (cause === 'rate_limited') return true;
	return retry === 'safe' && (cause === 'platform_error' || isCutOff(request, response, cause));
}

/**
 * Another attempt may bring the whole of a JSON body of which only the beginning has arrived. For a POST it would not: a 2xx says
 * that it was done, so that a second one would only learn that.
 */
function isCutOff({ method }: ApiRequest, { body }: ApiResponse, cause: Cause): boolean {
	return method !== 'POST' && cause === 'not_json' && /^\s*[{[]/.test(String(body));
}

function failureOf(
	request: ApiRequest,
	response: ApiResponse,
	cause: Cause,
	nowMs: number,
): Failure {
	const { status, body } = response;
	const retryAt =
		status === 429
			? readQuota(response, nowMs).retryAt
			: parseHeaderTime('retry-after', response, nowMs);
	return new Failure(cause, request, { status, errors: readErrors(body), retryAt });
}
