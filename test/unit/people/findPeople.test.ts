import { datesOf, findPeople } from '../../../nodes/EventPlatform/core/people/findPeople';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { Fields } from '../../../nodes/EventPlatform/core/records/simplify';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';

const emails = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@x.io`);
const strangers = (count: number) => emails(count).map((one) => `x${one}`);

/** A session with these people, listed fifty to a page. */
function session(present: readonly string[], { tellsPages = true } = {}) {
	const { ask, asked } = fakePlatform(({ query = {} }) => {
		const wanted = query['filter[email]'];
		const listed = present.filter((email) => wanted === undefined || email === wanted);
		const records = listed.map((email, index): JsonObject => {
			return { type: 'people', id: `${index}`, attributes: { email: email.toUpperCase() } };
		});
		const { data, meta } = pageOf(records, query);
		return { data, ...(tellsPages && { meta }) };
	});
	const find = async (wanted: number | string[], budget = 50) =>
		(await findPeople('s', Array.isArray(wanted) ? wanted : emails(wanted), budget, ask))?.people;
	return { asked, find };
}

test('up to ten people are asked for one by one', async () => {
	const { asked, find } = session(['p1@x.io', 'other@x.io']);
	const person = { id: '0', type: 'people', email: 'P1@X.IO' };
	expect([...((await find(10)) ?? [])]).toEqual([['p1@x.io', { person }]]);
	expect(asked[0]).toMatchObject({ method: 'GET', path: '/sessions/s/people' });
	const each = emails(10).map((email) => ({ 'filter[email]': email }));
	expect(asked.map(({ query }) => query)).toEqual(each);
});

test('more people are read from the list', async () => {
	const { asked, find } = session([...strangers(60), ...emails(60)]);
	expect((await find(11))?.size).toBe(120);
	expect(asked.map(({ query }) => query)).toEqual(
		[0, 1, 2].map((number) => ({ 'page[number]': number, 'page[size]': 50 })),
	);
});

test.each<[string, string[], number | string[], number, number | undefined, number]>([
	['the first page is full of them', emails(51), 50, 1, 50, 1],
	['two of sixty stand on the first page', emails(60), 2, 1, 50, 1],
	['fifty-one cannot stand on one page', emails(51), 51, 1, undefined, 0],
	['there are no requests', emails(10), 10, 0, undefined, 0],
	['there is one request for each', emails(10), 10, 10, 10, 10],
	['nobody of a long list is on its only page', emails(51), ['a@x', 'b@x'], 1, undefined, 1],
	['nobody of a short list is there', emails(50), ['a@x', 'b@x'], 1, 50, 1],
	['the list is too long, and so is the question', longList(), 20, 20, undefined, 1],
	['the list is too long, and the question is not', longList(), 20, 21, 70, 21],
])('where %s', async (_, present, wanted, budget, size, cost) => {
	const { asked, find } = session(present);
	expect([(await find(wanted, budget))?.size, asked.length]).toEqual([size, cost]);
});

function longList(): string[] {
	return [...strangers(1_000), ...emails(51)];
}

test('people are asked for one by one where the list does not say how long it is', async () => {
	const { asked, find } = session([...strangers(50), ...emails(11)], { tellsPages: false });
	expect((await find(11))?.size).toBe(50 + 11);
	expect(asked).toHaveLength(1 + 11);
});

test.each<[Json, number | undefined]>([
	[1_000, 1_000],
	[1_800_000_000_000, 1_800_000_000],
	[0, undefined],
	[null, undefined],
])('somebody was registered at %j: %j', (date, at) => {
	const fields = new Fields().set('registrant_created_at', date).set('created_at', date);
	expect(datesOf(fields)).toEqual({ registeredAt: at, createdAt: at });
});

test('of several answers that one counts whose clock is furthest ahead', async () => {
	const seconds = ['', ':01', ':05', ':03'].map((time) => time && `1 Mar 2027 10:00${time} GMT`);
	const answer = () => ({
		status: 200,
		headers: { date: seconds.shift() ?? '' },
		body: { data: [] },
	});
	const clock = { now: () => Date.UTC(2027, 2, 1, 10), sleep: () => Promise.resolve() };
	const found = await findPeople('s', emails(4), 4, () => Promise.resolve(answer()), { clock });
	expect(found?.clockAheadMs).toBe(-5_000);
});

test('a session whose page 0 is refused because it has nobody is empty', async () => {
	const { ask, asked } = fakePlatform(() => 'page_out_of_range');
	const found = await findPeople('s', emails(11), 50, ask);
	expect([found?.people.size, asked.length]).toEqual([0, 1]);
});

test('another refusal of page 0 is no empty session', async () => {
	const { ask } = fakePlatform(() => 'forbidden');
	await expect(findPeople('s', emails(11), 50, ask)).rejects.toMatchObject({ cause: 'forbidden' });
});
