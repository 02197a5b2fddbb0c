import fc from 'fast-check';
import {
	attributesOf,
	readErrors,
	readPage,
	readRecord,
	recordKey,
} from '../../../nodes/EventPlatform/core/http/jsonApi';
import type { Answer, ApiRequest } from '../../../nodes/EventPlatform/core/http/ports';

const get: ApiRequest = { method: 'GET', path: '/jobs/1' };
const answer = (body: unknown): Answer => ({ status: 200, headers: {}, body });
const job = { type: 'jobs', id: '1', attributes: { status: 'ended' } };

test('a job is read flat, as specified, and wrapped, as others send it', () => {
	expect(readRecord(get, answer(job))).toEqual(job);
	expect(readRecord(get, answer({ data: job }))).toEqual(job);
});

test.each([
	['', 'record'],
	[[], 'record'],
	[null, 'record'],
	[{}, 'record'],
	[{ data: null }, 'record'],
	[{ data: [job] }, 'record'],
	[{ data: job }, 'list'],
	[{ data: ['a'] }, 'list'],
	[{}, 'list'],
	[7, 'list'],
])('a 200 with %j is no %s, which its failure says', (body, wanted) => {
	const read = wanted === 'list' ? readPage : readRecord;
	expect(() => read(get, answer(body))).toThrow(
		expect.objectContaining({ reason: 'unexpected_shape', request: get, status: 200 }) as Error,
	);
});

test.each([
	['0 is a page', { current_page: 0, next_page: null, page_count: 1 }, 0],
	['an empty list', { current_page: 0, next_page: null, page_count: 0 }, 0],
	['the count of pages', { current_page: 0, next_page: 1, page_count: 7 }, 6],
	['null ends it whatever the count says', { current_page: 2, next_page: null, page_count: 9 }, 2],
	['an end that does not say which page it is', { next_page: null, page_count: 3 }, 2],
	['only a next page', { current_page: 0, next_page: 1 }, 1],
])('meta: %s', (_, meta, lastPage) => {
	expect(readPage(get, answer({ data: [], meta })).meta?.lastPage).toBe(lastPage);
});

test.each([
	[
		'the envelope of the platform',
		{ errors: [{ code: 'c', title: 't', detail: 'd', status: 'unauthorized' }] },
		[{ code: 'c', title: 't', detail: 'd' }],
	],
	[
		'code and status where they are swapped',
		{ errors: [{ code: '422', status: 'already_registered' }] },
		[{ code: 'already_registered' }],
	],
	[
		'the name of an error without a code',
		{ errors: [{ status: 'unauthorized', detail: 'd' }] },
		[{ code: 'unauthorized', detail: 'd' }],
	],
	[
		'a code that is a status, where nothing else names it',
		{ errors: [{ code: '422', status: '422' }] },
		[{ code: '422' }],
	],
	[
		'a code with a status in it, which is none',
		{ errors: [{ code: 'e422', status: 'unauthorized' }] },
		[{ code: 'e422' }],
	],
	[
		'the errors of a task',
		{ errors: [{ code: 'already_registered', message: 'm' }] },
		[{ code: 'already_registered', detail: 'm' }],
	],
	[
		'an OAuth error',
		{ error: 'invalid_grant', error_description: 'gone' },
		[{ code: 'invalid_grant', detail: 'gone' }],
	],
	['a message', { message: 'Bad gateway' }, [{ detail: 'Bad gateway' }]],
	['an error with a message', { error: { message: 'm' } }, [{ detail: 'm' }]],
	['texts', { errors: ['first', 'second'] }, [{ detail: 'first' }, { detail: 'second' }]],
	['another kind', { errors: { email: ['taken'] } }, [{ detail: '{"email":["taken"]}' }]],
	['a code alone', { errors: [{ code: 'c' }] }, [{ code: 'c' }]],
	['a title alone', { errors: [{ title: 't' }] }, [{ title: 't' }]],
	['the platform before a proxy', { errors: ['d'], error: 'e', message: 'm' }, [{ detail: 'd' }]],
	['nothing', {}, []],
	['errors that say nothing', { errors: ['', null, { code: '' }] }, []],
	['a page', '<html>', []],
])('reads %s', (_, body, errors) => {
	// Without fields that are undefined.
	expect(JSON.parse(JSON.stringify(readErrors(body)))).toEqual(errors);
	expect(readErrors(body)).toHaveLength(errors.length);
});

test('records are the same by type and id, and without an id like no other', () => {
	expect(recordKey({ type: 'people', id: '1' })).toBe('people 1');
	expect(recordKey({ type: 'people', id: 1 })).toBe('people 1');
	expect(recordKey({ id: '1' })).toBe(' 1');
	expect(recordKey({ type: 7, id: '1' })).toBe(' 1');
	expect(recordKey({ type: 'people', id: null })).toBeUndefined();
});

test('whatever the platform sends, its errors stay few and short', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (body) => {
			expect(JSON.stringify(readErrors(body)).length).toBeLessThan(30_000);
		}),
	);
	const flood = { errors: Array.from({ length: 5_000 }, () => ({ detail: 'x'.repeat(10_000) })) };
	expect(JSON.stringify(readErrors(flood)).length).toBeLessThan(6_000);
});

test.each([[undefined], [null], [{}], ['x'], [[]], [{ page_count: 'many' }]])(
	'meta may be %p',
	(meta) => {
		expect(readPage(get, answer({ data: [], meta })).meta).toBeUndefined();
	},
);

test.each([[{ id: '1' }], [{ attributes: {} }]])('%j is a record', (record) => {
	expect(readRecord(get, answer(record))).toBe(record);
});

test('the attributes of a record are an object, whatever it has', () => {
	expect(attributesOf({ attributes: { a: 1 } })).toEqual({ a: 1 });
	for (const attributes of [null, 'x', [1]]) expect(attributesOf({ attributes })).toEqual({});
});
