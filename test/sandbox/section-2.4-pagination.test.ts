import { crowd, finishedJob, type Meta, openSandbox, type Page, type Visitor } from './visitor';

let visitor: Visitor;
let path: string;
const people = crowd(45);
beforeAll(async () => {
	visitor = await openSandbox();
	const id = await visitor.sessionId();
	await finishedJob(visitor.api, id, people);
	path = `/v1/sessions/${id}/people`;
});

async function metaOf(number?: number, size?: number): Promise<Meta> {
	const params = { 'page[number]': number, 'page[size]': size };
	return (await visitor.api.get<Page>(path, { params })).data.meta;
}

test('the first page counts as 0 and has no page before it', async () => {
	expect(await metaOf()).toEqual({
		current_page: 0,
		previous_page: null,
		next_page: 1,
		record_count: 45,
		page_count: 3,
		items_per_page: 20,
	});
});

test('the last page has none after it', async () => {
	expect(await metaOf(2)).toMatchObject({ current_page: 2, previous_page: 1, next_page: null });
});

test.each([
	[1, 45],
	[9, 5],
	[44, 2],
	[45, 1],
	[46, 1],
	[50, 1],
])('of pages of %i there are %i', async (size, pages) => {
	const meta = await metaOf(0, size);
	expect(meta).toMatchObject({ page_count: pages, items_per_page: size, record_count: 45 });
	expect(meta.next_page).toBe(pages === 1 ? null : 1);
	expect(await metaOf(pages - 1, size)).toMatchObject({ next_page: null });
});

test('the counts are of what the filters let through', async () => {
	const params = { 'filter[email]': people[7]?.['email'] };
	const { data } = await visitor.api.get<Page>(path, { params });
	expect(data.meta).toMatchObject({ record_count: 1, page_count: 1, next_page: null });
});

test('the pages together are the whole list, each record once', async () => {
	const seen: unknown[] = [];
	for (let page: number | null = 0; page !== null;) {
		const params: object = { 'page[number]': page, 'page[size]': 7 };
		const { data } = await visitor.api.get<Page>(path, { params });
		seen.push(...data.data.map(({ attributes }) => attributes['email']));
		page = data.meta.next_page;
	}
	expect(seen.sort()).toEqual(people.map(({ email }) => email).sort());
});
