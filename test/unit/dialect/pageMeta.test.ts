import { pagePartsOf } from '../../../nodes/EventPlatform/core/dialect/pageMeta';

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
	expect(pagePartsOf({ data: [], meta }).lastPage).toBe(lastPage);
});

test('a meta that says nothing of pages does not say where the list ends', () => {
	const parts = pagePartsOf({ data: [], meta: { record_count: 3 } });
	expect(parts).toEqual({ data: [], lastPage: undefined, recordCount: 3 });
});

test('a list without `data` is its records, and says nothing of pages', () => {
	expect(pagePartsOf(['a'])).toEqual({ data: ['a'] });
});
