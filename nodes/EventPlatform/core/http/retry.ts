import type { Cause } from './failure';
import { isObject } from './json';
import { readErrors } from './jsonApi';
import { againAfterMs } from './patience';
import type { Answer, ApiRequest, Lost } from './ports';
import { isMonthSpent, readQuota, readRetryAfter } from './quota';

export type SentRequest = Pick<
	ApiRequest,
	'method' | 'repeatable' | 'query' | 'once' | 'isTriedBySender'
>;

/** `retry`: milliseconds to wait before the next attempt, not counting jitter. */
export type Verdict = { retry: number } | { fail: Cause } | { done: Answer };

/** What to do after attempt number `attempt`, counted from 1. `now` only reads dates in headers. */
export function afterResponse(
	request: SentRequest,
	answer: Answer | Lost,
	attempt: number,
	now = 0,
): Verdict {
	const verdict = repeated(request, answer, attempt, now);
	if (!request.once || !('retry' in verdict)) return verdict;
	return { fail: lastCause(request, answer) };
}

function repeated(
	request: SentRequest,
	answer: Answer | Lost,
	attempt: number,
	now: number,
): Verdict {
	if ('lost' in answer) return afterLoss(request, answer, attempt);
	if (answer.status === 429) return afterRefusal(answer, attempt, now);
	if (answer.status >= 200 && answer.status < 300) return afterSuccess(request, answer, attempt);
	const againMs = againMsOf(request, attempt);
	if (answer.status >= 500 && isSafe(request) && againMs !== undefined) {
		const retryAt = readRetryAfter(answer, now);
		return { retry: retryAt === undefined ? againMs : retryAt - now };
	}
	return { fail: causeOf(request, answer) };
}

function againMsOf({ isTriedBySender }: SentRequest, attempt: number): number | undefined {
	return isTriedBySender ? undefined : againAfterMs('request', attempt);
}

/** Sending it again does no harm, even if it arrived. */
function isSafe(request: SentRequest): boolean {
	return request.method === 'GET' || request.repeatable === true;
}

function afterLoss(request: SentRequest, loss: Lost, attempt: number): Verdict {
	const { lost, sent } = loss;
	const mayRepeat = (!sent && !isCertificateProblem(lost)) || (sent && isSafe(request));
	const againMs = againMsOf(request, attempt);
	if (mayRepeat && againMs !== undefined) return { retry: againMs };
	return { fail: lastCause(request, loss) };
}

/** Why a request came to nothing that is not tried again. */
export function lastCause(request: SentRequest, answer: Answer | Lost): Cause {
	if ('lost' in answer) return answer.sent ? 'unconfirmed' : 'unreachable';
	return causeOf(request, answer);
}

/** The platform did not act on a request that it turned away, so any may be repeated. */
function afterRefusal(answer: Answer, attempt: number, now: number): Verdict {
	if (isMonthSpent(answer, now)) return { fail: 'quota_spent' };
	const againMs = againAfterMs('refusal', attempt);
	if (againMs === undefined) return { fail: 'rate_limited' };
	const { retryAt } = readQuota(answer, now);
	return { retry: retryAt === undefined ? againMs : retryAt - now };
}

function afterSuccess(request: SentRequest, answer: Answer, attempt: number): Verdict {
	const { body } = answer;
	// Nothing else of the answer to a DELETE says whether it was done.
	if (request.method === 'DELETE' && isObject(body) && [body.errors ?? []].flat().length > 0) {
		return { fail: 'refused' };
	}
	if (typeof body !== 'string' || body === '') return { done: answer };
	const isCutOff = /^\s*[{[]/.test(body);
	const againMs = againMsOf(request, attempt);
	if (isCutOff && isSafe(request) && againMs !== undefined) return { retry: againMs };
	return { fail: 'not_json' };
}

function isCertificateProblem(code: string): boolean {
	return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code);
}

/** Why the platform turned the request down. */
function causeOf(request: SentRequest, { status, body }: Answer): Cause {
	const words = readErrors(body)
		.map(({ code, title, detail }) => `${code} ${title} ${detail}`)
		.join(' ')
		.toLowerCase();
	switch (status) {
		case 400:
			return asksForPage(request) && (words === '' || words.includes('page'))
				? 'page_out_of_range'
				: 'refused';
		case 401:
			return words.includes('scope') ? 'missing_scope' : 'unauthorized';
		case 402:
			return 'allowance_spent';
		case 403:
			if (words.includes('scope')) return 'missing_scope';
			// Section 7 means a blocked workspace, which says so; without a word it is a key that may not.
			return /block|suspend/.test(words) ? 'workspace_blocked' : 'forbidden';
		case 404:
			return 'not_found';
		case 409:
			return 'already_exists';
		case 422:
			return 'unprocessable';
		case 429:
			return 'rate_limited';
		default:
			// 408: the request took too long to arrive, whatever it was.
			if (status >= 500 || status === 408) return 'platform_error';
			if (status >= 400) return 'refused';
			return status < 300 ? 'not_json' : 'unexpected_shape';
	}
}

function asksForPage({ query }: SentRequest): boolean {
	return Number(query?.['page[number]'] ?? 0) > 0;
}
