import fc from 'fast-check';
import { Cancelled, Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';
import { listRecords, type List } from '../../../nodes/EventPlatform/core/http/paginate';
import type { Answer, ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import { VirtualClock } from '../../support/virtualClock';

interface Platform {
	/** How many records there are when request number `request` is answered. */
	count: (request: number) => number;
	meta?: boolean;
	/** Answers in a changing time, so that they overtake each other. */
	latency?: (page: number) => number;
	/** Ignores what was asked for. */
	pageSize?: number;
	ids?: (index: number) => string | undefined;
	/** What its 400 is taken for. */
	beyond?: Cause;
	/** Refuses this page, which exists. */
	refused?: number;
}

/** A platform that lists as section 4.2 says, and says 400 to any page that does not exist. */
function platform(
	clock: VirtualClock,
	{ count, meta = true, latency = () => 100, pageSize, ids = String, ...failing }: Platform,
) {
	const asked: number[] = [];
	const sizes = new Set<unknown>();
	let open = 0;
	let mostOpen = 0;
	async function call(request: ApiRequest): Promise<Answer> {
		const page = Number(request.query?.['page[number]']);
		sizes.add(request.query?.['page[size]']);
		const size = pageSize ?? Number(request.query?.['page[size]']);
		asked.push(page);
		mostOpen = Math.max(mostOpen, ++open);
		const total = count(asked.length);
		await clock.sleep(latency(page));
		open--;
		const pages = Math.ceil(total / size);
		if (page > 0 && (page >= pages || page === failing.refused)) {
			throw new Failure(failing.beyond ?? 'page_out_of_range', request, { status: 400 });
		}
		const data: JsonObject[] = [];
		for (let index = page * size; index < Math.min(total, (page + 1) * size); index++) {
			const id = ids(index);
			data.push({ ...(id !== undefined && { id, type: 'people' }), attributes: { index } });
		}
		const about = {
			current_page: page,
			previous_page: page === 0 ? null : page - 1,
			next_page: page + 1 < pages ? page + 1 : null,
			record_count: total,
			page_count: pages,
			items_per_page: size,
		};
		return { status: 200, headers: {}, body: { data, ...(meta && { meta: about }) } };
	}
	return { api: call, asked, sizes, mostOpen: () => mostOpen };
}

async function list(rules: Platform, options: List = {}) {
	const clock = new VirtualClock();
	const server = platform(clock, rules);
	const records = await clock.run(listRecords(server.api, '/people', options));
	const indexes = records.map(({ attributes }) => (attributes as { index: number }).index);
	return { ...server, records, indexes };
}

test.each([0, 1, 49, 50, 51, 101, 1_000])(
	'%d records: all, once, in order, in as many requests as pages',
	async (count) => {
		const { indexes, asked } = await list({ count: () => count });
		expect(indexes).toEqual([...Array(count).keys()]);
		expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 50)));
	},
);

test.each([
	[0, 0, 0],
	[1, 1, 1],
	[49, 1, 49],
	[50, 1, 50],
	[51, 2, 50],
	[100, 2, 50],
	[101, 3, 50],
	[5_000, 20, 50],
])('a limit of %d takes %d requests of %d', async (limit, requests, size) => {
	const { indexes, asked, sizes } = await list({ count: () => 1_000 }, { limit });
	expect(indexes).toEqual([...Array(Math.min(limit, 1_000)).keys()]);
	expect(asked).toHaveLength(requests);
	expect([...sizes]).toEqual(size === 0 ? [] : [size]);
});

test('pages that come in any order are put in theirs, and few are under way at once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 1_200 }),
			fc.option(fc.integer({ min: 1, max: 1_300 }), { nil: undefined }),
			fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1 }),
			async (count, limit, latencies) => {
				const latency = (page: number) => latencies[page % latencies.length] ?? 1;
				const rules = { count: () => count, latency };
				const { indexes, asked, mostOpen } = await list(rules, { limit });
				const wanted = Math.min(count, limit ?? Infinity);
				const size = Math.min(limit ?? 50, 50);
				expect(indexes).toEqual([...Array(wanted).keys()]);
				expect(asked).toHaveLength(Math.max(1, Math.ceil(wanted / size)));
				expect(new Set(asked).size).toBe(asked.length);
				expect(mostOpen()).toBeLessThanOrEqual(10);
			},
		),
		{ numRuns: 60 },
	);
});

test('a list that shrinks or grows meanwhile ends, and no record comes twice', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 8 }),
			async (counts) => {
				const count = (request: number) => counts[Math.min(request, counts.length) - 1] ?? 0;
				const { indexes } = await list({ count });
				expect(new Set(indexes).size).toBe(indexes.length);
				expect(indexes.length).toBeGreaterThanOrEqual(Math.min(...counts));
			},
		),
		{ numRuns: 100 },
	);
});

describe('records that are deleted while the list is read', () => {
	/** `deletions`: before request number `at` is answered the record at that place goes, if there is one. */
	async function readDuring(
		count: number,
		deletions: Array<{ at: number; place: number }>,
		limit?: number,
	) {
		const ids = [...Array(count).keys()];
		const gone = new Set<number>();
		let requests = 0;
		const clock = new VirtualClock();
		async function call(request: ApiRequest): Promise<Answer> {
			requests += 1;
			for (const { at, place } of deletions) {
				const [id] = at === requests ? ids.splice(place, 1) : [];
				if (id !== undefined) gone.add(id);
			}
			const number = Number(request.query?.['page[number]']);
			const size = Number(request.query?.['page[size]']);
			const here = ids.slice(number * size, (number + 1) * size);
			const pages = Math.ceil(ids.length / size);
			const total = ids.length;
			await clock.sleep(100);
			if (number > 0 && number >= pages) throw new Failure('page_out_of_range', request);
			const meta = { current_page: number, page_count: pages, record_count: total };
			const next_page = number + 1 < pages ? number + 1 : null;
			const data = here.map((id) => ({ id: String(id), type: 'people' }));
			return { status: 200, headers: {}, body: { data, meta: { ...meta, next_page } } };
		}
		const records = await clock.run(listRecords(call, '/people', { limit }));
		return { found: records.map(({ id }) => Number(id)), gone, requests: () => requests };
	}

	test('let no other one be missing, for one request more', async () => {
		const { found, requests } = await readDuring(120, [{ at: 3, place: 10 }]);
		expect(found).toEqual([...Array(120).keys()]);
		expect(requests()).toBe(4);
	});

	test('let nobody be missing, whenever and wherever they are deleted', async () => {
		const deletion = fc.record({
			at: fc.integer({ min: 2, max: 14 }),
			place: fc.integer({ min: 0, max: 600 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 600 }),
				fc.array(deletion, { maxLength: 8 }),
				async (count, deletions) => {
					const { found, gone, requests } = await readDuring(count, deletions);
					expect(new Set(found).size).toBe(found.length);
					const missing = [...Array(count).keys()].filter(
						(id) => !gone.has(id) && !found.includes(id),
					);
					expect(missing).toEqual([]);
					expect(requests()).toBeLessThanOrEqual(
						Math.max(1, Math.ceil(count / 50)) + deletions.length,
					);
				},
			),
			{ numRuns: 200 },
		);
	});
});

test('a list without meta is read until a page is not full', async () => {
	const { indexes, asked } = await list({ count: () => 120, meta: false });
	expect(indexes).toHaveLength(120);
	expect(asked).toEqual([0, 1, 2]);
});

test('a list that shrinks ends with what there is, whatever the 400 says', async () => {
	const beyond = 'refused';
	const shrinking = await list({ count: (request) => (request < 3 ? 200 : 100), beyond });
	expect(shrinking.indexes).toEqual([...Array(100).keys()]);
	expect((await list({ count: () => 100, meta: false, beyond })).indexes).toHaveLength(100);
});

test.each([2, 3])(
	'page %d of 0 to 3 is refused although it exists: no end of the list',
	async (refused) => {
		await expect(list({ count: () => 200, beyond: 'refused', refused })).rejects.toThrow('refused');
	},
);

test('a platform that gives the same records to every page is not read for ever', async () => {
	const data = Array.from({ length: 50 }, (_, id) => ({ id: String(id), type: 'people' }));
	let requests = 0;
	const same = () => Promise.resolve({ status: 200, headers: {}, body: { data }, n: requests++ });
	expect(await listRecords(same, '/people')).toHaveLength(50);
	expect(requests).toBe(2);
});

test('a platform that gives smaller pages than it was asked for is read to the end', async () => {
	const { indexes } = await list({ count: () => 101, pageSize: 20 });
	expect(indexes).toEqual([...Array(101).keys()]);
	const some = await list({ count: () => 101, pageSize: 20 }, { limit: 45 });
	expect(some.indexes).toEqual([...Array(45).keys()]);
	expect(some.asked).toEqual([0, 1, 2]);
});

test('the first page that fails fails the list, and no more pages are asked for', async () => {
	const clock = new VirtualClock();
	const { api, asked } = platform(clock, { count: () => 5_000 });
	const failing = async (request: ApiRequest) => {
		if (request.query?.['page[number]'] === 3) throw new Failure('platform_error', request);
		return api(request);
	};
	await expect(clock.run(listRecords(failing, '/people'))).rejects.toMatchObject({
		reason: 'platform_error',
	});
	await clock.run(clock.sleep(10_000));
	expect(asked.length).toBeLessThan(15);
});

test('a cancel ends the list before the next page', async () => {
	const clock = new VirtualClock();
	const { api, asked } = platform(clock, { count: () => 5_000 });
	const stop = new AbortController();
	clock.later(250, () => stop.abort());
	const listing = listRecords(api, '/people', {}, stop.signal);
	await expect(clock.run(listing)).rejects.toBeInstanceOf(Cancelled);
	expect(asked.length).toBeLessThan(40);
});

test.each([
	['the same page again', 3],
	['nothing', 0],
])('many pages that all have %s are not read', async (_, length) => {
	const asked: ApiRequest[] = [];
	const api = (request: ApiRequest): Promise<Answer> => {
		const isFirst = asked.push(request) === 1;
		const data = ['a', 'b', 'c'].slice(0, isFirst ? 3 : length).map((id) => ({ id }));
		return Promise.resolve({
			...{ status: 200, headers: {} },
			body: { data, meta: { page_count: 3_000 } },
		});
	};
	expect(await listRecords(api, '/people')).toHaveLength(3);
	// Ten are under way at once.
	expect(asked.length).toBeLessThan(20);
});

test('ten pages are under way at once, also where the platform gives smaller ones', async () => {
	expect((await list({ count: () => 1_000 })).mostOpen()).toBe(10);
	const { indexes, mostOpen, asked } = await list(
		{ count: () => 1_000, pageSize: 20 },
		{ limit: 60 },
	);
	expect(indexes).toEqual([...Array(60).keys()]);
	expect(asked).toHaveLength(3);
	expect(mostOpen()).toBe(2);
});

test('records without an id, like task results, are all kept', async () => {
	const { records } = await list({ count: () => 101, ids: () => undefined });
	expect(records).toHaveLength(101);
	// A page with one of them is not read again where the list has become shorter.
	const count = (request: number) => (request < 2 ? 120 : 119);
	const ids = (index: number) => (index === 3 ? undefined : String(index));
	const { asked, indexes } = await list({ count, ids });
	expect(asked).toEqual([0, 1, 2]);
	expect(indexes).toEqual([...Array(119).keys()]);
});

test('a list that has grown by a page is read to its new end', async () => {
	const { indexes } = await list({ count: (request) => (request < 2 ? 100 : 130) });
	expect(indexes).toEqual([...Array(130).keys()]);
});

test('a platform that refuses even the first page is no empty list', async () => {
	const refuse = (request: ApiRequest) =>
		Promise.reject(new Failure('page_out_of_range', request, { status: 400 }));
	await expect(listRecords(refuse, '/people')).rejects.toThrow('page_out_of_range');
});
