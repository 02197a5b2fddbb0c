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

test('the records beside those of a page are known by type and ID', () => {
	const event = { type: 'events', id: '1' };
	const { beside } = readPage(get, answer({ data: [], included: [event, 'x', { type: 'tags' }] }));
	expect([...beside]).toEqual([['events 1', event]]);
	for (const included of [undefined, event]) {
		expect(readPage(get, answer({ data: [], included })).beside.size).toBe(0);
	}
});
