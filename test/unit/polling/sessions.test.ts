import type { Cursor, FullList } from '../../../nodes/EventPlatform/core/polling/lists/cursor';
import { searchKey, unlimited } from '../../../nodes/EventPlatform/core/polling/pollSettings';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { beginPoll, type Round } from '../../../nodes/EventPlatform/core/polling/pollContext';
import type { Filters } from '../../../nodes/EventPlatform/core/events/filters';
import { readSessionsInView } from '../../../nodes/EventPlatform/core/polling/lists/sessionsInView';
import { isObject, type JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { noFilters } from '../../support/runs/filters';
import { fakePlatform, pageOf } from '../../support/platform/fakePlatform';
import { daySeconds } from '../../support/time/units';
import { polledRun } from '../../support/runs/measuredClient';

const now = 1_800_000_000;

const session = (id: string, attributes: JsonObject) => {
	return { type: 'sessions', id, attributes, relationships: {} };
};

/** Which sessions a poll looks at that lists those of a day after their end, and what it asks for. */
async function look(
	sessions: JsonObject[],
	{ fullList, keptIds, polledAt = now, ...more }: Look = {},
) {
	const asked: string[] = [];
	const { ask } = fakePlatform(({ path, query = {} }) => {
		const from = query['filter[date_from]'];
		const status = query['filter[status]'];
		if (status !== undefined) {
			asked.push(`${path} ${status}`);
			if (more.filterFails) return more.filterFails;
			return pageOf(
				sessions.filter(({ attributes }) => isObject(attributes) && attributes.status === status),
			);
		}
		asked.push(from === undefined ? path : `${path} from ${from}`);
		if (from !== undefined && more.recentFail) return more.recentFail;
		const event = /^\/events\/([^/]+)$/.exec(path)?.[1];
		if (event === 'broken') return 'platform_error';
		if (event !== undefined)
			return { data: { type: 'events', id: event, attributes: { title: event } } };
		const asksFor = /^\/sessions\/(.+)$/.exec(path)?.[1];
		if (asksFor === undefined) return pageOf(sessions.filter(({ isHidden }) => !from || !isHidden));
		const data = sessions.find(({ id }) => id === asksFor);
		if (data === undefined) return 'not_found';
		return data.isBroken ? 'platform_error' : { data };
	});
	const { eventTypes = ['people.registered'], jobIds = [], ...others } = more;
	const { sessionId, eventId, eventTitleContains } = others;
	const filters = { ...noFilters, jobIds, sessionId, eventId, eventTitleContains };
	const cursor = { startedAt: 0, polledAt, lists: {}, fullList, keptSessionIds: keptIds };
	const search = { eventTypes, filters, endedWithinDays: 1 };
	const tryToRead: Round['tryToRead'] = (work) => work.catch(() => undefined);
	const clock = () => now * 1_000;
	const context = beginPoll(polledRun(ask, clock), search, unlimited);
	const round = { ...context, tryToRead, cursor, nowSeconds: now };
	const seen = await readSessionsInView(round);
	return { ...seen, asked, ids: seen.sessions.map(({ id }) => id) };
}

/** What the list of all sessions has given, where people.registered was asked for without filters. */
const fullList: FullList = {
	searchKey: searchKey({ eventTypes: ['people.registered'], filters: noFilters }),
	listedAt: now,
	listedNext: 'recent',
};

interface Look extends Partial<Filters & Pick<Cursor, 'fullList' | 'polledAt'>> {
	/** The ids of the sessions that were open in the last poll. */
	keptIds?: string[];
	eventTypes?: string[];
	/** Why sessions cannot be listed by their status. */
	filterFails?: Cause;
	/** Why recent sessions cannot be listed. */
	recentFail?: Failure;
}

test.each<[string, Look, string[]]>([
	['all sessions', {}, ['/sessions']],
	['one session', { sessionId: 's' }, ['/sessions/s']],
	['the sessions of one event', { eventId: 'e' }, ['/events/e/sessions']],
	[
		'none for events, jobs and what no list shows',
		{ eventTypes: ['event.created', 'job.ended', 'poll.closed'] },
		[],
	],
])('a poll lists %s', async (_, filters, requests) => {
	const { asked, ids } = await look([session('s', { status: 'live' })], filters);
	expect(asked).toEqual(requests);
	expect(ids).toEqual(requests.length === 0 ? [] : ['s']);
});

test('a session whose id is none is not looked at', async () => {
	const odd = session('s.1', {});
	expect((await look([odd], { sessionId: 's.1' })).ids).toEqual([]);
	expect((await look([odd, session('s', {})])).ids).toEqual(['s']);
});

test('a poll looks at sessions that are open, and at those that ended or came since a day before the last poll', async () => {
	const times = ['ended_at', 'canceled_at', 'estimated_started_at', 'created_at'];
	const sessions = [
		session('open', { status: 'upcoming' }),
		...times.map((time) => session(time, { status: 'past', [time]: now - 2 * daySeconds })),
		session('over', { status: 'past', ended_at: now - 2 * daySeconds - 1 }),
	];
	const { ids, keptIds } = await look(sessions, { fullList, polledAt: now - daySeconds });
	expect(ids).toEqual(['open', ...times]);
	expect(keptIds).toEqual(['open']);
	expect((await look(sessions, { fullList, keptIds: ['over'] })).ids).toEqual(['open', 'over']);
});

test.each<[string, JsonObject, string[]]>([
	['is open', { status: 'on_demand', ended_at: 9 }, ['s']],
	['ended within the day', { status: 'past', ended_at: now - daySeconds }, ['s']],
	['is over', { status: 'past', ended_at: now - daySeconds - 1 }, []],
])('a session that people chose is looked at like any other: it %s', async (_, attributes, ids) => {
	const chosen = [session('s', attributes)];
	const seen = await look(chosen, { sessionId: 's' });
	expect([seen.ids, seen.asked, seen.listed?.length]).toEqual([ids, ['/sessions/s'], 1]);
	expect((await look(chosen, { sessionId: 's', keptIds: ['s'] })).ids).toEqual(['s']);
});

const recent = `/sessions from ${now - 2 * daySeconds}`;
const hiddenFromFilter = (id: string, attributes: JsonObject) => {
	return {
		...session(id, { estimated_started_at: now - 9 * daySeconds, ...attributes }),
		isHidden: true,
	};
};
const live = { status: 'live', estimated_started_at: now };

describe('of many sessions', () => {
	const sessions = [
		session('recent', live),
		hiddenFromFilter('hidden', { status: 'live' }),
		hiddenFromFilter('another', { status: 'live' }),
	];
	const everybody = ['recent', 'hidden', 'another'];
	const longAgo: FullList = {
		...fullList,
		listedAt: now - daySeconds + 1,
	};

	test('all are listed at first, and again where they fit on a page', async () => {
		const seen = await look(sessions);
		expect(seen.asked).toEqual(['/sessions']);
		expect(seen.keptIds).toEqual(everybody);
		expect(seen.fullList).toEqual({ ...fullList, listedNext: 'all' });
		expect((await look(sessions, { fullList: seen.fullList })).asked).toEqual(['/sessions']);
	});

	test('the recent ones are listed, and each other one that was open', async () => {
		const seen = await look(sessions, { fullList: longAgo, keptIds: ['recent', 'hidden', 'gone'] });
		expect(seen.asked).toEqual([recent, '/sessions/hidden', '/sessions/gone']);
		expect(seen.keptIds).toEqual(['recent', 'hidden']);
		expect(seen.fullList).toEqual(longAgo);
	});

	test.each([daySeconds, -daySeconds])(
		'all are listed once a day: after %s seconds',
		async (seconds) => {
			const seen = await look(sessions, { fullList: { ...longAgo, listedAt: now - seconds } });
			expect(seen.asked).toEqual(['/sessions']);
			expect(seen.fullList?.listedAt).toBe(now);
		},
	);

	test('all are listed where something else is asked for than before', async () => {
		const seen = await look(sessions, { fullList: { ...longAgo, searchKey: 'other filters' } });
		expect(seen.asked).toEqual(['/sessions']);
	});

	test('the recent ones are listed for other jobs, and for the same events in another order', async () => {
		const eventTypes = ['people.registered', 'job.ended'];
		const first = await look(sessions, { eventTypes, jobIds: ['a'] });
		const seen = await look(sessions, {
			fullList: first.fullList && { ...first.fullList, listedNext: 'recent' },
			eventTypes: [...eventTypes].reverse(),
			jobIds: ['b'],
		});
		expect(seen.asked).toEqual([recent]);
	});

	test('all are listed where the filter leaves out more than ten that were open', async () => {
		const keptIds = ['hidden', ...Array.from({ length: 10 }, (_, nth) => `gone-${nth}`)];
		const seen = await look(sessions, { fullList: longAgo, keptIds });
		expect(seen.asked).toEqual([recent, '/sessions']);
		expect(seen.keptIds).toEqual(everybody);
	});

	test('what could not be read is asked for again, and not what is gone', async () => {
		const broken = { ...hiddenFromFilter('broken', { status: 'past' }), isBroken: true };
		const seen = await look([...sessions, broken], {
			fullList: longAgo,
			keptIds: ['broken', 'gone'],
		});
		expect(seen.asked).toEqual([recent, '/sessions/broken', '/sessions/gone']);
		expect(seen.keptIds).toEqual(['recent', 'broken']);
	});
});

describe('where few of many sessions are on demand', () => {
	const replay = hiddenFromFilter('replay', { status: 'on_demand', ended_at: 9 });
	const sessions = [session('recent', live), replay];
	const withOnDemand: FullList = { ...fullList, listedNext: 'recentAndOnDemand' };
	const keptIds = ['recent', 'replay'];

	test('they are listed by their status, and remembered as open', async () => {
		const seen = await look(sessions, { fullList: withOnDemand, keptIds });
		expect(seen.asked).toEqual([recent, '/sessions on_demand']);
		expect(seen).toMatchObject({ ids: keptIds, keptIds, fullList: withOnDemand });
	});

	test.each<Cause>(['refused', 'unprocessable', 'nothing_or_filter'])(
		'they are read by themselves where the platform refuses the filter (%s)',
		async (filterFails) => {
			const seen = await look(sessions, { fullList: withOnDemand, keptIds, filterFails });
			expect(seen.asked).toEqual([recent, '/sessions on_demand', '/sessions/replay']);
			expect(seen).toMatchObject({ ids: keptIds, keptIds });
		},
	);

	test.each<Cause>([
		'unauthorized',
		'missing_scope',
		'forbidden',
		'not_found',
		'no_endpoint',
		'rate_limited',
		'quota_spent',
		'platform_error',
		'unreachable',
		'not_json',
		'time_over',
	])('another failure is no sign that there are none (%s)', async (filterFails) => {
		const looking = look(sessions, { fullList: withOnDemand, keptIds, filterFails });
		await expect(looking).rejects.toMatchObject({ cause: filterFails });
	});
});

test.each<[string, Cause, string[]]>([
	['has no such page is empty', 'page_out_of_range', []],
	['may not take the filter is no list', 'nothing_or_filter', ['/sessions']],
])('a list of recent sessions that %s', async (_, cause, requests) => {
	const request = { method: 'GET', path: '/sessions' } as const;
	const recentFail = new Failure(cause, request, { status: 400 });
	const { asked } = await look([], { fullList, keptIds: [], recentFail });
	expect(asked.slice(1)).toEqual(requests);
});

describe('a text that the title of the event has to contain', () => {
	const titled = (id: string, event_title: string) => session(id, { ...live, event_title });
	const ofEvent = (id: string, event_id: string) => session(id, { ...live, event_id });

	test('leaves out the sessions of other events', async () => {
		const sessions = [titled('a', 'Our Webinar'), titled('b', 'Party')];
		const seen = await look(sessions, { eventTitleContains: 'webinar' });
		expect(seen.ids).toEqual(['a']);
		expect(seen.asked).toEqual(['/sessions']);
	});

	test('makes each event be read once where the sessions come without it', async () => {
		const sessions = [ofEvent('a', 'webinar'), ofEvent('b', 'webinar'), ofEvent('c', 'party')];
		const seen = await look(sessions, { eventTitleContains: 'WEB' });
		expect(seen.ids).toEqual(['a', 'b']);
		expect(seen.asked).toEqual(['/sessions', '/events/webinar', '/events/party']);
	});

	test('fails the reading where an event cannot be read', async () => {
		const looking = look([ofEvent('a', 'broken')], { eventTitleContains: 'web' });
		await expect(looking).rejects.toMatchObject({ cause: expect.any(String) as string });
	});

	test('leaves out a session that names no event, and asks for none', async () => {
		const sessions = [session('a', live), ofEvent('b', 'webinar')];
		const seen = await look(sessions, { eventTitleContains: 'web' });
		expect(seen.ids).toEqual(['b']);
		expect(seen.asked).toEqual(['/sessions', '/events/webinar']);
	});
});
