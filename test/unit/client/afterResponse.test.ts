import fc from 'fast-check';
import { afterResponse } from '../../../nodes/EventPlatform/core/client/afterResponse';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type {
	ApiResponse,
	ApiRequest,
	LostConnection,
} from '../../../nodes/EventPlatform/core/client/request';

const get: ApiRequest = { method: 'GET', path: '/events' };
const post: ApiRequest = { ...get, method: 'POST' };
const harmless: ApiRequest = { ...post, retry: 'idempotent' };
const once: ApiRequest = { ...get, retry: 'never' };
const triedBySender: ApiRequest = { ...get, retry: 'onlyWhenRefused' };

const status = (code: number, body: unknown = {}, headers = {}): ApiResponse => {
	return { status: code, headers, body };
};

const later = (code: number, seconds: string) => status(code, {}, { 'retry-after': seconds });
const resets = (code: number, seconds: string) => status(code, {}, { 'ratelimit-reset': seconds });
const lost = (code: string, sent = true): LostConnection => ({ lost: code, sent });

/** The failures of the attempts before this one, which had the same cause. */
const failuresBefore = (attempt: number, cause: Cause) =>
	Array<Failure>(attempt - 1).fill(new Failure(cause, get));

test('an answer without a cause is what the request was sent for', () => {
	const response = status(200);
	expect(afterResponse(get, response, [], 0)).toEqual({ kind: 'done', response });
});

/* Which answer has which cause is shown in cause.test.ts: here is what follows from the cause. */

interface EndingInFailure {
	what: string;
	request: ApiRequest;
	response: ApiResponse | LostConnection;
	/** The first, where nothing else is said. */
	attempt?: number;
	cause: Cause;
}

const final: EndingInFailure[] = [
	{
		what: 'the fifteenth 429',
		request: get,
		response: status(429),
		attempt: 15,
		cause: 'rate_limited',
	},
	{ what: 'a spent month', request: get, response: later(429, '86400'), cause: 'quota_spent' },
	{
		what: 'a lost POST that is not safe to repeat',
		request: post,
		response: lost('ECONNRESET'),
		cause: 'unconfirmed',
	},
	{
		what: 'a platform that is not there',
		request: post,
		response: lost('ENOTFOUND', false),
		attempt: 4,
		cause: 'unreachable',
	},
	{
		what: 'a wrong certificate',
		request: get,
		response: lost('CERT_HAS_EXPIRED', false),
		cause: 'unreachable',
	},
	{
		what: 'a broken platform that may have acted',
		request: post,
		response: status(500),
		cause: 'platform_error',
	},
	{
		what: 'a broken platform, four times',
		request: get,
		response: status(502, '<html>'),
		attempt: 4,
		cause: 'platform_error',
	},
	{
		what: 'what its sender tries again',
		request: triedBySender,
		response: status(500),
		cause: 'platform_error',
	},
	{
		what: 'half an answer to a POST',
		request: post,
		response: status(201, '{"data":{'),
		cause: 'not_json',
	},
	{
		what: 'a text with a bracket',
		request: get,
		response: status(200, 'Sorry {'),
		cause: 'not_json',
	},
	{
		what: 'the page of a gateway to a POST',
		request: post,
		response: status(400, '<html>'),
		cause: 'not_from_api',
	},
	{ what: 'a bad request', request: get, response: status(400), cause: 'refused' },
	{
		what: 'a 429 to what is sent once',
		request: once,
		response: status(429),
		cause: 'rate_limited',
	},
];

test.each(final)(
	'$what is a failure, and final: $cause',
	({ request, response, attempt = 1, cause }) => {
		const failure = expect.objectContaining({ cause }) as Failure;
		expect(afterResponse(request, response, failuresBefore(attempt, cause), 0)).toEqual({
			kind: 'failed',
			failure,
		});
	},
);

interface EndingInRetry extends EndingInFailure {
	afterMs: number;
}

const retried: EndingInRetry[] = [
	{
		what: '429 with Retry-After',
		request: post,
		response: later(429, '3'),
		cause: 'rate_limited',
		afterMs: 3_000,
	},
	{
		what: 'the third 429 without',
		request: post,
		response: status(429),
		attempt: 3,
		cause: 'rate_limited',
		afterMs: 4_000,
	},
	{
		what: 'a broken platform, three times',
		request: get,
		response: status(502, '<html>'),
		attempt: 3,
		cause: 'platform_error',
		afterMs: 2_000,
	},
	{
		what: 'a lost GET',
		request: get,
		response: lost('ECONNRESET'),
		cause: 'unconfirmed',
		afterMs: 500,
	},
	{
		what: 'a lost POST that is safe to repeat',
		request: harmless,
		response: lost('ECONNRESET'),
		cause: 'unconfirmed',
		afterMs: 500,
	},
	{
		what: 'a POST that never left',
		request: post,
		response: lost('ECONNREFUSED', false),
		attempt: 2,
		cause: 'unreachable',
		afterMs: 1_000,
	},
	{
		what: 'a broken platform that says when',
		request: get,
		response: later(503, '7'),
		cause: 'platform_error',
		afterMs: 7_000,
	},
	{
		what: 'a broken platform that says at once, which would be four attempts at the same moment',
		request: get,
		response: later(503, '0'),
		attempt: 3,
		cause: 'platform_error',
		afterMs: 2_000,
	},
	{
		what: 'a limit that says at once, because the limiter waits',
		request: get,
		response: later(429, '0'),
		attempt: 3,
		cause: 'rate_limited',
		afterMs: 0,
	},
	{
		what: 'a broken platform that tells a limit',
		request: get,
		response: resets(500, '9'),
		cause: 'platform_error',
		afterMs: 500,
	},
	{
		what: 'a limit that tells its reset',
		request: get,
		response: resets(429, '9'),
		cause: 'rate_limited',
		afterMs: 9_000,
	},
	{
		what: 'what its sender tries again, refused',
		request: triedBySender,
		response: status(429),
		cause: 'rate_limited',
		afterMs: 1_000,
	},
	{
		what: 'the page of a gateway',
		request: get,
		response: status(400, '<html>'),
		cause: 'not_from_api',
		afterMs: 500,
	},
	{
		what: 'half an answer',
		request: get,
		response: status(200, '{"data":[{"id'),
		cause: 'not_json',
		afterMs: 500,
	},
	{
		what: 'half a list',
		request: get,
		response: status(200, ' [1'),
		cause: 'not_json',
		afterMs: 500,
	},
];

test.each(retried)(
	'$what is a failure, and the request is sent again after $afterMs ms: $cause',
	({ request, response, attempt = 1, cause, afterMs }) => {
		const failure = expect.objectContaining({ cause }) as Failure;
		expect(afterResponse(request, response, failuresBefore(attempt, cause), 0)).toEqual({
			kind: 'retry',
			failure,
			afterMs,
		});
	},
);

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
