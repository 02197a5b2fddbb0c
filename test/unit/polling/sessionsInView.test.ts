import {
	unlimited,
	type Cursor,
	type Round,
	type View,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import type { Filters } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { sessionsInView } from '../../../nodes/EventPlatform/core/polling/lists';
import { isObject, type JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { asking, pageOf } from '../../support/platform/fakePlatform';

const now = 1_800_000_000;
const day = 86_400;

const session = (id: string, attributes: JsonObject) => {
	return { type: 'sessions', id, attributes, relationships: {} };
};

/** Which sessions a poll looks at that lists those of a day after their end, and what it asks for. */
async function look(sessions: JsonObject[], { view, open, polledAt = now, ...more }: Look = {}) {
	const { isFilterRefused = false } = more;
	const asked: string[] = [];
	const { ask } = asking(({ path, query = {} }) => {
		const from = query['filter[date_from]'];
		const status = query['filter[status]'];
		if (status !== undefined) {
			asked.push(`${path} ${status}`);
			if (isFilterRefused) return 'refused';
			return pageOf(
				sessions.filter(({ attributes }) => isObject(attributes) && attributes.status === status),
			);
		}
		asked.push(from === undefined ? path : `${path} from ${from}`);
		const one = /^\/sessions\/(.+)$/.exec(path)?.[1];
		if (one === undefined) return pageOf(sessions.filter(({ isHidden }) => !from || !isHidden));
		const data = sessions.find(({ id }) => id === one);
		if (data === undefined) return 'not_found';
		return data.isBroken ? 'platform_error' : { data };
	});
	const { eventTypes = ['people.registered'], sessionId = '', eventId = '' } = more;
	const filters = { jobIds: [], onlyWithFailures: false, sessionId, eventId };
	const cursor = { from: 0, polledAt, lists: {}, view, open };
	const wanted = { eventTypes, filters, endedWithinDays: 1 };
	const attempt: Round['attempt'] = (work) => work.catch(() => undefined);
	const round = { api: ask, attempt, cursor, wanted, limits: unlimited, now, platformNow: now };
	const seen = await sessionsInView(round);
	return { ...seen, asked, ids: seen.sessions.map(({ id }) => id) };
}

type Look = Partial<Filters & Cursor> & { eventTypes?: string[]; isFilterRefused?: boolean };

test.each<[string, Look, string[]]>([
	['all sessions', {}, ['/sessions']],
	['one session', { sessionId: 's' }, ['/sessions/s']],
	['the sessions of one event', { eventId: 'e' }, ['/events/e/sessions']],
	[
		'none for events, jobs and what no list shows',
		{ eventTypes: ['event.created', 'job.ended', 'people.watched_replay'] },
		[],
	],
])('a poll lists %s', async (_, wanted, requests) => {
	const { asked, ids } = await look([session('s', { status: 'live' })], wanted);
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
		...times.map((time) => session(time, { status: 'past', [time]: now - 2 * day })),
		session('over', { status: 'past', ended_at: now - 2 * day - 1 }),
	];
	const view = { listedAt: now, pages: 1, hidden: 0 };
	const { ids, open } = await look(sessions, { view, polledAt: now - day });
	expect(ids).toEqual(['open', ...times]);
	expect(open).toEqual(['open']);
	expect((await look(sessions, { view, open: ['over'] })).ids).toEqual(['open', 'over']);
});

const recent = `/sessions from ${now - 2 * day}`;
const many = [
	session('recent', { status: 'live' }),
	{ ...session('hidden', { status: 'live' }), isHidden: true },
	{ ...session('other', { status: 'live' }), isHidden: true },
];
const all = ['/sessions'];
const everyone = ['recent', 'hidden', 'other'];
const two = ['recent', 'hidden'];
const ago = (seconds: number, pages: number, hidden: number, open: string[]) => {
	return { view: { listedAt: now - seconds, pages, hidden }, open };
};
type Seen = { view?: View; open: string[] };
test.each<[string, Seen | undefined, string[], Seen]>([
	['all, at first', undefined, all, ago(0, 1, 0, everyone)],
	[
		'the recent ones, and what was open by itself, where that costs less than all',
		ago(day - 1, 3, 1, ['recent', 'hidden', 'gone']),
		[recent, '/sessions/hidden', '/sessions/gone'],
		ago(day - 1, 3, 2, two),
	],
	['all, where that costs no more', ago(1, 2, 1, two), all, ago(0, 1, 1, everyone)],
	['all, once a day, forgetting the hidden', ago(day, 3, 1, ['gone']), all, ago(0, 1, 0, everyone)],
	['all, where the clock was set back by a day', ago(-day, 3, 0, []), all, ago(0, 1, 0, everyone)],
	[
		'all, where more is open and not listed than all sessions have pages',
		ago(0, 2, 0, ['hidden', 'other', 'gone']),
		[recent, '/sessions'],
		ago(0, 1, 3, everyone),
	],
	[
		'again what could not be read, and not what is gone',
		ago(9, 4, 0, ['broken', 'gone']),
		[recent, '/sessions/broken', '/sessions/gone'],
		ago(9, 4, 2, ['recent', 'broken']),
	],
])('of many sessions a poll lists and remembers %s', async (_, former, requests, expected) => {
	const broken = { ...session('broken', { status: 'past' }), isHidden: true, isBroken: true };
	const { asked, ids, view, open } = await look([...many, broken], former);
	const others = (all: string[] = []) => all.filter((id) => id !== 'broken');
	expect(asked).toEqual(requests);
	expect(others(ids)).toEqual(others(expected.open));
	expect({ view, open }).toEqual(expected);
});

describe('where few of many sessions are on demand', () => {
	const onDemand = { ...session('replay', { status: 'on_demand', ended_at: 9 }), isHidden: true };
	const sessions = [session('recent', { status: 'live' }), onDemand];
	const view = { listedAt: now, pages: 4, hidden: 0, onDemand: 1 };
	const open = ['recent', 'replay'];

	test('they are listed by their status, and remembered as open', async () => {
		const seen = await look(sessions, { view, open });
		expect(seen.asked).toEqual([recent, '/sessions on_demand']);
		expect(seen).toMatchObject({ ids: open, open, view });
	});

	test('they are read one by one where the platform refuses the filter', async () => {
		const seen = await look(sessions, { view, open, isFilterRefused: true });
		expect(seen.asked).toEqual([recent, '/sessions on_demand', '/sessions/replay']);
		expect(seen).toMatchObject({ ids: open, open });
	});

	test('all sessions tell how many they are', async () => {
		expect((await look(sessions)).view).toEqual({ ...view, pages: 1 });
	});
});
