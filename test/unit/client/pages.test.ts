import fc from 'fast-check';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import {
	listRecords,
	readPages,
	type ListOptions,
} from '../../../nodes/EventPlatform/core/client/pages';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import type { ApiResponse, ApiRequest } from '../../../nodes/EventPlatform/core/client/request';
import { VirtualClock } from '../../support/time/virtualClock';

const upTo = (count: number) => [...Array(count).keys()];

interface Platform {
	/** The ids that there are when request number `request` is answered. */
	ids: (request: number) => readonly number[];
	meta?: boolean;
	/** Answers in a changing time, so that they overtake each other. */
	latency?: (page: number) => number;
	/** Ignores what was asked for. */
	pageSize?: number;
	/** The records from here on have an id. */
	firstId?: number;
	/** Does not answer this page, which exists. */
	failing?: { page: number; cause: Cause };
}

/** A platform that lists as section 4.2 says, and says 400 to any page that does not exist. */
function platform({ ids, meta = true, latency = () => 100, firstId = 0, ...rules }: Platform) {
	const clock = new VirtualClock();
	const { failing } = rules;
	const asked: number[] = [];
	const sizes = new Set<unknown>();
	let open = 0;
	let mostOpen = 0;
	async function ask(request: ApiRequest): Promise<ApiResponse> {
		const page = Number(request.query?.['page[number]']);
		sizes.add(request.query?.['page[size]']);
		const size = rules.pageSize ?? Number(request.query?.['page[size]']);
		mostOpen = Math.max(mostOpen, ++open);
		const all = ids(asked.push(page));
		await clock.sleep(latency(page));
		open--;
		const pages = Math.ceil(all.length / size);
		const isBeyond = page > 0 && page >= pages;
		const cause = page === failing?.page ? failing.cause : isBeyond && 'page_out_of_range';
		const status = cause === 'platform_error' ? 500 : 400;
		if (cause) throw new Failure(cause, request, { status });
		const data = all.slice(page * size, (page + 1) * size).map((index): JsonObject => ({
			...(index >= firstId && { id: String(index), type: 'people' }),
			attributes: { index },
		}));
		const next_page = page + 1 < pages ? page + 1 : null;
		const about = { current_page: page, next_page, page_count: pages, record_count: all.length };
		return { status: 200, headers: {}, body: { data, ...(meta && { meta: about }) } };
	}
	async function list(options: ListOptions = {}): Promise<number[]> {
		const records = await clock.run(listRecords(ask, '/people', options));
		return records.map(({ attributes }) => (attributes as { index: number }).index);
	}
	return { ask, list, clock, asked, sizes, open: () => open, mostOpen: () => mostOpen };
}

interface Reading {
	/** Records that there are. */
	count: number;
	/** All of them, where nothing is said. */
	limit?: number;
	requests: number;
	pageSizes: number[];
}

const readings: Reading[] = [
	{ count: 0, requests: 1, pageSizes: [50] },
	{ count: 1, requests: 1, pageSizes: [50] },
	{ count: 51, requests: 2, pageSizes: [50] },
	{ count: 1_000, requests: 20, pageSizes: [50] },
	{ count: 1_000, limit: 0, requests: 0, pageSizes: [] },
	{ count: 1_000, limit: 1, requests: 1, pageSizes: [1] },
	{ count: 1_000, limit: 50, requests: 1, pageSizes: [50] },
	{ count: 1_000, limit: 51, requests: 2, pageSizes: [50] },
	{ count: 1_000, limit: 5_000, requests: 20, pageSizes: [50] },
];

test.each(readings.map((reading) => ({ most: reading.limit ?? 'all', ...reading })))(
	'of $count records $most are read with $requests requests',
	async (reading) => {
		const { count, limit } = reading;
		const { list, asked, sizes } = platform({ ids: () => upTo(count) });
		expect(await list({ limit })).toEqual(upTo(Math.min(limit ?? count, count)));
		expect(asked).toHaveLength(reading.requests);
		expect([...sizes]).toEqual(reading.pageSizes);
	},
);

test('pages that come in any order are put in theirs, and few are under way at once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 1_200 }),
			fc.option(fc.integer({ min: 1, max: 1_300 }), { nil: undefined }),
			fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1 }),
			async (count, limit, latencies) => {
				const latency = (page: number) => latencies[page % latencies.length] ?? 1;
				const { list, asked, mostOpen } = platform({ ids: () => upTo(count), latency });
				const records = Math.min(count, limit ?? Infinity);
				expect(await list({ limit })).toEqual(upTo(records));
				expect(asked).toHaveLength(Math.max(1, Math.ceil(records / Math.min(limit ?? 50, 50))));
				expect(new Set(asked).size).toBe(asked.length);
				expect(mostOpen()).toBeLessThanOrEqual(10);
			},
		),
		{ numRuns: 60 },
	);
});

describe('records that are deleted while the list is read', () => {
	/** Before request number `at` is answered the record at that place goes, if there is one. */
	async function readDuring(count: number, deletions: Array<{ at: number; place: number }>) {
		const left = upTo(count);
		const ids = (request: number) => {
			for (const { at, place } of deletions) if (at === request) left.splice(place, 1);
			return [...left];
		};
		const { list, asked } = platform({ ids });
		return { ids: await list(), left, asked };
	}

	test('let no other one be missing, for one request more', async () => {
		const { ids, asked } = await readDuring(120, [{ at: 3, place: 10 }]);
		expect(ids).toEqual(upTo(120));
		expect(asked).toHaveLength(4);
	});

	test('let no other one be missing where the last page is gone with them', async () => {
		const first = { at: 3, place: 0 };
		const { ids, asked } = await readDuring(101, [first, first]);
		expect(ids).toEqual(upTo(101));
		expect(asked).toEqual([0, 1, 2, 1]);
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
					const { ids, left, asked } = await readDuring(count, deletions);
					expect(new Set(ids).size).toBe(ids.length);
					expect(left.filter((id) => !ids.includes(id))).toEqual([]);
					const pages = Math.max(1, Math.ceil(count / 50));
					expect(asked.length).toBeLessThanOrEqual(pages + deletions.length);
				},
			),
			{ numRuns: 200 },
		);
	});

	test.each([40, 50, 59])(
		'let nobody be missing where %d of 260 are deleted at once, so that pages are gone',
		async (deleted) => {
			for (const at of [2, 3, 4, 5, 6, 7]) {
				const deletions = Array.from({ length: deleted }, () => ({ at, place: 0 }));
				const { ids, left, asked } = await readDuring(260, deletions);
				expect(left.filter((id) => !ids.includes(id))).toEqual([]);
				// Six pages, and those in front again.
				expect(asked.length).toBeLessThanOrEqual(6 + Math.ceil(deleted / 50));
			}
		},
	);

	test.each([60, 120, 200])(
		'fail the list, or let nobody be missing, where %d of 260 are deleted at once',
		async (deleted) => {
			for (const at of [2, 3, 4, 5, 6, 7]) {
				const deletions = Array.from({ length: deleted }, () => ({ at, place: 0 }));
				const read = await readDuring(260, deletions).catch((error: Failure) => error);
				if (read instanceof Failure) expect(read.cause).toBe('incomplete_list');
				else expect(read.left.filter((id) => !read.ids.includes(id))).toEqual([]);
			}
		},
	);

	test('cost nothing more where records have no id, like task results: all are kept', async () => {
		const all = platform({ ids: () => upTo(101), firstId: Infinity });
		expect(await all.list()).toEqual(upTo(101));
		const ids = (request: number) => upTo(request < 2 ? 120 : 119);
		const { list, asked } = platform({ ids, firstId: 4 });
		expect(await list()).toEqual(upTo(119));
		expect(asked).toEqual([0, 1, 2]);
	});
});

test('nothing at all is an empty list where even page 0 is refused, and asked for once', async () => {
	const failing = { page: 0, cause: 'page_out_of_range' as const };
	const { list, asked } = platform({ ids: () => [], failing });
	expect(await list()).toEqual([]);
	expect(asked).toEqual([0]);
});

test('a list without meta is read until a page is not full', async () => {
	const { list, asked } = platform({ ids: () => upTo(120), meta: false });
	expect(await list()).toEqual(upTo(120));
	expect(asked).toEqual([0, 1, 2]);
});

test('a list that shrinks ends with what there is', async () => {
	const ids = (request: number) => upTo(request < 3 ? 200 : 100);
	expect(await platform({ ids }).list()).toEqual(upTo(100));
	expect(await platform({ ids: () => upTo(100), meta: false }).list()).toEqual(upTo(100));
});

test('page 0 with a filter that the platform does not take fails the list', async () => {
	const failing = { page: 0, cause: 'nothing_or_filter' as const };
	const { list } = platform({ ids: () => upTo(200), failing });
	await expect(list()).rejects.toThrow('nothing_or_filter');
});

test('a platform that gives smaller pages than it was asked for is read to the end', async () => {
	expect(await platform({ ids: () => upTo(101), pageSize: 20 }).list()).toEqual(upTo(101));
	const { list, asked } = platform({ ids: () => upTo(1_000), pageSize: 20 });
	expect(await list({ limit: 45 })).toEqual(upTo(45));
	expect(asked).toEqual([0, 1, 2]);
});

test('a person who is deleted while a list with smaller pages is read lets nobody else be missing', async () => {
	for (let at = 2; at <= 10; at++) {
		const left = upTo(200);
		const ids = (request: number) => {
			if (request === at) left.shift();
			return [...left];
		};
		const records = await platform({ ids, pageSize: 20 }).list();
		expect(left.filter((id) => !records.includes(id))).toEqual([]);
	}
});

test.each([1, 2, 3, 4, 5])(
	'page %d of smaller pages, which is refused although it exists, fails the list',
	async (page) => {
		const failing = { page, cause: 'page_out_of_range' } as const;
		const { list } = platform({ ids: () => upTo(110), pageSize: 20, failing });
		await expect(list()).rejects.toMatchObject({ cause: 'incomplete_list' });
	},
);

test('the first page that fails fails the list, and no more pages are asked for', async () => {
	const failing = { page: 3, cause: 'platform_error' } as const;
	const { list, clock, asked, mostOpen } = platform({ ids: () => upTo(5_000), failing });
	await expect(list()).rejects.toMatchObject({ cause: 'platform_error' });
	await clock.run(clock.sleep(10_000));
	expect(asked.length).toBeLessThan(15);
	expect(mostOpen()).toBe(10);
});

test('a cancel ends the list before the next page', async () => {
	const { list, clock, asked } = platform({ ids: () => upTo(5_000) });
	const stop = new AbortController();
	clock.later(250, () => stop.abort());
	await expect(list({ signal: stop.signal })).rejects.toBeInstanceOf(Cancelled);
	expect(asked.length).toBeLessThan(40);
});

interface EndlessList {
	what: string;
	firstPage: JsonObject[];
	laterPage: JsonObject[];
	mostRequests: number;
}

const withIds = (count: number): JsonObject[] => upTo(count).map((id) => ({ id: String(id) }));
const withoutIds = (count: number): JsonObject[] => upTo(count).map(() => ({}));

test.each<EndlessList>([
	{
		what: 'the same page again, without an end',
		firstPage: withIds(50),
		laterPage: withIds(50),
		mostRequests: 2,
	},
	{
		what: 'the same page without IDs',
		firstPage: withoutIds(50),
		laterPage: withoutIds(50),
		mostRequests: 2,
	},
])('pages that all have $what are not read for ever', async (endless) => {
	const { firstPage, laterPage, mostRequests } = endless;
	let asked = 0;
	const ask = () => {
		const data = asked++ === 0 ? firstPage : laterPage;
		return Promise.resolve({ status: 200, headers: {}, body: { data } });
	};
	expect(await listRecords(ask, '/people')).toHaveLength(firstPage.length);
	expect(asked).toBeLessThanOrEqual(mostRequests);
});

test.each([
	[0, 1],
	[30, 1],
	[100, 3],
	[130, 3],
])(
	'a list of %d that does not count its pages is read to a short one: %d requests',
	async (count, requests) => {
		const asked: unknown[] = [];
		const ask = ({ query = {} }: ApiRequest) => {
			const number = Number(query['page[number]']);
			asked.push(number);
			const data = withIds(count).slice(number * 50, (number + 1) * 50);
			return Promise.resolve({ status: 200, headers: {}, body: { data } });
		};
		expect(await listRecords(ask, '/people')).toEqual(withIds(count));
		expect(asked).toEqual(upTo(requests));
	},
);

describe('a page that is refused although the page in front told of it', () => {
	const refused = (page: number) => ({ page, cause: 'page_out_of_range' }) as const;

	test.each([
		[1, 'Page 2 of 6 was refused. The list has 260 records.', [1, 0]],
		[5, 'Page 6 of 6 was refused. The list has 260 records.', [5, 4]],
	])(
		'fails the list where that still tells of it: page %d of 0 to 5',
		async (page, detail, last) => {
			const { ask, asked, clock } = platform({ ids: () => upTo(260), failing: refused(page) });
			const listed = clock.run(listRecords(ask, '/people'));
			await expect(listed).rejects.toMatchObject({
				cause: 'incomplete_list',
				errors: [{ detail }],
			});
			expect([page, asked.at(-1)]).toEqual(last);
		},
	);

	test('fails the list where no page is answered any more that could tell how long it is', async () => {
		const { ask, clock } = platform({ ids: () => upTo(260) });
		let requests = 0;
		const answersThree = (request: ApiRequest) => {
			if (++requests <= 3) return ask(request);
			return Promise.reject(new Failure('page_out_of_range', request, { status: 400 }));
		};
		const listed = clock.run(listRecords(answersThree, '/people'));
		await expect(listed).rejects.toThrow('incomplete_list');
	});

	test('fails the list where it is read again because somebody was deleted', async () => {
		const ids = (request: number) => upTo(request < 3 ? 120 : 119);
		const { ask, clock } = platform({ ids });
		let readsOfPage1 = 0;
		const once = (request: ApiRequest) => {
			if (request.query?.['page[number]'] !== 1 || ++readsOfPage1 === 1) return ask(request);
			return Promise.reject(new Failure('page_out_of_range', request, { status: 400 }));
		};
		const listed = clock.run(listRecords(once, '/people'));
		await expect(listed).rejects.toThrow('incomplete_list');
	});

	test('ends a list that counts no page of that number', async () => {
		const { list } = platform({ ids: () => upTo(260), meta: false, failing: refused(2) });
		expect(await list()).toEqual(upTo(100));
	});
});

describe('a page that comes back empty', () => {
	interface EmptyPages {
		/** How many records the list has at request number `request`. */
		count(request: number): number;
		/** Which page comes back empty. */
		page: number;
		/** The parts of the meta that every page has, or that only those with records have. */
		meta?: readonly string[];
		metaOnEmpty?: boolean;
		/** The platform counts so many pages too many. */
		pagesTooMany?: number;
	}

	const wholeMeta = ['current_page', 'next_page', 'page_count', 'record_count'];

	/** Lists 50 records a page; a page behind the end is an empty one. */
	async function listWith(pages: EmptyPages, options: ListOptions = {}) {
		const { meta: names = wholeMeta, metaOnEmpty = true, pagesTooMany = 0 } = pages;
		const asked: number[] = [];
		const ask = ({ query }: ApiRequest): Promise<ApiResponse> => {
			const number = Number(query?.['page[number]']);
			const count = pages.count(asked.push(number));
			const isEmpty = number === pages.page;
			const data = isEmpty ? [] : upTo(count).slice(number * 50, (number + 1) * 50);
			const page_count = Math.ceil(count / 50) + pagesTooMany;
			const next_page = number + 1 < page_count ? number + 1 : null;
			const meta: JsonObject = { current_page: number, next_page, page_count, record_count: count };
			for (const name of wholeMeta) if (!names.includes(name)) delete meta[name];
			const records = data.map((id): JsonObject => ({ id: String(id) }));
			const hasMeta = metaOnEmpty || data.length > 0;
			const body = { data: records, ...(hasMeta && { meta }) };
			return Promise.resolve({ status: 200, headers: {}, body });
		};
		const listed = await listRecords(ask, '/people', options).catch(
			(error: unknown) => error as Failure,
		);
		return { listed, asked };
	}

	test.each<[number, string]>([
		[0, 'Page 1 of 4 is empty. The list has 180 records.'],
		[1, 'Page 2 of 4 is empty. The list has 180 records.'],
		[3, 'Page 4 of 4 is empty. The list has 180 records.'],
	])('fails the list and says what is missing: page %d of 0 to 3', async (page, detail) => {
		const { listed } = await listWith({ count: () => 180, page });
		expect(listed).toMatchObject({ cause: 'incomplete_list', errors: [{ detail }] });
	});

	test.each<[string, Partial<EmptyPages>, number]>([
		['has shrunk, as the page says', {}, 100],
		['has shrunk, and says nothing more', { metaOnEmpty: false }, 100],
		[
			'has shrunk, and counts no records',
			{ meta: ['current_page', 'next_page', 'page_count'] },
			100,
		],
		['was emptied', { count: (request) => (request < 2 ? 180 : 0) }, 50],
	])('is the end of a list that %s', async (_, rules, length) => {
		const count = (request: number) => (request < 2 ? 180 : 100);
		const { listed } = await listWith({ count, page: -1, ...rules });
		expect(listed).toHaveLength(length);
	});

	test('is the end of a list with a page too many in its count, but all of its records', async () => {
		const rules = { page: -1, pagesTooMany: 1 };
		const { listed, asked } = await listWith({ count: () => 100, ...rules });
		expect(listed).toHaveLength(100);
		expect(asked).toEqual([0, 1, 2]);
	});

	test('is the end of a list that was to be read from there on, and has shrunk since', async () => {
		const rules = { count: () => 250, page: -1 };
		const { listed, asked } = await listWith(rules, { firstPage: 6 });
		expect(listed).toEqual([]);
		expect(asked).toEqual([6]);
	});

	test('is an empty list where it is the only one', async () => {
		const { listed, asked } = await listWith({ count: () => 0, page: -1 });
		expect(listed).toEqual([]);
		expect(asked).toEqual([0]);
	});
});

test.each([
	[0, upTo(180), [0, 1, 2, 3]],
	[2, upTo(180).slice(100), [2, 3]],
	[3, upTo(180).slice(150), [3]],
	[4, [], [4]],
])('a list may be read from page %d of 0 to 3 on', async (firstPage, ids, pages) => {
	const { list, asked } = platform({ ids: () => upTo(180) });
	expect(await list({ firstPage })).toEqual(ids);
	expect(asked).toEqual(pages);
});

test('a list that has grown by a page is read to its new end', async () => {
	const ids = (request: number) => upTo(request < 2 ? 100 : 130);
	expect(await platform({ ids }).list()).toEqual(upTo(130));
});

describe('records that are added while the list is read', () => {
	test('come once, and push nobody out, wherever they are put', async () => {
		const addition = fc.record({
			at: fc.integer({ min: 2, max: 14 }),
			place: fc.integer({ min: 0, max: 600 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 600 }),
				fc.array(addition, { maxLength: 60 }),
				async (count, additions) => {
					const there = upTo(count);
					const ids = (request: number) => {
						additions.forEach(({ at, place }, index) => {
							if (at === request) there.splice(place, 0, count + index);
						});
						return [...there];
					};
					const { list, asked } = platform({ ids });
					const records = await list();
					expect(new Set(records).size).toBe(records.length);
					expect(upTo(count).filter((id) => !records.includes(id))).toEqual([]);
					expect(asked.length).toBeLessThanOrEqual(Math.ceil(there.length / 50));
				},
			),
			{ numRuns: 200 },
		);
	});

	test('and records that are deleted leave the others in the order of the platform', async () => {
		const left = upTo(200);
		const ids = (request: number) => {
			if (request === 3) left.splice(0, 30);
			return [...left];
		};
		// More are deleted than a page holds, so that two pages are read again.
		const { list } = platform({ ids, pageSize: 20 });
		const records = await list();
		expect(records).toEqual(upTo(200));
	});
});

describe('pages that are read one after the other', () => {
	/** Reads pages until one satisfies `isEnough`, and gives the numbers of records on each. */
	async function readUntil(
		{ ask, clock }: ReturnType<typeof platform>,
		isEnough: (pages: number) => boolean = () => false,
		options: ListOptions = {},
	) {
		async function read() {
			const lengths: number[] = [];
			for await (const { records } of readPages(ask, '/people', options)) {
				lengths.push(records.length);
				if (isEnough(lengths.length)) break;
			}
			return lengths;
		}
		return await clock.run(read());
	}

	test('come in order with what the platform says of the list, and end with the limit', async () => {
		const all = platform({ ids: () => upTo(130), latency: (page) => 500 - page * 100 });
		expect(await readUntil(all)).toEqual([50, 50, 30]);
		const some = platform({ ids: () => upTo(130) });
		expect(await readUntil(some, undefined, { limit: 70 })).toEqual([50, 20]);
		const pages = readPages(some.ask, '/people');
		const first = await some.clock.run(pages.next());
		expect(first.value).toMatchObject({ recordCount: 130, lastPage: 2 });
		await pages.return();
	});

	test('are refused unless they are lists of records', async () => {
		const ask = () => Promise.resolve({ status: 200, headers: {}, body: { data: ['a'] } });
		await expect(listRecords(ask, '/people')).rejects.toThrow('unexpected_shape');
	});

	test('never are without records', async () => {
		const failing = { page: 0, cause: 'page_out_of_range' } as const;
		expect(await readUntil(platform({ ids: () => [] }))).toEqual([]);
		expect(await readUntil(platform({ ids: () => [], failing }))).toEqual([]);
		const ids = (request: number) => upTo(request < 3 ? 200 : 100);
		expect(await readUntil(platform({ ids }))).toEqual([50, 50]);
	});

	test.each([1, 2, 5])('leave nothing under way when no more than %d are taken', async (count) => {
		const list = platform({ ids: () => upTo(5_000) });
		expect(await readUntil(list, (pages) => pages === count)).toHaveLength(count);
		expect(list.open()).toBe(0);
		const { length } = list.asked;
		expect(length).toBeLessThanOrEqual(count + 10);
		await list.clock.run(list.clock.sleep(10_000));
		expect(list.asked).toHaveLength(length);
	});

	test('do not fail after nobody takes them any more', async () => {
		const failing = { page: 6, cause: 'platform_error' } as const;
		const latency = (page: number) => (page === 6 ? 900 : 100);
		const list = platform({ ids: () => upTo(5_000), failing, latency });
		expect(await readUntil(list, (pages) => pages === 3)).toHaveLength(3);
		expect(list.open()).toBe(0);
	});

	test('fail once, when nothing is under way any more, also where several fail', async () => {
		// Page 1 takes so long that the failures wait for their turn.
		const latency = (page: number) => (page === 1 ? 5_000 : 100 + page);
		const list = platform({ ids: () => upTo(5_000), latency });
		const failures: unknown[] = [];
		const ask = (request: ApiRequest) =>
			list.ask(request).then((response) => {
				if (Number(request.query?.['page[number]']) < 3) return response;
				throw new Failure('platform_error', request, { status: 500 });
			});
		await readUntil({ ...list, ask }).catch((error: unknown) => failures.push(error));
		expect(failures).toMatchObject([{ cause: 'platform_error' }]);
		expect(list.open()).toBe(0);
		expect(list.asked.length).toBeLessThan(15);
	});

	test('stop behind one that takes very long, so that the memory does not fill', async () => {
		const latency = (page: number) => (page === 1 ? 500_000 : 100);
		const list = platform({ ids: () => upTo(20_000), latency });
		let whenSlow = 0;
		list.clock.later(400_000, () => (whenSlow = list.asked.length));
		expect(await readUntil(list)).toHaveLength(400);
		expect(whenSlow).toBe(302);
		expect(list.asked).toHaveLength(400);
	});
});
