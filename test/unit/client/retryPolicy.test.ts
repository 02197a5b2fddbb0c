import fc from 'fast-check';
import { afterResponse, againAfterMs } from '../../../nodes/EventPlatform/core/client/retryPolicy';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type {
	ApiResponse,
	ApiRequest,
	LostConnection,
} from '../../../nodes/EventPlatform/core/client/request';

const get: ApiRequest = { method: 'GET', path: '/events' };
const page3: ApiRequest = { ...get, query: { 'page[number]': 3 } };
const post: ApiRequest = { ...get, method: 'POST' };
const remove: ApiRequest = { ...get, method: 'DELETE' };
const harmless: ApiRequest = { ...post, retry: 'safe' };
const once: ApiRequest = { ...get, retry: 'never' };
const triedBySender: ApiRequest = { ...get, retry: 'onlyWhenRefused' };

const status = (code: number, body: unknown = {}, headers = {}): ApiResponse => {
	return { status: code, headers, body };
};

const later = (code: number, seconds: string) => status(code, {}, { 'retry-after': seconds });
const resets = (code: number, seconds: string) => status(code, {}, { 'ratelimit-reset': seconds });
const noSuccess = status(200, { errors: [{ title: 'Not allowed' }] });
const lost = (code: string, sent = true): LostConnection => ({ lost: code, sent });

/** The cause of the failure, and after how many milliseconds the request is sent again. */
type Verdict = 'done' | [Cause, number?];

function verdictOn(
	request: ApiRequest,
	answer: ApiResponse | LostConnection,
	attempt: number,
): Verdict {
	const verdict = afterResponse(request, answer, attempt);
	if (verdict.kind === 'done') return verdict.response === answer ? 'done' : ['not_json', NaN];
	const { cause } = verdict.failure;
	return verdict.kind === 'failed' ? [cause] : [cause, verdict.afterMs];
}

test.each<[string, ApiRequest, ApiResponse | LostConnection, Verdict, number?]>([
	['an answer', get, status(200), 'done'],
	['an empty answer', get, status(204, ''), 'done'],
	['202 for a job that was accepted', post, status(202), 'done'],
	['another success', get, status(206), 'done'],
	['207 of task results', get, status(207), 'done'],
	['a success with errors, of a POST', post, noSuccess, 'done'],
	['a removal and its record', remove, status(200), 'done'],
	['a removal that was not made', remove, noSuccess, ['refused']],
	['429 with Retry-After', post, later(429, '3'), ['rate_limited', 3_000]],
	['the third 429 without', post, status(429), ['rate_limited', 4_000], 3],
	['429 again and again', get, status(429), ['rate_limited'], 15],
	['a spent month', get, later(429, '86400'), ['quota_spent']],
	['a lost GET', get, lost('ECONNRESET'), ['unconfirmed', 500]],
	['a lost POST that is safe to repeat', harmless, lost('ECONNRESET'), ['unconfirmed', 500]],
	['a lost POST that is not', post, lost('ECONNRESET'), ['unconfirmed']],
	['a POST that never left', post, lost('ECONNREFUSED', false), ['unreachable', 1_000], 2],
	['a platform that is not there', post, lost('ENOTFOUND', false), ['unreachable'], 4],
	['a wrong certificate', get, lost('CERT_HAS_EXPIRED', false), ['unreachable']],
	['a broken platform', get, status(500), ['platform_error', 1_000], 2],
	['one that says when', get, later(503, '7'), ['platform_error', 7_000]],
	['one that tells a limit', get, resets(500, '9'), ['platform_error', 500]],
	['a limit that tells its reset', get, resets(429, '9'), ['rate_limited', 9_000]],
	['one that may have acted', post, status(500), ['platform_error']],
	['a broken platform, four times', get, status(502, '<html>'), ['platform_error'], 4],
	['a request that took too long to arrive', get, status(408), ['platform_error'], 4],
	['what its sender tries again', triedBySender, status(500), ['platform_error']],
	['the same, refused', triedBySender, status(429), ['rate_limited', 1_000]],
	['half an answer', get, status(200, '{"data":[{"id'), ['not_json', 500]],
	['half a list', get, status(200, ' [1'), ['not_json', 500]],
	['half an answer to a POST', post, status(201, '{"data":{'), ['not_json']],
	['a web page', get, status(200, '<!doctype html>'), ['not_json']],
	['a text with a bracket', get, status(200, 'Sorry {'), ['not_json']],
	['a redirect', get, status(302, ''), ['unexpected_shape']],
	['a bad request', get, status(400), ['refused']],
	['a page that is not there', page3, status(400), ['page_out_of_range']],
	['a 429 to what is sent once', once, status(429), ['rate_limited']],
])('%s', (_, sent, answer, expected, attempt = 1) => {
	expect(verdictOn(sent, answer, attempt)).toEqual(expected);
});

const method = fc.constantFrom<ApiRequest['method']>('GET', 'POST', 'PATCH', 'DELETE');

const anyAnswer = fc.record({
	status: fc.integer({ min: 200, max: 599 }),
	headers: fc.dictionary(fc.constantFrom('retry-after', 'ratelimit-reset'), fc.string()),
	body: fc.oneof(fc.string(), fc.jsonValue()),
});

const anyLoss = fc.record({ lost: fc.string(), sent: fc.boolean() });

test('every request comes to an end, and what may have been acted on is sent again only where that does no harm', () => {
	fc.assert(
		fc.property(method, fc.boolean(), fc.oneof(anyAnswer, anyLoss), (m, safe, a) => {
			const neverActed = 'lost' in a ? !a.sent : a.status === 429;
			let attempt = 1;
			for (; attempt < 100; attempt++) {
				const verdict = afterResponse(
					{ ...get, method: m, retry: safe ? 'safe' : undefined },
					a,
					attempt,
				);
				if (verdict.kind !== 'retry') break;
				expect(m === 'GET' || safe || neverActed).toBe(true);
				expect(verdict.afterMs).toBeGreaterThanOrEqual(0);
			}
			expect(attempt).toBeLessThanOrEqual(15);
		}),
	);
});

test('each wait is twice as long as the one before, and a run slows down before it waits', () => {
	const waits = (what: 'transfer' | 'run') =>
		[1, 2, 3, 4, 5, 6, 10, 11].map((failures) => againAfterMs(what, failures));
	const ms = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, undefined];
	expect(waits('transfer')).toEqual(ms);
	expect(waits('run').slice(0, 4)).toEqual([0, 0, 500, 1_000]);
	expect(againAfterMs('request', 100)).toBeUndefined();
});
