import type { Cause } from './failure';
import { isObject } from './json';
import { readErrors } from './jsonApi';
import { againAfterMs } from './patience';
import type { Answer, ApiRequest, Lost } from './ports';
import { isMonthSpent, readQuota, readRetryAfter } from './quota';

/** `retry`: milliseconds to wait before the next attempt, not counting jitter; absent: there is none. */
export type Verdict = { done: Answer } | { fail: Cause; retry?: number };

/** What to do after attempt number `attempt`, counted from 1. `now` only reads dates in headers. */
export function afterResponse(
	request: ApiRequest,
	answer: Answer | Lost,
	attempt: number,
	now = 0,
): Verdict {
	function again(fail: Cause, retryAt?: number): Verdict {
		const isRefusal = fail === 'rate_limited';
		const isLast = request.once || (request.isTriedBySender && !isRefusal);
		const againMs = isLast ? undefined : againAfterMs(isRefusal ? 'refusal' : 'request', attempt);
		if (againMs === undefined) return { fail };
		return { fail, retry: retryAt === undefined ? againMs : retryAt - now };
	}

	/** Sending it again does no harm, even if it arrived. */
	const isSafe = request.method === 'GET' || request.repeatable;
	if ('lost' in answer) {
		if (answer.sent) return isSafe ? again('unconfirmed') : { fail: 'unconfirmed' };
		const isCertificate = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(answer.lost);
		return isCertificate ? { fail: 'unreachable' } : again('unreachable');
	}
	const fail = causeOf(request, answer, now);
	if (fail === undefined) return { done: answer };
	// The platform did not act on a request that it turned away, so any may be repeated.
	if (fail === 'rate_limited') return again(fail, readQuota(answer, now).retryAt);
	if (isSafe && answer.status >= 500) return again(fail, readRetryAfter(answer, now));
	const isCutOff = fail === 'not_json' && /^\s*[{[]/.test(String(answer.body));
	return isSafe && isCutOff ? again(fail) : { fail };
}

const causeOfStatus: Readonly<Partial<Record<number, Cause>>> = {
	402: 'allowance_spent',
	404: 'not_found',
	// The request took too long to arrive, whatever it was.
	408: 'platform_error',
	409: 'already_exists',
	422: 'unprocessable',
};

/** Why the platform did not do what was asked; undefined where it did. */
function causeOf(request: ApiRequest, answer: Answer, now: number): Cause | undefined {
	const { status, body } = answer;
	if (status >= 200 && status < 300) {
		// Nothing else of the answer to a DELETE says whether it was done.
		const isDelete = request.method === 'DELETE' && isObject(body);
		if (isDelete && [body.errors ?? []].flat().length > 0) return 'refused';
		return typeof body === 'string' && body !== '' ? 'not_json' : undefined;
	}
	const words = readErrors(body)
		.map(({ code, title, detail }) => `${code} ${title} ${detail}`)
		.join(' ')
		.toLowerCase();
	if (status === 400) {
		const asksForPage = Number(request.query?.['page[number]'] ?? 0) > 0;
		return asksForPage && (words === '' || words.includes('page'))
			? 'page_out_of_range'
			: 'refused';
	}
	if (status === 429) return isMonthSpent(answer, now) ? 'quota_spent' : 'rate_limited';
	if (status === 401 || status === 403) {
		if (words.includes('scope')) return 'missing_scope';
		if (status === 401) return 'unauthorized';
		// Section 7 means a blocked workspace, which says so; without a word it is a key that may not.
		return /block|suspend/.test(words) ? 'workspace_blocked' : 'forbidden';
	}
	if (status >= 500) return 'platform_error';
	return causeOfStatus[status] ?? (status >= 400 ? 'refused' : 'unexpected_shape');
}
