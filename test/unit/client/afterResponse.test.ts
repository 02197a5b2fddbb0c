import fc from 'fast-check';
import { afterResponse } from '../../../nodes/EventPlatform/core/client/afterResponse';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type {
	ApiResponse,
	ApiRequest,
	NoResponse,
} from '../../../nodes/EventPlatform/core/client/request';

const get: ApiRequest = { method: 'GET', path: '/events' };
const post: ApiRequest = { ...get, method: 'POST' };
const harmless: ApiRequest = { ...post, retry: 'idempotent' };
const once: ApiRequest = { ...get, retry: 'never' };
const triedBySender: ApiRequest = { ...get, retry: 'onlyWhenRateLimited' };

const status = (code: number, body: unknown = {}, headers = {}): ApiResponse => {
	return { status: code, headers, body };
};

const later = (code: number, seconds: string) => status(code, {}, { 'retry-after': seconds });
const resets = (code: number, seconds: string) => status(code, {}, { 'ratelimit-reset': seconds });
const lost = (code: string, isSent = true): NoResponse => ({ networkError: code, isSent });

/** The failures of the attempts before this one, which had the same cause. */
const failuresBefore = (attempt: number, cause: Cause) =>
	Array<Failure>(attempt - 1).fill(new Failure(cause, get));

test('an answer without a cause is what the request was sent for', () => {
	const response = status(200);
	expect(afterResponse(get, response, [], 0)).toEqual({ kind: 'done', response });
});

/* Which answer has which cause is shown in cause.test.ts: here is what follows from the cause. */

type Answer = ApiResponse | NoResponse;
/** `nth`: which attempt in a row fails. `afterMs`: after how long the next one follows; without it none does. */
type Row = [
	what: string,
	request: ApiRequest,
	nth: number,
	answer: Answer,
	cause: Cause,
	afterMs?: number,
];

const html = '<html>';

describe('a failure is final:', () => {
	test.each<Row>([
		['the fifteenth 429', get, 15, status(429), 'rate_limited'],
		['a spent month', get, 1, later(429, '86400'), 'quota_spent'],
		['a lost POST that is not safe to repeat', post, 1, lost('ECONNRESET'), 'unconfirmed'],
		['a platform that is not there', post, 4, lost('ENOTFOUND', false), 'unreachable'],
		['a wrong certificate', get, 1, lost('CERT_HAS_EXPIRED', false), 'unreachable'],
		['a broken platform that may have acted', post, 1, status(500), 'platform_error'],
		['a broken platform, four times', get, 4, status(502, html), 'platform_error'],
		['what its sender tries again', triedBySender, 1, status(500), 'platform_error'],
		['an answer that is no JSON', get, 1, status(200, '{"data":[{"id'), 'not_json'],
		['the page of a gateway to a POST', post, 1, status(400, html), 'not_from_api'],
		['a bad request', get, 1, status(400), 'refused'],
		['a 429 to what is sent once', once, 1, status(429), 'rate_limited'],
	])('%s', (_, request, nth, answer, cause) => {
		const failure = expect.objectContaining({ cause }) as Failure;
		const verdict = afterResponse(request, answer, failuresBefore(nth, cause), 0);
		expect(verdict).toEqual({ kind: 'failed', failure });
	});
});

describe('after a failure the request is sent again:', () => {
	test.each<Row>([
		['429 with Retry-After', post, 1, later(429, '3'), 'rate_limited', 3_000],
		['the third 429 without', post, 3, status(429), 'rate_limited', 4_000],
		['a broken platform, three times', get, 3, status(502, html), 'platform_error', 2_000],
		['a lost GET', get, 1, lost('ECONNRESET'), 'unconfirmed', 500],
		['a lost POST that is safe to repeat', harmless, 1, lost('ECONNRESET'), 'unconfirmed', 500],
		['a POST that never left', post, 2, lost('ECONNREFUSED', false), 'unreachable', 1_000],
		['a broken platform that says when', get, 1, later(503, '7'), 'platform_error', 7_000],
		// That would be four attempts at the same moment.
		['a broken platform that says at once', get, 3, later(503, '0'), 'platform_error', 2_000],
		// The limiter waits.
		['a limit that says at once', get, 3, later(429, '0'), 'rate_limited', 0],
		['a broken platform that tells a limit', get, 1, resets(500, '9'), 'platform_error', 500],
		['a limit that tells its reset', get, 1, resets(429, '9'), 'rate_limited', 9_000],
		[
			'what its sender tries again, rate limited',
			triedBySender,
			1,
			status(429),
			'rate_limited',
			1_000,
		],
		['the page of a gateway', get, 1, status(400, html), 'not_from_api', 500],
	])('%s', (_, request, nth, answer, cause, afterMs) => {
		const failure = expect.objectContaining({ cause }) as Failure;
		const verdict = afterResponse(request, answer, failuresBefore(nth, cause), 0);
		expect(verdict).toEqual({ kind: 'retry', failure, afterMs });
	});
});

const method = fc.constantFrom<ApiRequest['method']>('GET', 'POST', 'PATCH', 'DELETE');

const anyAnswer = fc.record({
	status: fc.integer({ min: 200, max: 599 }),
	headers: fc.dictionary(fc.constantFrom('retry-after', 'ratelimit-reset'), fc.string()),
	body: fc.oneof(fc.string(), fc.jsonValue()),
});

const anyLoss = fc.record({ networkError: fc.string(), isSent: fc.boolean() });

test('every request comes to an end, and what may have been acted on is sent again only where that does no harm', () => {
	fc.assert(
		fc.property(method, fc.boolean(), fc.oneof(anyAnswer, anyLoss), (m, safe, a) => {
			const neverActed = 'networkError' in a ? !a.isSent : a.status === 429;
			const earlier: Failure[] = [];
			while (earlier.length < 100) {
				const verdict = afterResponse(
					{ ...get, method: m, retry: safe ? 'idempotent' : undefined },
					a,
					earlier,
					0,
				);
				if (verdict.kind !== 'retry') break;
				expect(m === 'GET' || safe || neverActed).toBe(true);
				expect(verdict.afterMs).toBeGreaterThanOrEqual(0);
				earlier.push(verdict.failure);
			}
			expect(earlier.length).toBeLessThan(15);
		}),
	);
});
