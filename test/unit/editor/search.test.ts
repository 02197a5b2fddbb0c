import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { ApiRequest, Query } from '../../../nodes/EventPlatform/core/client/request';
import { personChoice } from '../../../nodes/EventPlatform/editor/choices';
import {
	findEvents,
	findInList,
	findSessions,
	readSessionId,
} from '../../../nodes/EventPlatform/editor/search';
import { fakePlatform, pageOf, type FakeAnswers } from '../../support/platform/fakePlatform';

const people = ['ada', 'Ada.L', 'grace', 'alan'].map((name) => ({
	type: 'people',
	id: name,
	attributes: { email: `${name}@example.com` },
}));
const noContext = {} as ILoadOptionsFunctions;

/** The parameters with which a client sends a request. */
const queryOf = ({ query, addedQuery }: ApiRequest) => ({ ...query, ...addedQuery });

describe('a name that the platform cannot search for', () => {
	const find = findInList('/people', personChoice);
	/** People in the order of the list. The platform shows fifty of them on a page. */
	const listed = (count: number, isAda: (index: number) => boolean) => {
		const all = Array.from({ length: count }, (_, index) => ({
			type: 'people',
			id: `${index}`,
			attributes: { email: `${isAda(index) ? 'ada' : 'grace'}${index}@example.com` },
		}));
		return fakePlatform(({ query }) => pageOf(all, query));
	};

	test('and that is on a later page than are read in one go can still be scrolled to', async () => {
		const { client, asked } = listed(300, (index) => index === 250);
		expect(await find(client, 'ada', 0, noContext)).toEqual({ results: [], next: 4 });
		expect(asked).toHaveLength(4);
		expect((await find(client, 'ada', 4, noContext)).results).toHaveLength(1);
	});

	test('costs no more pages than fill the list', async () => {
		const { client, asked } = listed(200, (index) => index % 50 < 6);
		expect(await find(client, 'ADA', 0, noContext)).toMatchObject({ next: 2 });
		expect(asked).toHaveLength(2);
	});

	test('is not looked for behind the last page', async () => {
		const { client, asked } = listed(1, () => false);
		expect(await find(client, 'ada', 0, noContext)).toEqual({ results: [], next: undefined });
		expect(asked).toHaveLength(1);
	});
});

describe('a whole address', () => {
	const address = 'ada@example.com';
	const find = async (answers: FakeAnswers, { path = '/people', page = 0 } = {}) => {
		const { client, asked } = fakePlatform(answers);
		const { results } = await findInList(path, personChoice)(client, address, page, noContext);
		return { values: results.map(({ value }) => value), queries: asked.map(queryOf) };
	};

	test('is found by the platform, in one request', async () => {
		const { values, queries } = await find(() => ({ data: people.slice(0, 1) }));
		expect([values, queries]).toEqual([
			['ada'],
			[{ 'filter[email]': address, 'page[number]': 0, 'page[size]': 50 }],
		]);
	});

	test('is looked for in the pages where the platform finds nobody by it', async () => {
		const { values } = await find((request) => ({
			data: 'filter[email]' in queryOf(request) ? [] : people,
		}));
		expect(values).toEqual(['ada']);
	});

	test('is looked for in the pages where the platform ignores the filter', async () => {
		const grace = { ...people[2], attributes: { email: 'grace@example.com' } };
		const { values } = await find((request) => ({
			data: 'filter[email]' in queryOf(request) ? [grace] : people,
		}));
		expect(values).toEqual(['ada']);
	});

	test('is not searched for in the pages where nobody may read them', async () => {
		await expect(find(() => 'unauthorized')).rejects.toMatchObject({ cause: 'unauthorized' });
	});

	test.each([
		['on a further page', { page: 1 }],
		['in a list that has no addresses', { path: '/webhooks' }],
	])('is not sent as a filter %s', async (_, of) => {
		const { queries } = await find(() => ({ data: people }), of);
		expect(queries).toEqual([expect.not.objectContaining({ 'filter[email]': address })]);
	});
});

describe('the list of events', () => {
	const listed = Array.from({ length: 120 }, (_, index) => ({
		type: 'events',
		id: `${index}`,
		attributes: { title: index === 70 ? 'Product Tour' : 'Onboarding' },
	}));
	const find = async (typed: string, isFiltered: boolean) => {
		const { client, asked } = fakePlatform((request) => {
			const query: Query = queryOf(request);
			const title = String(query['filter[title]'] ?? '');
			const found = listed.filter(({ attributes }) => attributes.title.includes(title));
			return pageOf(isFiltered ? found : listed, query);
		});
		const { results, next } = await findEvents(client, typed, 0);
		return { values: results.map(({ value }) => value), next, requests: asked.length };
	};

	test.each([
		['finds titles', true, 1],
		['ignores the filter', false, 3],
	])('has only what was typed where the platform %s', async (_, isFiltered, requests) => {
		expect(await find('Product Tour', isFiltered)).toEqual({
			values: ['70'],
			next: undefined,
			requests,
		});
	});

	test('has a page of all where nothing is typed', async () => {
		const { values, next, requests } = await find('', true);
		expect([values.length, next, requests]).toEqual([50, 1, 1]);
	});
});

describe('the list of sessions', () => {
	const events = [{ type: 'events', id: 'e1', attributes: { title: 'Tour' } }];
	const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } };
	const find = async (typed: string, ofEvents: object, ofSessions: object) => {
		const { client } = fakePlatform(({ path }) => (path === '/events' ? ofEvents : ofSessions));
		return (await findSessions(client, typed, 0)).results.map(({ value }) => value);
	};

	test('has none of an event that is found by its title and has no session yet', async () => {
		expect(await find('Tour', { data: events }, { data: [] })).toEqual([]);
	});

	test('has each session once that is found by the title of its event and by its own line', async () => {
		const beside = { data: [session], included: events };
		expect(await find('tour', { data: events, included: [session] }, beside)).toEqual(['s1']);
	});

	test('has none of other events where the platform ignores the filter', async () => {
		expect(await find('Sales', { data: events, included: [session] }, { data: [] })).toEqual([]);
	});
});

describe('a page of a list', () => {
	test('is empty where the platform has no first page of nothing', async () => {
		const { client } = fakePlatform(() => 'page_out_of_range');
		expect(await findEvents(client, '', 0)).toEqual({ results: [], next: undefined });
	});
});

test.each<[string, unknown, string | undefined]>([
	['nothing', undefined, ''],
	['a locator that is empty', { value: '' }, ''],
	['an ID', { value: 's1' }, 'extracted'],
	['a plain text', ' s1 ', 'extracted'],
	['an expression', { value: '={{ $json.id }}' }, undefined],
	['an expression in place of a locator', '={{ $json.id }}', undefined],
	['an expression that has no value yet', { value: null }, undefined],
])('the session that %s names', (_, saved, expected) => {
	const context = {
		getCurrentNodeParameter: (_name: string, options?: object) => (options ? 'extracted' : saved),
	} as ILoadOptionsFunctions;
	expect(readSessionId(context)).toBe(expected);
});
