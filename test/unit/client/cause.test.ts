import { causeOf, type Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { ApiRequest, ApiResponse } from '../../../nodes/EventPlatform/core/client/request';

const list: ApiRequest = { method: 'GET', path: '/events' };
const page0: ApiRequest = { ...list, query: { 'page[number]': 0, 'page[size]': 50 } };
const page3: ApiRequest = { ...list, query: { 'page[number]': 3, 'page[size]': 50 } };
const filtered0: ApiRequest = { ...list, query: { ...page0.query, 'filter[title]': 'a' } };
const filtered3: ApiRequest = { ...list, query: { ...page3.query, 'filter[title]': 'a' } };
const post: ApiRequest = { method: 'POST', path: '/events' };
const remove: ApiRequest = { method: 'DELETE', path: '/events/1' };
const record: ApiRequest = { method: 'GET', path: '/events/1' };

const response = (status: number, body: unknown = {}, headers = {}): ApiResponse => {
	return { status, headers, body };
};
const says = (status: number, detail: string) => response(status, { errors: [{ detail }] });

const causeNow = (request: ApiRequest, answer: ApiResponse) => causeOf(request, answer, 0);

/** Bodies that mean, or may mean, that a page does not exist, where they come with a 400. */
const bodiesOfNoPage: ReadonlyArray<[string, unknown]> = [
	['an empty body', ''],
	['an empty object', {}],
	['a text about a page', 'No such page'],
	['an error about a page', { errors: [{ detail: 'Page 3 does not exist' }] }],
];

describe('only a 400 says that a page does not exist', () => {
	describe.each<[number, Cause]>([
		[401, 'unauthorized'],
		[402, 'allowance_spent'],
		[403, 'forbidden'],
		[404, 'no_endpoint'],
		[409, 'already_exists'],
		[418, 'not_from_api'],
		[422, 'unprocessable'],
		[500, 'platform_error'],
	])('a %i to a page is %s', (status, cause) => {
		test.each(bodiesOfNoPage)('with %s', (_, body) => {
			const causes = [page0, page3, filtered0, filtered3].map((request) =>
				causeNow(request, response(status, body)),
			);
			expect(causes).toEqual(Array(4).fill(cause));
		});
	});

	test('a 404 to a page of a list that belongs to a record is about the record', () => {
		const request = { ...page3, path: '/sessions/1/people' };
		expect(causeNow(request, says(404, 'No such page'))).toBe('not_found');
	});

	test.each(bodiesOfNoPage)(
		'a 400 to a request without a page is a refusal, with %s',
		(_, body) => {
			const causes = [list, post].map((request) => causeNow(request, response(400, body)));
			expect(causes).toEqual(Array(2).fill('refused'));
		},
	);
});

describe('a 400 to a page', () => {
	const noPage = 'No such page';
	const noPageOfFilter = 'Page: filter[email] does not exist';
	const noPageOfEmail = 'No page for this email';
	const notUnderstood = 'Unknown parameter page[number]';
	const badSize = 'page[size] is out of range';
	const badFilter = 'Unknown filter';

	test.each<[string, ApiRequest, string | undefined, Cause]>([
		['page 0 of an empty list', page0, undefined, 'page_out_of_range'],
		['page 0 of an empty list, in words', page0, noPage, 'page_out_of_range'],
		['a page parameter that is not understood', page0, notUnderstood, 'refused'],
		['page 0 out of range', page0, 'page[number] is out of range', 'page_out_of_range'],
		['page 0 beyond the last', page0, 'Beyond the last page', 'page_out_of_range'],
		['page 0, with whom to ask', page0, 'No such page. Ask support.', 'page_out_of_range'],
		['page 0 beyond what is allowed', page0, 'Page out of allowed range', 'page_out_of_range'],
		['a parameter out of range', page0, 'Parameter page[number] out of range', 'refused'],
		['a page that is not allowed', page0, 'page[number] is not allowed', 'refused'],
		['a page that is not supported', page0, 'page[number] is not supported', 'refused'],
		['a size that is not allowed', page0, badSize, 'refused'],
		['a refusal of something else', page0, badFilter, 'refused'],
		['page 0 of nothing, or a filter', filtered0, undefined, 'nothing_or_filter'],
		['page 0 of nothing, in words', filtered0, noPage, 'page_out_of_range'],
		['a filter, in words about a page', filtered0, noPageOfFilter, 'refused'],
		['an email, in words about a page', filtered0, noPageOfEmail, 'refused'],
		['a bad filter', filtered0, badFilter, 'refused'],
		['a page parameter beside a filter', filtered0, notUnderstood, 'refused'],
		['a later page', page3, undefined, 'page_out_of_range'],
		['a later page, in words', page3, noPage, 'page_out_of_range'],
		// Page 0 was answered with the same parameters, so they are understood.
		['a later page, in words about parameters', page3, notUnderstood, 'page_out_of_range'],
		['a later page, in words about the size', page3, badSize, 'page_out_of_range'],
		['a later page, in words of something else', page3, badFilter, 'page_out_of_range'],
		['a later page with a filter', filtered3, undefined, 'page_out_of_range'],
		['a later page with a filter, in words', filtered3, noPage, 'page_out_of_range'],
		['a later page, in words about the filter', filtered3, badFilter, 'page_out_of_range'],
	])('%s', (_, request, detail, cause) => {
		const answer = detail === undefined ? response(400) : says(400, detail);
		expect(causeNow(request, answer)).toBe(cause);
	});

	test.each<[string, ApiRequest, Cause]>([
		['a size', { ...list, query: { 'page[size]': 50 } }, 'page_out_of_range'],
		['a filter', { ...list, query: { 'filter[email]': 'a@x.io' } }, 'nothing_or_filter'],
		['an address', { ...list, query: { include: 'event' } }, 'refused'],
	])('is one to page 0 where the request has only %s', (_, request, cause) => {
		expect(causeNow(request, response(400))).toBe(cause);
	});

	test('is read in a plain text, too', () => {
		expect(causeNow(page0, response(400, noPage))).toBe('page_out_of_range');
	});

	test.each(['sort', 'include', 'email'])('counts %s as a filter', (name) => {
		const request: ApiRequest = { ...page0, query: { ...page0.query, [name]: 'a' } };
		expect(causeNow(request, response(400))).toBe('nothing_or_filter');
	});
});

describe('a 404', () => {
	const naming = (attributes: object): ApiRequest => ({
		...post,
		body: { data: { ...attributes } },
	});

	test.each<[string, ApiRequest, Cause]>([
		['of a list', list, 'no_endpoint'],
		['of a record', record, 'not_found'],
		['of a list of a record', { ...list, path: '/events/1/people' }, 'not_found'],
		['of a record that the body names', naming({ owner_id: '1' }), 'not_found'],
		['of a body that names no record', naming({ title: 'owner_id', id: '1' }), 'no_endpoint'],
		['of a POST without a body', post, 'no_endpoint'],
	])('%s', (_, request, cause) => {
		expect(causeNow(request, response(404))).toBe(cause);
	});
});

describe('a refusal', () => {
	test.each<[string, ApiResponse, Cause]>([
		['400', response(400), 'refused'],
		['401', response(401), 'unauthorized'],
		[
			'401 of an API token, as recorded',
			response(401, { errors: [{ status: 'unauthorized' }] }),
			'unauthorized',
		],
		[
			'401 of OAuth2, as recorded',
			response(401, '', { 'www-authenticate': 'Bearer realm="Doorkeeper", error="invalid_token"' }),
			'unauthorized',
		],
		['401 that names a scope', says(401, 'Insufficient scope'), 'missing_scope'],
		// Section 7 means a blocked workspace by a 403 alone.
		['401 that names a block', says(401, 'Workspace blocked'), 'unauthorized'],
		['402', response(402), 'allowance_spent'],
		['402 that names a scope', says(402, 'Insufficient scope'), 'allowance_spent'],
		['403 without a word', response(403, ''), 'forbidden'],
		['403 in other words', says(403, 'Only the owner may'), 'forbidden'],
		['403 that names a scope', says(403, 'Insufficient scope'), 'missing_scope'],
		[
			'403 that names a scope by a code',
			response(403, { errors: [{ code: 'MISSING_SCOPE' }] }),
			'missing_scope',
		],
		['403 that names a block', says(403, 'Workspace blocked'), 'workspace_blocked'],
		['403 of a firewall', says(403, 'Your IP address is blocked'), 'forbidden'],
		['403 that names a suspension', says(403, 'Account suspended'), 'workspace_blocked'],
		['403 that blocks one person', says(403, 'This email domain is blocked'), 'forbidden'],
		['403 that names both', says(403, 'Scope blocked'), 'missing_scope'],
		['408', response(408), 'platform_error'],
		['409', response(409), 'already_exists'],
		['410, which says that one record is gone', says(410, 'Gone'), 'not_found'],
		['413', response(413), 'refused'],
		['413 of a gateway: half of the people may be taken', response(413, '<html>'), 'refused'],
		['422', says(422, 'Has already been taken'), 'unprocessable'],
		['429', response(429), 'rate_limited'],
		['429 for a day', response(429, {}, { 'retry-after': '86400' }), 'quota_spent'],
		['500', response(500), 'platform_error'],
		['502 with a page for people', response(502, '<html>'), 'platform_error'],
	])('%s', (_, answer, cause) => {
		expect(causeNow(post, answer)).toBe(cause);
	});
});

describe('what the API does not send says nothing of a person, a page, the token or the workspace', () => {
	test.each([405, 406, 407, 411, 414, 415, 418, 421, 423, 431, 451, 499])('a %i', (status) => {
		const answers = [response(status), says(status, 'Not allowed')];
		const causes = answers.map((answer) => causeNow(post, answer));
		expect(causes).toEqual(['not_from_api', 'not_from_api']);
	});

	test.each([400, 403, 409, 422])('a %i with a web page', (status) => {
		const page = '\n<html><title>Page not found: workspace blocked</title></html>';
		const requests = [page0, page3, filtered0, filtered3, record, post, remove];
		const causes = requests.map((request) => causeNow(request, response(status, page)));
		expect(causes).toEqual(requests.map(() => 'not_from_api'));
	});
});

test.each<[string, number, string, Cause | undefined]>([
	['a redirect', 302, '', 'unexpected_shape'],
	['an answer below all successes', 199, '', 'unexpected_shape'],
	['the first success', 200, '', undefined],
	['the last success', 299, '', undefined],
	['the first redirect', 300, '', 'unexpected_shape'],
	['the last status before refusals', 399, '', 'unexpected_shape'],
	['a page for people', 200, '<!doctype html>', 'not_json'],
	['half an answer', 200, '{"data":[{"id', 'not_json'],
])('%s', (_, status, body, cause) => {
	expect(causeNow(list, response(status, body))).toBe(cause);
});

describe('a success whose body names an error', () => {
	const refusing = response(200, { errors: [{ title: 'Not allowed' }] });

	test('is a refusal of a removal, of which nothing else says whether it was done', () => {
		expect(causeNow(remove, refusing)).toBe('refused');
		expect(causeNow(remove, response(200, { error: 'locked' }))).toBe('refused');
	});

	test('is a success of everything else', () => {
		expect([list, post].map((request) => causeNow(request, refusing))).toEqual([
			undefined,
			undefined,
		]);
	});
});
