import { readRecord } from '../../../nodes/EventPlatform/core/client/document';
import { readPage } from '../../../nodes/EventPlatform/core/client/page';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';

const get: ApiRequest = { method: 'GET', path: '/jobs/1' };
const answer = (body: unknown): ApiResponse => ({ status: 200, headers: {}, body });
const job = { type: 'jobs', id: '1', attributes: { status: 'ended' } };

test.each([
	[null, 'record'],
	[{}, 'record'],
	[{ data: null }, 'record'],
	[{ data: [job] }, 'record'],
	[{ data: job }, 'list'],
	[{ data: ['a'] }, 'list'],
	[{}, 'list'],
])('a 200 with %j is no %s, which its failure says', (body, wanted) => {
	const read = wanted === 'list' ? readPage : readRecord;
	expect(() => read(get, answer(body))).toThrow(
		expect.objectContaining({ cause: 'unexpected_shape', request: get, status: 200 }) as Error,
	);
});

test.each([
	['0 is a page', { current_page: 0, next_page: null, page_count: 1 }, 0],
	['an empty list', { current_page: 0, next_page: null, page_count: 0 }, 0],
	['the count of pages', { current_page: 0, next_page: 1, page_count: 7 }, 6],
	['null ends it whatever the count says', { current_page: 2, next_page: null, page_count: 9 }, 2],
	['an end that does not say which page it is', { next_page: null, page_count: 3 }, 2],
	['only a next page', { current_page: 0, next_page: 1 }, 1],
	['none', undefined, undefined],
	['a count in words', { page_count: 'many' }, undefined],
])('meta: %s', (_, meta, lastPage) => {
	expect(readPage(get, answer({ data: [], meta })).lastPage).toBe(lastPage);
});

test('a meta that says nothing of pages does not say where the list ends', () => {
	const page = readPage(get, answer({ data: [], meta: { record_count: 3 } }));
	expect(page).toMatchObject({ lastPage: undefined, recordCount: 3 });
});

test('the records beside those of a page are known by type and ID', () => {
	const event = { type: 'events', id: '1' };
	const { beside } = readPage(get, answer({ data: [], included: [event, 'x', { type: 'tags' }] }));
	expect([...beside]).toEqual([['events 1', event]]);
	for (const included of [undefined, event]) {
		expect(readPage(get, answer({ data: [], included })).beside.size).toBe(0);
	}
});
