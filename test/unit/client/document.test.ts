import {
	attributesOf,
	readPage,
	readRecord,
	recordKey,
} from '../../../nodes/EventPlatform/core/client/document';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';

const get: ApiRequest = { method: 'GET', path: '/jobs/1' };
const answer = (body: unknown): ApiResponse => ({ status: 200, headers: {}, body });
const job = { type: 'jobs', id: '1', attributes: { status: 'ended' } };

test('a job is read flat, as specified, and wrapped, as others send it', () => {
	expect(readRecord(get, answer({ data: job }))).toBe(job);
	for (const flat of [job, { id: '1' }, { attributes: {} }]) {
		expect(readRecord(get, answer(flat))).toBe(flat);
	}
});

describe('a record with a UUID', () => {
	const path = '/people/ABCDEF00-0000-4000-8000-000000000001';

	test('is read, whatever the capitals in it', () => {
		const record = { id: 'abcdef00-0000-4000-8000-000000000001' };
		expect(readRecord({ ...get, path }, answer(record))).toBe(record);
	});

	test('is none where it is another one than was asked for', () => {
		const other = { id: 'abcdef00-0000-4000-8000-000000000002' };
		expect(() => readRecord({ ...get, path }, answer(other))).toThrow('unexpected_shape');
	});
});

test('records are the same by type and id, and without an id like no other', () => {
	expect(recordKey({ type: 'people', id: '1' })).toBe('people 1');
	expect(recordKey({ type: 7, id: '1' })).toBe(' 1');
	expect(recordKey({ type: 'people', id: null })).toBeUndefined();
});

test('the attributes of a record are an object, whatever it has', () => {
	expect(attributesOf({ attributes: { a: 1 } })).toEqual({ a: 1 });
	for (const attributes of [null, 'x', [1]]) expect(attributesOf({ attributes })).toEqual({});
});

test.each([
	[null, 'record'],
	[{}, 'record'],
	[{ data: null }, 'record'],
	[{ data: [job] }, 'record'],
	[{ data: job }, 'list'],
	[{ data: ['a'] }, 'list'],
	[[job], 'list'],
	[{}, 'list'],
])('a 200 with %j is no %s, which its failure says', (body, shape) => {
	const read = shape === 'list' ? readPage : readRecord;
	expect(() => read(get, answer(body))).toThrow(
		expect.objectContaining({ cause: 'unexpected_shape', request: get, status: 200 }) as Error,
	);
});

test('the records included with those of a page are known by type and ID', () => {
	const event = { type: 'events', id: '1' };
	const { included } = readPage(
		get,
		answer({ data: [], included: [event, 'x', { type: 'tags' }] }),
	);
	expect([...included]).toEqual([['events 1', event]]);
	for (const included of [undefined, event]) {
		expect(readPage(get, answer({ data: [], included })).included.size).toBe(0);
	}
});
