import { requestProblems, responseProblems } from '../support/contract';

const registration = (attributes: object) => ({ data: { type: 'people', attributes } });
const fields = [{ id: 'email', value: 'ada@example.org' }];

test.each([
	['another version', { method: 'GET', path: '/v2/events' }, 'no GET /v2/events'],
	['a page of 51', { method: 'GET', path: '/v1/events', query: { 'page[size]': 51 } }, '<= 50'],
	['a strange parameter', { method: 'GET', path: '/v1/events', query: 'page=1' }, "'page'"],
	[
		'a wrong include',
		{ method: 'GET', path: '/v1/events', query: { include: 'people' } },
		'allowed',
	],
	['no body', { method: 'POST', path: '/v1/sessions/a/people' }, 'needs a body'],
	[
		'fields in the wrong place',
		{ method: 'POST', path: '/v1/sessions/a/people', body: { data: { type: 'people', fields } } },
		'attributes',
	],
	[
		'an email that is no field',
		{ method: 'DELETE', path: '/v1/sessions/a/people' },
		'filter[email]',
	],
	['no token', { method: 'GET', path: '/v1/ping', headers: {} }, 'Authorization'],
	[
		'a form where JSON belongs',
		{
			method: 'POST',
			path: '/v1/sessions/a/people',
			headers: { authorization: 'token', 'content-type': 'application/x-www-form-urlencoded' },
			body: registration({ fields }),
		},
		'content type',
	],
])('%s is a problem', (_, request, said) => {
	expect(requestProblems(request).join('\n')).toContain(said);
});

test.each([
	['the contract has no operation nothing', 'nothing', 200, undefined],
	['ping: 204 is not in the contract', 'ping', 204, undefined],
	['ping: 200 has a body', 'ping', 200, { ok: true }],
	['required property', 'getJob', 200, { type: 'jobs' }],
	['required property', 'getJob', 404, { error: 'gone' }],
])('%s', (said, operation, status, body) => {
	expect(responseProblems(operation, status, body).join('\n')).toContain(said);
});

test('an answer of the contract has no problem, HTML of a failing platform included', () => {
	const attributes = {
		status: 'ended',
		total_items: 1,
		total_processed_items: 1,
		total_fail: 0,
		total_success: 1,
	};
	const job = { type: 'jobs', id: 'a', attributes };
	expect(responseProblems('getJob', 200, job)).toEqual([]);
	expect(responseProblems('getJob', 200, { data: job })).toEqual([]);
	expect(responseProblems('ping', 200)).toEqual([]);
	expect(responseProblems('getJob', 502, '<h1>Bad Gateway</h1>')).toEqual([]);
});
