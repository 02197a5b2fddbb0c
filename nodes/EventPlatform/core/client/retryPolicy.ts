import { Failure } from './failure';
import { causeOf, type Cause } from './cause';
import { readQuota, timeIn } from './quota';
import { readErrors } from './errorBody';
import type { Answer, ApiRequest, Lost } from './request';

/** A request that would have to wait longer for the platform fails at once; a deadline may allow less. */
export const longestPauseMs = 120_000;
/** How often anything is tried, and the waits in between: after the `free` failures each is twice as long as before. */
const patience = {
	/** One that does no harm twice, and was not answered as it should be: 3.5 s in all. */
	request: { tries: 4, firstMs: 500, longestMs: 30_000, free: 0 },
	/** 429: others may be using up the limit, for 95 s in all. */
	refusal: { tries: 15, firstMs: 1_000, longestMs: 8_000, free: 0 },
	/** Some people of a bulk run in one request, and each read of their job: a minute in all. */
	shipment: { tries: 8, firstMs: 500, longestMs: 30_000, free: 0 },
	/** Reads of a job that is over and whose list of results lags behind: fifteen seconds in all. */
	lateResults: { tries: 5, firstMs: 1_000, longestMs: 30_000, free: 0 },
	/** A bulk run whose requests all fail: two minutes in all. The first two only slow it down. */
	run: { tries: 12, firstMs: 500, longestMs: 30_000, free: 2 },
	/** Changes of Sync in a row without an answer, each after the tries of a request. */
	steps: { tries: 12, firstMs: 0, longestMs: 0, free: 0 },
	/** A file, which goes on where it broke. */
	transfer: { tries: 11, firstMs: 500, longestMs: 8_000, free: 0 },
};
/** By how often it has failed in a row; undefined: give up. */
export function againAfterMs(what: keyof typeof patience, failures: number): number | undefined {
	const { tries, firstMs, longestMs, free } = patience[what];
	if (failures >= tries) return undefined;
	return failures > free ? Math.min(longestMs, firstMs * 2 ** (failures - free - 1)) : 0;
}
/** `retry`: milliseconds to wait before the next attempt, not counting jitter; absent: there is none. */
export type Verdict = { done: Answer } | { failure: Failure; retry?: number };
/** What to do after attempt number `attempt`, counted from 1. `now` only reads dates in headers. */
export function afterResponse(
	request: ApiRequest,
	answer: Answer | Lost,
	attempt: number,
	now = 0,
): Verdict {
	const cause = causeOf(request, answer, now);
	if (cause === undefined) return { done: answer as Answer };
	const isRefusal = cause === 'rate_limited';
	const isLast = request.once || (request.isTriedBySender && !isRefusal);
	const mayRepeat = !isLast && isRepeatable(request, answer, cause);
	const againMs = mayRepeat ? againAfterMs(isRefusal ? 'refusal' : 'request', attempt) : undefined;
	const failure = failureOf(request, answer, cause, now);
	if (againMs === undefined) return { failure };
	const { retryAt = now + againMs } = failure;
	return { failure, retry: retryAt - now };
}
/** Whether to send it again: it does no harm even if it arrived, and may bring something else. */
function isRepeatable({ method, repeatable }: ApiRequest, answer: Answer | Lost, cause: Cause) {
	const isSafe = method === 'GET' || repeatable === true;
	if ('lost' in answer) return answer.sent ? isSafe : !ofCertificates.test(answer.lost);
	// The platform did not act on a request that it turned away, so any may be repeated.
	if (cause === 'rate_limited') return true;
	// A 2xx says that it was done: another POST would only find out that it was.
	const isCutOff =
		method !== 'POST' && cause === 'not_json' && /^\s*[{[]/.test(String(answer.body));
	return isSafe && (answer.status >= 500 || isCutOff);
}
/** Another attempt would meet the same certificate. */
const ofCertificates = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/;
function failureOf(request: ApiRequest, answer: Answer | Lost, cause: Cause, now: number): Failure {
	if ('lost' in answer) return new Failure(cause, request, { errors: [{ code: answer.lost }] });
	const { status, body } = answer;
	const retryAt =
		status === 429 ? readQuota(answer, now).retryAt : timeIn('retry-after', answer, now);
	return new Failure(cause, request, { status, errors: readErrors(body), retryAt });
}
