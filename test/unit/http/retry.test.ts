import fc from 'fast-check';
import type { Answer, ApiRequest, Lost } from '../../../nodes/EventPlatform/core/http/ports';
import { afterResponse, type Verdict } from '../../../nodes/EventPlatform/core/http/retry';

const get: ApiRequest = { method: 'GET', path: '/events' };
const page3: ApiRequest = { ...get, query: { 'page[number]': 3 } };
const post: ApiRequest = { ...get, method: 'POST' };
const remove: ApiRequest = { ...get, method: 'DELETE' };
const repeatable: ApiRequest = { ...post, repeatable: true };
const once: ApiRequest = { ...get, once: true };
const triedBySender: ApiRequest = { ...get, isTriedBySender: true };

const status = (
	code: number,
	headers: Record<string, string> = {},
	body: unknown = {},
): Answer => ({
	status: code,
	headers,
	body,
});
const noSuccess = status(200, {}, { errors: [{ title: 'Not allowed' }] });
const says = (code: number, detail: string) => status(code, {}, { errors: [{ detail }] });
const lost = (code: string, sent = true): Lost => ({ lost: code, sent });

test.each<[string, ApiRequest, Answer | Lost, number, Verdict]>([
	['an answer', get, status(200), 1, { done: status(200) }],
	['an empty answer', get, status(204, {}, ''), 1, { done: status(204, {}, '') }],
	['202 for a job that was accepted', post, status(202), 1, { done: status(202) }],
	['a success with errors, of a POST', post, noSuccess, 1, { done: noSuccess }],
	['a text with a bracket', get, status(200, {}, 'Sorry {'), 1, { fail: 'not_json' }],
	['another success', get, status(206), 1, { done: status(206) }],
	['207 of task results', get, status(207), 1, { done: status(207) }],
	[
		'429 with Retry-After',
		post,
		status(429, { 'retry-after': '3' }),
		1,
		{ fail: 'rate_limited', retry: 3_000 },
	],
	['429 without', post, status(429), 1, { fail: 'rate_limited', retry: 1_000 }],
	['the third 429 without', post, status(429), 3, { fail: 'rate_limited', retry: 4_000 }],
	['429 again and again', get, status(429), 15, { fail: 'rate_limited' }],
	['a spent month', get, status(429, { 'retry-after': '86400' }), 1, { fail: 'quota_spent' }],
	['a lost GET', get, lost('ECONNRESET'), 1, { fail: 'unconfirmed', retry: 500 }],
	['a GET lost for the fourth time', get, lost('ECONNRESET'), 4, { fail: 'unconfirmed' }],
	[
		'a lost POST that is safe to repeat',
		repeatable,
		lost('ECONNRESET'),
		1,
		{ fail: 'unconfirmed', retry: 500 },
	],
	['a lost POST that is not', post, lost('ECONNRESET'), 1, { fail: 'unconfirmed' }],
	[
		'a POST that never left',
		post,
		lost('ECONNREFUSED', false),
		2,
		{ fail: 'unreachable', retry: 1_000 },
	],
	['a platform that is not there', post, lost('ENOTFOUND', false), 4, { fail: 'unreachable' }],
	['a wrong certificate', get, lost('CERT_HAS_EXPIRED', false), 1, { fail: 'unreachable' }],
	['a broken platform', get, status(500), 2, { fail: 'platform_error', retry: 1_000 }],
	[
		'one that says when',
		get,
		status(503, { 'retry-after': '7' }),
		1,
		{ fail: 'platform_error', retry: 7_000 },
	],
	['a request that took too long to arrive', get, status(408), 4, { fail: 'platform_error' }],
	['one that may have acted', post, status(500), 1, { fail: 'platform_error' }],
	['a broken platform, four times', get, status(502, {}, '<html>'), 4, { fail: 'platform_error' }],
	['what its sender tries again', triedBySender, status(500), 1, { fail: 'platform_error' }],
	['the same, refused', triedBySender, status(429), 1, { fail: 'rate_limited', retry: 1_000 }],
	['half an answer', get, status(200, {}, '{"data":[{"id'), 1, { fail: 'not_json', retry: 500 }],
	['half a list', get, status(200, {}, ' [1'), 1, { fail: 'not_json', retry: 500 }],
	['half an answer to a POST', post, status(201, {}, '{"data":{'), 1, { fail: 'not_json' }],
	['a web page', get, status(200, {}, '<!doctype html>'), 1, { fail: 'not_json' }],
	['a redirect', get, status(302, {}, ''), 1, { fail: 'unexpected_shape' }],
	['a bad request', post, status(400), 1, { fail: 'refused' }],
	['a page that is not there', page3, status(400), 1, { fail: 'page_out_of_range' }],
	['one that words tell', page3, says(400, 'No such Page'), 1, { fail: 'page_out_of_range' }],
	['a page among the words for another request', post, says(400, 'page'), 1, { fail: 'refused' }],
	['a bad filter on a page', page3, says(400, 'Unknown filter'), 1, { fail: 'refused' }],
	['a bad token', get, status(401), 1, { fail: 'unauthorized' }],
	['a missing scope as 401', get, says(401, 'Insufficient scope'), 1, { fail: 'missing_scope' }],
	['a missing scope as 403', get, says(403, 'Insufficient scope'), 1, { fail: 'missing_scope' }],
	['a spent allowance', post, status(402), 1, { fail: 'allowance_spent' }],
	['a bare 403', get, status(403, {}, ''), 1, { fail: 'forbidden' }],
	['a blocked workspace', get, says(403, 'Workspace blocked'), 1, { fail: 'workspace_blocked' }],
	['a suspended one', get, says(403, 'Suspended'), 1, { fail: 'workspace_blocked' }],
	['another 403', get, says(403, 'Only the owner may'), 1, { fail: 'forbidden' }],
	['nothing there', get, status(404), 1, { fail: 'not_found' }],
	['a registered person', post, status(409), 1, { fail: 'already_exists' }],
	['a broken rule', post, says(422, 'Has already been taken'), 1, { fail: 'unprocessable' }],
	['a broken rule', post, says(422, 'The session is over'), 1, { fail: 'unprocessable' }],
	['an odd refusal', post, status(418), 1, { fail: 'refused' }],
	['a removal that was not made', remove, noSuccess, 1, { fail: 'refused' }],
	['a removal and its record', remove, status(200), 1, { done: status(200) }],
	['a 429 to what is sent once', once, status(429), 1, { fail: 'rate_limited' }],
	['a loss of what is sent once', once, lost('ECONNRESET'), 1, { fail: 'unconfirmed' }],
	['half an answer to it', once, status(200, {}, '{"data"'), 1, { fail: 'not_json' }],
])('%s', (_, sent, answer, attempt, verdict) => {
	expect(afterResponse(sent, answer, attempt)).toEqual(verdict);
});

const method = fc.constantFrom<ApiRequest['method']>('GET', 'POST', 'PATCH', 'DELETE');
const anyAnswer = fc.record({
	status: fc.integer({ min: 200, max: 599 }),
	headers: fc.dictionary(fc.constantFrom('retry-after', 'ratelimit-reset'), fc.string()),
	body: fc.oneof(fc.string(), fc.jsonValue()),
});
const anyLoss = fc.record({ lost: fc.string(), sent: fc.boolean() });

test('nothing that may have been acted on is repeated, unless that does no harm', () => {
	fc.assert(
		fc.property(
			method,
			fc.oneof(anyAnswer, anyLoss),
			fc.integer({ min: 1, max: 30 }),
			(m, a, n) => {
				const verdict = afterResponse({ ...get, method: m }, a, n);
				const neverActed = 'lost' in a ? !a.sent : a.status === 429;
				if ('retry' in verdict) expect(m === 'GET' || neverActed).toBe(true);
			},
		),
	);
});

test('every request comes to an end, and no wait is shorter than nothing', () => {
	fc.assert(
		fc.property(method, fc.boolean(), fc.oneof(anyAnswer, anyLoss), (m, safe, a) => {
			let attempt = 1;
			for (; attempt < 100; attempt++) {
				const verdict = afterResponse({ ...get, method: m, repeatable: safe }, a, attempt);
				const { retry } = { retry: undefined, ...verdict };
				if (retry === undefined) break;
				expect(retry).toBeGreaterThanOrEqual(0);
			}
			expect(attempt).toBeLessThanOrEqual(15);
		}),
	);
});
