import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { personChoice } from '../../../nodes/EventPlatform/editor/choices';
import {
	findInList,
	findSessions,
	readListPage,
	readSessionId,
	searchPages,
	takeFirstOffered,
	type FoundChoices,
} from '../../../nodes/EventPlatform/editor/search';
import { fakePlatform, pageOf, type FakeAnswers } from '../../support/platform/fakePlatform';

const people = ['ada', 'Ada.L', 'grace', 'alan'].map((name) => ({
	type: 'people',
	id: name,
	attributes: { email: `${name}@example.com` },
}));
const noContext = {} as ILoadOptionsFunctions;

describe('a name that the platform cannot search for', () => {
	const names = (of: number, name = 'Ada'): FoundChoices['results'] =>
		Array.from({ length: of }, (_, index) => ({ name: `${name} ${index}`, value: index }));

	test('and that is on a later page than are read in one go can still be scrolled to', async () => {
		const read = jest.fn((page: number): Promise<FoundChoices> =>
			Promise.resolve({ results: page === 5 ? names(1) : names(50, 'Grace'), next: page + 1 }),
		);
		const first = await searchPages('ada', 0, read);
		expect([first, read.mock.calls.length]).toEqual([{ results: [], next: 4 }, 4]);
		const second = await searchPages('ada', 4, read);
		expect(second.results).toHaveLength(1);
	});

	test('costs no more pages than fill the list', async () => {
		const read = jest.fn((page: number) => Promise.resolve({ results: names(6), next: page + 1 }));
		expect(await searchPages('ADA', 0, read)).toMatchObject({ next: 2 });
		expect(read).toHaveBeenCalledTimes(2);
	});

	test('is not looked for behind the last page', async () => {
		const read = jest.fn(() => Promise.resolve({ results: names(1, 'Grace') }));
		expect(await searchPages('ada', 0, read)).toEqual({ results: [], next: undefined });
		expect(read).toHaveBeenCalledTimes(1);
	});
});

describe('a list that can be read in several ways', () => {
	const choices = { results: [{ name: 'Tour', value: 'e1' }] };
	const way = (answer: Cause) => async () => {
		await fakePlatform(() => answer).ask({ method: 'GET', path: '/sessions' });
		return choices;
	};

	test('is read in the first way that the platform offers', async () => {
		const furtherWays = [way('not_found'), () => Promise.resolve(choices)];
		expect(await takeFirstOffered(way('refused'), furtherWays)).toBe(choices);
	});

	test.each<Cause>([
		'unauthorized',
		'missing_scope',
		'rate_limited',
		'platform_error',
		'unreachable',
	])(
		'is not asked for in another way after %s, which says nothing about what is offered',
		async (cause) => {
			const otherWay = jest.fn(() => Promise.resolve(choices));
			await expect(takeFirstOffered(way(cause), [otherWay])).rejects.toMatchObject({ cause });
			expect(otherWay).not.toHaveBeenCalled();
		},
	);

	test('fails with the failure of the last way', async () => {
		const failing = takeFirstOffered(way('refused'), [way('not_found')]);
		await expect(failing).rejects.toMatchObject({ cause: 'not_found' });
	});
});

describe('a whole address', () => {
	const address = 'ada@example.com';
	const find = async (answers: FakeAnswers, { path = '/people', page = 0 } = {}) => {
		const { ask, asked } = fakePlatform(answers);
		const { results } = await findInList(path, personChoice)(ask, address, page, noContext);
		return { values: results.map(({ value }) => value), queries: asked.map(({ query }) => query) };
	};

	test('is found by the platform, in one request', async () => {
		const { values, queries } = await find(() => ({ data: people.slice(0, 1) }));
		expect([values, queries]).toEqual([
			['ada'],
			[{ 'filter[email]': address, 'page[number]': 0, 'page[size]': 50 }],
		]);
	});

	test.each<[string, (query: object) => object | Cause]>([
		['refuses the filter', (query) => ('filter[email]' in query ? 'refused' : { data: people })],
		['finds nobody by it', (query) => ({ data: 'filter[email]' in query ? [] : people })],
	])('is looked for in the pages where the platform %s', async (_, answer) => {
		const { values } = await find(({ query = {} }) => answer(query));
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

describe('the list of sessions', () => {
	const events = [{ type: 'events', id: 'e1', attributes: { title: 'Tour' } }];
	const session = { type: 'sessions', id: 's1', attributes: { event_id: 'e1' } };
	/** Answers for the list of events; the platform has no list of sessions, or one that has nothing. */
	const find = async (
		typed: string,
		ofEvents: object,
		ofSessions: object | Cause = 'not_found',
	) => {
		const { ask } = fakePlatform(({ path }) => (path === '/events' ? ofEvents : ofSessions));
		return (await findSessions(ask, typed, 0)).results.map(({ value }) => value);
	};

	test.each([
		['are taken from beside events', { data: events, included: [session] }, ['s1']],
		['are none in a workspace without events', { data: [] }, []],
	])('%s where it has no list of its own', async (_, ofEvents, ids) => {
		expect(await find('', ofEvents)).toEqual(ids);
	});

	test('is not there where events come without sessions', async () => {
		await expect(find('', { data: events })).rejects.toMatchObject({ cause: 'unexpected_shape' });
	});

	test('has none of an event that is found by its title and has no session yet', async () => {
		expect(await find('Tour', { data: events }, { data: [] })).toEqual([]);
	});

	test('has each session once that is found by the title of its event and by its own line', async () => {
		const beside = { data: [session], included: events };
		expect(await find('tour', { data: events, included: [session] }, beside)).toEqual(['s1']);
	});

	test('has nothing more where the platform does not search for titles and gives all events', async () => {
		const all = { data: events, included: [session] };
		expect(await find('Onboarding', all, { data: [session], included: events })).toEqual([]);
	});
});

describe('a page of a list', () => {
	test.each([
		[0, 1],
		[1, undefined],
	])('number %i of two names the next one: %s', async (page, next) => {
		const all = Array.from({ length: 51 }, (_, index) => ({ type: 'people', id: `${index}` }));
		const { ask } = fakePlatform(({ query }) => pageOf(all, query));
		expect(await readListPage(ask, '/people', page)).toMatchObject({ next });
	});

	test('is empty where the platform has no first page of nothing', async () => {
		const { ask } = fakePlatform(() => 'page_out_of_range');
		expect(await readListPage(ask, '/people', 0)).toEqual({ records: [], included: [] });
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
