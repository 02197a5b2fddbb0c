import { causeOf, type Cause } from './cause';
import { readErrors } from '../dialect/errors';
import { Failure } from './failure';
import { readQuota } from './quota';
import { parseHeaderTime } from '../dialect/limitHeaders';
import { againAfterMs } from './patience';
import {
	problemOfConnecting,
	type ApiRequest,
	type ApiResponse,
	type NoResponse,
	type Retry,
} from './request';
import type { Ms } from '../values/units';

type Verdict =
	| { kind: 'done'; response: ApiResponse }
	/** The request is sent again after this time, to which the client adds some jitter. */
	| { kind: 'retry'; afterMs: Ms; failure: Failure }
	| { kind: 'failed'; failure: Failure };

/** Decides what follows a response. `earlier`: the failures of the attempts before. `nowMs`: the time by which dates in headers are read. */
export function afterResponse(
	request: ApiRequest,
	response: ApiResponse | NoResponse,
	earlier: readonly Failure[],
	nowMs: Ms,
): Verdict {
	if ('networkError' in response) {
		const cause = response.isSent ? 'unconfirmed' : 'unreachable';
		const failure = new Failure(cause, request, { errors: [{ code: response.networkError }] });
		return verdictOn(failure, mayFollowNoResponse(request, response), earlier, nowMs);
	}
	const cause = causeOf(request, response, nowMs);
	if (cause === undefined) return { kind: 'done', response };
	const failure = failureOf(request, response, cause, nowMs);
	return verdictOn(failure, mayFollowResponse(request, cause), earlier, nowMs);
}

function verdictOn(
	failure: Failure,
	mayBeSentAgain: boolean,
	earlier: readonly Failure[],
	nowMs: Ms,
): Verdict {
	if (!mayBeSentAgain) return { kind: 'failed', failure };
	const activity = activityOf(failure);
	// Each activity has its own patience, so that a 429 does not use up that for a fault.
	const failures = [...earlier, failure].filter((one) => activityOf(one) === activity);
	const usualWaitMs = againAfterMs(activity, failures.length);
	if (usualWaitMs === undefined) return { kind: 'failed', failure };
	const { retryAt = nowMs + usualWaitMs } = failure;
	const askedWaitMs = retryAt - nowMs;
	// After a 429 the limiter spaces the attempts, after other failures only these waits do.
	const afterMs = activity === 'rateLimit' ? askedWaitMs : Math.max(usualWaitMs, askedWaitMs);
	return { kind: 'retry', afterMs, failure };
}

function activityOf({ cause }: Failure): 'rateLimit' | 'request' {
	return cause === 'rate_limited' ? 'rateLimit' : 'request';
}

function retryOf({ method, retry }: ApiRequest): Retry {
	return retry ?? (method === 'GET' ? 'idempotent' : 'unlessActedOn');
}

/**
 * Another attempt may follow where it does no harm, and may have another result within seconds. Whether a failure that outlasts them may pass later in
 * the run: `failures/meaning.ts`.
 */
function mayFollowNoResponse(request: ApiRequest, { networkError, isSent }: NoResponse): boolean {
	const retry = retryOf(request);
	if (retry === 'never' || retry === 'onlyWhenRateLimited') return false;
	// An attempt after a second would meet the same certificate.
	return isSent ? retry === 'idempotent' : problemOfConnecting(networkError) === undefined;
}

function mayFollowResponse(request: ApiRequest, cause: Cause): boolean {
	const retry = retryOf(request);
	if (retry === 'never') return false;
	// The platform did not act on a request above its limit, so any may be sent again.
	if (cause === 'rate_limited') return true;
	// Another gateway, or the same one a moment later, may pass the request on.
	const isFault = cause === 'platform_error' || cause === 'not_from_api';
	return retry === 'idempotent' && isFault;
}

function failureOf(request: ApiRequest, response: ApiResponse, cause: Cause, nowMs: Ms): Failure {
	const { status, body } = response;
	const retryAt =
		status === 429
			? readQuota(response, nowMs).retryAt
			: parseHeaderTime('retry-after', response, nowMs);
	return new Failure(cause, request, { status, errors: readErrors(body), retryAt });
}
