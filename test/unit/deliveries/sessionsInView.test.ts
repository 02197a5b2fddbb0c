import type { View } from '../../../nodes/EventPlatform/core/deliveries/cursor';
import {
	isOpen,
	sessionsInView,
	type Attempt,
} from '../../../nodes/EventPlatform/core/deliveries/sessionsInView';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import type { ApiRequest, JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

const now = 1_800_000_000;
const day = 86_400;

const session = (id: string, attributes: JsonObject) => ({
	...{ type: 'sessions', id, attributes, relationships: {} },
});

test.each<[JsonObject, boolean]>([
	[{ status: 'live', started_at: now }, true],
	[{ status: 'on_demand' }, true],
	[{}, true],
	[{ status: 'upcoming', ended_at: 0, canceled_at: null }, true],
	[{ status: 'not past' }, true],
	[{ status: 'past' }, false],
	[{ status: 'ended' }, false],
	[{ status: 'canceled' }, false],
	[{ status: 'draft' }, false],
	[{ status: 'live', ended_at: now }, false],
	[{ status: 'upcoming', canceled_at: now }, false],
])('whether a session like %j is open: %s', (attributes, expected) => {
	expect(isOpen(session('s', attributes))).toBe(expected);
});

/** Which sessions a poll looks at that lists those of a day after their end, and what it asks for. */
async function look(
	sessions: JsonObject[],
	{ view, polledAt = now, ...more }: Look & { polledAt?: number } = {},
) {
	const asked: string[] = [];
	const api = ({ path, query = {} }: ApiRequest) => {
		const from = query['filter[date_from]'];
		const page = Number(query['page[number]'] ?? 0);
		asked.push(from === undefined ? path : `${path} from ${from}`);
		const one = /^\/sessions\/(.+)$/.exec(path)?.[1];
		if (one === undefined) {
			const shown = sessions.filter(({ isHidden }) => !(isHidden && from !== undefined));
			const data = shown.slice(page * 50, (page + 1) * 50);
			const meta = { current_page: page, page_count: Math.ceil(shown.length / 50) };
			return Promise.resolve({ status: 200, headers: {}, body: { data, meta } });
		}
		const data = sessions.find(({ id }) => id === one);
		if (data?.isBroken) {
			return Promise.reject(new Failure('platform_error', { method: 'GET', path }));
		}
		if (data === undefined) {
			return Promise.reject(new Failure('not_found', { method: 'GET', path }));
		}
		return Promise.resolve({ status: 200, headers: {}, body: { data } });
	};
	const { kinds = ['people.registered'], sessionId = '', eventId = '' } = more;
	const filters = { jobIds: [], onlyWithFailures: false, sessionId, eventId };
	const cursor = view && { from: 0, polledAt, lists: {}, view };
	const wanted = { kinds, filters, endedWithinDays: 1 };
	const attempt: Attempt = (work) => work.catch(() => undefined);
	const seen = await sessionsInView(api, attempt, cursor, wanted, now);
	return { asked, ids: seen.sessions.map(({ id }) => id), next: seen.next };
}

interface Look {
	view?: View;
	kinds?: string[];
	sessionId?: string;
	eventId?: string;
}

test.each<[string, Look, string[]]>([
	['all sessions', {}, ['/sessions']],
	['one session', { sessionId: 's' }, ['/sessions/s']],
	['the sessions of one event', { eventId: 'e' }, ['/events/e/sessions']],
	[
		'none for events, jobs and what no list shows',
		{ kinds: ['event.created', 'job.ended', 'people.watched_replay'] },
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
	const sessions = [
		session('open', { status: 'upcoming' }),
		session('ended', { status: 'past', ended_at: now - 2 * day }),
		session('over', { status: 'past', ended_at: now - 2 * day - 1 }),
		session('created', { status: 'draft', created_at: now - 2 * day }),
	];
	const view = { listedAt: now, pages: 1, hidden: 0 };
	const { ids, next } = await look(sessions, { view, polledAt: now - day });
	expect(ids).toEqual(['open', 'ended', 'created']);
	expect(next?.open).toEqual(['open']);
	const unsettled = { ...view, open: ['over'] };
	expect((await look(sessions, { view: unsettled })).ids).toEqual(['open', 'over']);
});

const recent = `/sessions from ${now - 2 * day}`;
const many = [
	session('recent', { status: 'live' }),
	{ ...session('hidden', { status: 'live' }), isHidden: true },
	{ ...session('other', { status: 'live' }), isHidden: true },
];
test.each<[string, View, string[]]>([
	[
		'the recent ones, and what was open by itself, where that costs less than all',
		{ listedAt: now - day + 1, pages: 3, hidden: 1, open: ['recent', 'hidden', 'gone'] },
		[recent, '/sessions/hidden', '/sessions/gone'],
	],
	[
		'all, where that costs no more',
		{ listedAt: now - 1, pages: 2, hidden: 1, open: ['recent', 'hidden'] },
		['/sessions'],
	],
	[
		'all, once a day',
		{ listedAt: now - day, pages: 3, hidden: 0, open: ['recent'] },
		['/sessions'],
	],
	[
		'all, where the clock was set back by a day',
		{ listedAt: now + day, pages: 3, hidden: 0, open: ['recent'] },
		['/sessions'],
	],
	[
		'the recent ones, and as many by themselves as all sessions have pages',
		{ listedAt: now, pages: 2, hidden: 0, open: ['hidden', 'other'] },
		[recent, '/sessions/hidden', '/sessions/other'],
	],
	[
		'all, where more is open and not listed than all sessions have pages',
		{ listedAt: now, pages: 2, hidden: 0, open: ['hidden', 'other', 'gone'] },
		[recent, '/sessions'],
	],
])('of many sessions a poll lists %s', async (_, view, requests) => {
	const { asked, ids } = await look(many, { view });
	expect(asked).toEqual(requests);
	const known = requests.includes('/sessions') || view.open?.includes('other');
	expect(ids).toEqual(known ? ['recent', 'hidden', 'other'] : ['recent', 'hidden']);
});

test.each<[string, View | undefined, View]>([
	[
		'all, at first',
		undefined,
		{ listedAt: now, pages: 1, hidden: 0, open: ['recent', 'hidden', 'other'] },
	],
	[
		'how many of those that are open are not recent',
		{ listedAt: now - 9, pages: 4, hidden: 0, open: ['recent', 'hidden'] },
		{ listedAt: now - 9, pages: 4, hidden: 1, open: ['recent', 'hidden'] },
	],
	[
		'that there were more, where all were listed because of them',
		{ listedAt: now - 9, pages: 2, hidden: 0, open: ['hidden', 'other', 'gone'] },
		{ listedAt: now, pages: 1, hidden: 3, open: ['recent', 'hidden', 'other'] },
	],
	[
		'that still, where all were listed because it costs no more',
		{ listedAt: now - 9, pages: 2, hidden: 1, open: ['recent'] },
		{ listedAt: now, pages: 1, hidden: 1, open: ['recent', 'hidden', 'other'] },
	],
	[
		'nothing of it, where all were listed because a day has passed',
		{ listedAt: now - day, pages: 2, hidden: 1, open: ['gone'] },
		{ listedAt: now, pages: 1, hidden: 0, open: ['recent', 'hidden', 'other'] },
	],
	[
		'a session that could not be read, and none that is gone',
		{ listedAt: now - 9, pages: 4, hidden: 0, open: ['broken', 'gone'] },
		{ listedAt: now - 9, pages: 4, hidden: 2, open: ['recent', 'broken'] },
	],
])('a poll remembers of the list of sessions: %s', async (_, view, expected) => {
	const broken = { ...session('broken', { status: 'past' }), isHidden: true, isBroken: true };
	expect((await look([...many, broken], { view })).next).toEqual(expected);
});
