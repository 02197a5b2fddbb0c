import { setImmediate } from 'node:timers/promises';
import {
	findByEmail,
	findPeople,
	listedPersonOf,
} from '../../../nodes/EventPlatform/core/people/findPeople';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Ask } from '../../../nodes/EventPlatform/core/client/request';
import type { Json, JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';

const emails = (count: number) => Array.from({ length: count }, (_, index) => `p${index}@x.io`);
const strangers = (count: number) => emails(count).map((email) => `x${email}`);

/** A session with these people, listed fifty to a page. */
function session(present: readonly string[], { tellsPages = true } = {}) {
	const { ask, asked } = fakePlatform(({ query = {} }) => {
		const address = query['filter[email]'];
		const listed = present.filter((email) => address === undefined || email === address);
		const records = listed.map((email, index): JsonObject => {
			return { type: 'people', id: `${index}`, attributes: { email: email.toUpperCase() } };
		});
		const { data, meta } = pageOf(records, query);
		return { data, ...(tellsPages && { meta }) };
	});
	const find = async (addresses: number | string[], budget = 50) =>
		await findPeople('s', Array.isArray(addresses) ? addresses : emails(addresses), budget, ask);
	return { ask, asked, find };
}

test('up to ten people are asked for one by one', async () => {
	const { asked, find } = session(['p1@x.io', 'other@x.io']);
	const person = { id: '0', type: 'people', email: 'P1@X.IO' };
	expect([...((await find(10)) ?? [])]).toMatchObject([['p1@x.io', { person }]]);
	expect(asked[0]).toMatchObject({ method: 'GET', path: '/sessions/s/people' });
	const each = emails(10).map((email) => ({ 'filter[email]': email }));
	expect(asked.map(({ query }) => query)).toEqual(each);
});

test('more people are read from the list', async () => {
	const { asked, find } = session([...strangers(110), ...emails(11)]);
	expect((await find(11))?.size).toBe(121);
	expect(asked.map(({ query }) => query)).toEqual(
		[0, 1, 2].map((number) => ({ 'page[number]': number, 'page[size]': 50 })),
	);
});

test('who moves to a page that was read, because others are removed meanwhile, is found', async () => {
	const present = [...strangers(40), ...emails(60)];
	const people = () =>
		present.map((email) => ({ type: 'people', id: email, attributes: { email } }));
	const { ask, asked } = fakePlatform(({ query = {} }) => {
		const page = pageOf(people(), query);
		if (present.length === 100) present.splice(0, 20);
		return page;
	});
	const found = await findPeople('s', emails(60), 50, ask);
	expect(emails(60).filter((email) => !found?.has(email))).toEqual([]);
	expect(asked).toHaveLength(3);
});

test('a list is read on no further once everybody is found', async () => {
	const { ask, asked } = session([...strangers(50), ...emails(40), ...strangers(1_600)]);
	// Responses come one after the other, as over a network.
	const slowly: Ask = (request) => setImmediate().then(() => ask(request));
	expect((await findPeople('s', emails(40), 50, slowly))?.size).toBe(90);
	// The first page, ten that are asked for at once, and as many that are asked for meanwhile.
	expect(asked.length).toBeLessThanOrEqual(1 + 10 + 10);
});

/**
 * Of the list of a session that has `present`, so many addresses are looked for, or these. Nobody can be looked for, where the number
 * of people that are found is undefined.
 */
type Search = [
	where: string,
	present: string[],
	addresses: number | string[],
	budget: number,
	people: number | undefined,
	requests: number,
];

test.each<Search>([
	['the first page is full of them', emails(51), 50, 1, 50, 1],
	['two of sixty stand on the first page', emails(60), 2, 1, 50, 1],
	['fifty-one cannot stand on one page', emails(51), 51, 1, undefined, 0],
	['there are no requests', emails(10), 10, 0, undefined, 0],
	['there is one request for each', emails(10), 10, 10, 10, 10],
	['nobody of a long list is on its only page', emails(51), ['a@x', 'b@x'], 1, undefined, 1],
	['nobody of a short list is there', emails(50), ['a@x', 'b@x'], 1, 50, 1],
	['the list is too long, and so is the question', longList(), 20, 20, undefined, 1],
	[
		'the list is too long, those whom its first page shows are not asked for',
		[...emails(5), ...strangers(1_000), ...emails(20).slice(5)],
		20,
		16,
		65,
		16,
	],
	['the list is too long, and the question is not', longList(), 20, 21, 70, 21],
	['the list has more pages than the question addresses', longList(), 20, 30, 70, 21],
])('where %s', async (_, present, addresses, budget, people, requests) => {
	const { asked, find } = session(present);
	expect((await find(addresses, budget))?.size).toBe(people);
	expect(asked).toHaveLength(requests);
});

function longList(): string[] {
	return [...strangers(1_000), ...emails(51)];
}

test('people are asked for one by one where the list does not say how long it is', async () => {
	const { asked, find } = session([...strangers(50), ...emails(11)], { tellsPages: false });
	expect((await find(11))?.size).toBe(50 + 11);
	expect(asked).toHaveLength(1 + 11);
});

test.each([
	['for each of them', 50],
	['for ten of them', 10],
])(
	'nobody is asked for once a list was read that does not say how long it is: requests are left %s',
	async (_, budget) => {
		const { asked, find } = session([...strangers(20), ...emails(20)], { tellsPages: false });
		expect((await find(40, budget))?.size).toBe(40);
		expect(asked).toHaveLength(1);
	},
);

test.each<[Json, number | undefined]>([
	[1_800_000_000, 1_800_000_000],
	[0, undefined],
	[null, undefined],
])('somebody was registered at %j: %j', (date, at) => {
	const attributes = { created_at: date, registrant_detail: { created_at: date } };
	const listedPerson = listedPersonOf({ type: 'people', id: 'p', attributes });
	expect(listedPerson).toMatchObject({ registeredAt: at, createdAt: at });
});

test('an answer to a question is no date of the person', () => {
	const fields = [{ id: 'created_at', value: '1800000000' }];
	const attributes = { email: 'a@x.io', registrant_detail: { fields } };
	const listedPerson = listedPersonOf({ type: 'people', id: 'p', attributes });
	expect(listedPerson.createdAt).toBeUndefined();
});

test('a session whose page 0 is refused because it has nobody is empty', async () => {
	const { ask, asked } = fakePlatform(() => 'page_out_of_range');
	const lookup = await findPeople('s', emails(11), 50, ask);
	expect([lookup?.size, asked.length]).toEqual([0, 1]);
});

test('another refusal of page 0 is no empty session', async () => {
	const { ask } = fakePlatform(() => 'forbidden');
	await expect(findPeople('s', emails(11), 50, ask)).rejects.toMatchObject({ cause: 'forbidden' });
});

describe('a record that says that it is of another session', () => {
	const [here, elsewhere] = ['a', 'b'].map((last) => `5e550000-0000-4000-8000-00000000000${last}`);
	const recordIn = (session_id = ''): JsonObject => {
		return { id: 'p', attributes: { email: 'p0@x.io', registrant_detail: { session_id } } };
	};
	const showing = (record: JsonObject) => fakePlatform(() => ({ data: [record], meta: {} })).ask;

	test.each([
		['does not count', recordIn(elsewhere), 0],
		['counts where it is of this one', recordIn(here), 1],
	])('%s, whether one address is looked for or several', async (_, record, count) => {
		expect(await findByEmail(showing(record), here ?? '', 'P0@x.io')).toHaveLength(count);
		const found = await findPeople(here ?? '', ['p0@x.io'], 1, showing(record));
		expect(found?.size).toBe(count);
	});
});

test.each([1, 20])(
	'a registrant counts before somebody of the team with the same address, of %d who are looked for',
	async (count) => {
		const recordOf = (id: string, role: string) => {
			return { type: 'people', id, attributes: { email: 'p0@x.io', role } };
		};
		const team = recordOf('team', 'team_member');
		const registrant = recordOf('registrant', 'participant');
		for (const records of [
			[team, registrant],
			[registrant, team],
		]) {
			const { ask } = fakePlatform(({ query }) => pageOf(records, query));
			const people = await findByEmail(ask, 's', 'p0@x.io');
			expect(people).toEqual([registrant, team]);
			const found = await findPeople('s', emails(count), 50, ask);
			expect(found?.get('p0@x.io')).toMatchObject({ isRegistrant: true });
		}
	},
);

describe('somebody whose email is only an answer', () => {
	const recordOf = (id: string, answer: string, email?: string): JsonObject => {
		const registrant_detail = { fields: [{ id: 'email', value: answer }] };
		return { type: 'people', id, attributes: { registrant_detail, ...(email && { email }) } };
	};

	test.each<[string, JsonObject, string[]]>([
		['is found by it', recordOf('p', 'P0@x.io'), ['p']],
		['is not found by it where the person has another one', recordOf('p', 'p0@x.io', 'q@x.io'), []],
	])('%s, whether one address is looked for or several', async (_, record, ids) => {
		const { ask } = fakePlatform(({ query }) => pageOf([record], query));
		const people = await findByEmail(ask, 's', 'p0@x.io');
		expect(people.map(({ id }) => id)).toEqual(ids);
		for (const count of [1, 20]) {
			const found = await findPeople('s', emails(count), 50, ask);
			expect(found?.has('p0@x.io')).toBe(ids.length > 0);
		}
	});
});

describe('a refused search by an address', () => {
	const refusing = (cause: Cause): Ask => {
		return (request) => Promise.reject(new Failure(cause, request, { status: 400 }));
	};

	test('finds nobody where it says that there is no page', async () => {
		const ask = refusing('page_out_of_range');
		expect((await findPeople('s', ['a@x.io'], 1, ask))?.size).toBe(0);
		expect(await findByEmail(ask, 's', 'a@x.io')).toEqual([]);
	});

	test.each<[string, Cause]>([
		['it may be about the filter', 'nothing_or_filter'],
		['it is about something else', 'refused'],
	])('is a failure where %s', async (_, cause) => {
		const ask = refusing(cause);
		await expect(findPeople('s', ['a@x.io'], 1, ask)).rejects.toThrow(cause);
		await expect(findByEmail(ask, 's', 'a@x.io')).rejects.toThrow(cause);
	});
});

describe('where others are shown as well, the platform has ignored the email, and the list tells nothing', () => {
	const recordOf = (id: string, attributes: JsonObject) => ({ type: 'people', id, attributes });
	const other = recordOf('other', { email: 'p1@x.io', role: 'participant' });
	const find = (...records: JsonObject[]) =>
		findByEmail(fakePlatform(() => ({ data: [...records, other] })).ask, 's', 'p0@x.io');

	test.each([
		['of nobody', []],
		['of somebody of the team', [recordOf('team', { email: 'p0@x.io', role: 'team_member' })]],
		[
			'of somebody who has it as an answer',
			[
				recordOf('p2', {
					email: 'p2@x.io',
					role: 'participant',
					registrant_detail: { fields: [{ id: 'email', value: 'p0@x.io' }] },
				}),
			],
		],
	])('%s', async (_, records) => {
		await expect(find(...records)).rejects.toMatchObject({ cause: 'unexpected_shape' });
	});

	test('but a registrant with the address is found', async () => {
		const registrant = recordOf('else', { email: 'p0@x.io', role: 'participant' });
		expect(await find(registrant)).toMatchObject([{ id: 'else' }]);
	});
});
