import {
	contentOf,
	fieldsIn,
	readPageMeta,
	recordIn,
} from '../../../nodes/EventPlatform/core/dialect/envelope';

const flat = { type: 'people', id: 'p1', email: 'ada@example.com', meta: {} };
const record = { type: 'people', id: 'p1', attributes: { email: 'ada@example.com' } };

test('a record stands in `data` or is the body', () => {
	expect(contentOf({ data: record })).toBe(record);
	for (const body of [record, { data: [record] }, { data: null }])
		expect(contentOf(body)).toBe(body);
});

test.each([undefined, null, 'text', [record]])('%j has no record', (body) => {
	expect(contentOf(body)).toBeUndefined();
});

test('a record has an ID or attributes', () => {
	for (const body of [record, flat, { attributes: {} }]) expect(recordIn(body)).toBe(body);
	for (const body of [{}, { data: { email: 'ada@example.com' } }, null])
		expect(recordIn(body)).toBeUndefined();
});

test('what every record has is no field', () => {
	expect(fieldsIn(record)).toBe(record.attributes);
	expect(fieldsIn(flat)).toEqual({ email: 'ada@example.com' });
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
	expect(readPageMeta(meta).lastPage).toBe(lastPage);
});

test('a meta that says nothing of pages does not say where the list ends', () => {
	expect(readPageMeta({ record_count: 3 })).toEqual({ lastPage: undefined, recordCount: 3 });
});
