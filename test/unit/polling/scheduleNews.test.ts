import { findDueStarts } from '../../../nodes/EventPlatform/core/polling/dueStarts';
import {
	beginSchedule,
	planOf,
	type PlannedSession,
	type Schedule,
} from '../../../nodes/EventPlatform/core/polling/schedule';
import type { Search } from '../../../nodes/EventPlatform/core/polling/cursor';
import { findScheduleNews } from '../../../nodes/EventPlatform/core/polling/scheduleNews';
import { changesBetween } from '../../../nodes/EventPlatform/core/polling/sessionChanges';
import type { DeliveredRecord } from '../../../nodes/EventPlatform/core/records/record';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { noFilters } from '../../support/runs/filters';

const now = 1_800_000_000;
const lead = { minutes: 60, words: '1 hour' };
const search = {
	eventTypes: ['session.starting', 'session.changed'],
	filters: noFilters,
	endedWithinDays: 1,
	leadTimes: [lead],
};

const sessionOf = (attributes: JsonObject): DeliveredRecord => ({
	type: 'sessions',
	id: 's',
	attributes: { status: 'upcoming', ...attributes },
	relationships: {},
});

function scheduleOf(session: PlannedSession, more: Partial<Schedule> = {}): Schedule {
	return { ...beginSchedule(undefined, search, now - 9_000), sessions: { s: session }, ...more };
}

const unlisted = { listedAt: 0, pages: 0, sessions: {} };
const startFrom = now - 50_000;

test.each<[string, Partial<Schedule>, Partial<Search>, Partial<Schedule>]>([
	['goes on in the next poll', {}, {}, {}],
	['begins at an activation', {}, { isNew: true }, { beganAt: now, ...unlisted }],
	[
		'begins at the activation, where nothing could be read since then',
		{},
		{ isNew: true, begunAgoSeconds: 600 },
		{ beganAt: now - 600, ...unlisted },
	],
	['begins at a Start From', {}, { startFrom }, { beganAt: startFrom, startFrom, ...unlisted }],
	[
		'begins at another Start From, whoever activates it',
		{ startFrom: now - 90_000 },
		{ startFrom, isNew: true },
		{ beganAt: startFrom, startFrom, ...unlisted },
	],
	['goes on with the same Start From', { startFrom }, { startFrom }, {}],
	[
		'is listed at an activation with the same Start From, and shows what has changed',
		{ startFrom },
		{ startFrom, isNew: true },
		{ listedAt: 0, pages: 0 },
	],
	['goes on after a Start From was taken away', { startFrom }, {}, {}],
	[
		'begins at the activation after a Start From was taken away',
		{ startFrom },
		{ isNew: true },
		{ beganAt: now, startFrom: undefined, ...unlisted },
	],
])('the schedule %s, and knows what was told', (_, more, searched, changes) => {
	const told = { listedAt: now - 60, pages: 2, clockAheadSeconds: 3, told: { key: now + 9 } };
	const schedule = scheduleOf({ state: 'planned', startsAt: now + 9 }, { ...told, ...more });
	const begun = beginSchedule(schedule, { ...search, ...searched }, now);
	expect(begun).toEqual({ ...schedule, ...changes });
});

test.each<Partial<Search>>([
	{ eventTypes: ['session.changed'] },
	{ filters: { ...noFilters, eventId: 'e' } },
	{ leadTimes: [{ minutes: 5, words: '5 minutes' }] },
])(
	'the schedule of another search begins at that moment, and knows what was told: %#',
	(searched) => {
		const listed = { listedAt: now - 60, pages: 2, told: { key: now + 9 } };
		const schedule = scheduleOf({ state: 'planned' }, listed);
		const begun = beginSchedule(schedule, { ...search, ...searched }, now);
		expect(begun).toEqual({ ...schedule, beganAt: now, ...unlisted, searchKey: begun.searchKey });
		expect(begun.searchKey).not.toBe(schedule.searchKey);
	},
);

test.each<[string, number, number]>([
	['at that moment, whatever Start From says', startFrom, now],
	['at a Start From to come', now + 50_000, now + 50_000],
])('with another lead time a schedule begins %s', (_, since, beganAt) => {
	const searched = { ...search, startFrom: since };
	const before = beginSchedule(undefined, searched, now - 9_000);
	const leadTimes = [lead, { minutes: 1_440, words: '1 day' }];
	const begun = beginSchedule(before, { ...searched, leadTimes }, now);
	expect(begun).toMatchObject({ beganAt, startFrom: since, ...unlisted });
	const next = beginSchedule(begun, { ...searched, leadTimes }, now + 60);
	expect(next).toBe(begun);
});

test.each<Partial<Search>>([
	{ eventTypes: ['session.changed', 'people.registered', 'session.starting'] },
	{ filters: { ...noFilters, jobIds: ['j'], needsFailedTasks: true } },
	{ leadTimes: [{ minutes: 60, words: '60 minutes' }] },
	{ leadTimes: [lead, { minutes: 5, words: '5 minutes' }] },
])('the schedule goes on where only something else has changed: %#', (searched) => {
	const leadTimes = searched.leadTimes?.length === 2 ? [...searched.leadTimes].reverse() : [lead];
	const schedule = beginSchedule(undefined, { ...search, leadTimes }, now - 9_000);
	expect(beginSchedule(schedule, { ...search, ...searched }, now)).toBe(schedule);
});

test.each<[string, Partial<PlannedSession>, Partial<Schedule>, boolean]>([
	['at its moment', { startsAt: now + 3_600 }, {}, true],
	['a second before', { startsAt: now + 3_601 }, {}, false],
	['a second before its start', { startsAt: now + 1 }, {}, true],
	['at its start', { startsAt: now }, {}, false],
	['where the trigger began at its moment', { startsAt: now + 60 }, { beganAt: now - 3_540 }, true],
	['where the trigger began later', { startsAt: now + 60 }, { beganAt: now - 3_539 }, false],
	['where it was made at its moment', { startsAt: now + 60, createdAt: now - 3_540 }, {}, true],
	['where it was made later', { startsAt: now + 60, createdAt: now - 3_539 }, {}, false],
	['where it was canceled', { startsAt: now + 60, state: 'canceled' }, {}, false],
	['where it has begun', { startsAt: now + 60, state: 'other' }, {}, false],
	['without a date', {}, {}, false],
])('a start is due %s: %#', (_, session, more, isDue) => {
	const schedule = scheduleOf({ state: 'planned', ...session }, more);
	expect(findDueStarts(schedule, [lead], now)).toHaveLength(isDue ? 1 : 0);
});

test.each<[Partial<PlannedSession>, Partial<PlannedSession>, string[]]>([
	[{}, {}, []],
	[{ startsAt: 1 }, { startsAt: 2 }, ['moved']],
	[{ startsAt: 1 }, {}, ['moved']],
	[{ name: 'a' }, { name: 'b' }, ['renamed']],
	[{ name: 'a' }, {}, []],
	[{}, { name: 'b' }, []],
	[{}, { state: 'canceled' }, ['canceled']],
	[{ state: 'canceled' }, { state: 'canceled' }, []],
	[{ state: 'canceled' }, {}, ['reopened']],
	[{ state: 'other' }, {}, []],
])('between %j and %j a session was %j', (before, after, changes) => {
	const planned: PlannedSession = { state: 'planned' };
	expect(changesBetween({ ...planned, ...before }, { ...planned, ...after })).toEqual(changes);
});

test.each<[JsonObject, PlannedSession['state']]>([
	[{}, 'planned'],
	[{ status: 'not_started' }, 'planned'],
	[{ status: 'draft' }, 'other'],
	[{ status: 'live' }, 'other'],
	[{ status: 'past' }, 'other'],
	[{ started_at: now }, 'other'],
	[{ status: 'canceled' }, 'canceled'],
	[{ status: 'cancelled' }, 'canceled'],
	[{ status: null }, 'planned'],
	[{ status: null, canceled_at: now }, 'canceled'],
	[{ status: null, ended_at: now }, 'other'],
])('a session with %j is %s', (attributes, state) => {
	expect(planOf(sessionOf(attributes), false).state).toBe(state);
});

test.each<[string, JsonObject, boolean, string | undefined]>([
	['its own name', { name: ' Class ', event_title: 'Tour' }, true, 'Class'],
	['the title of its event', { name: null, event_title: 'Tour ' }, true, 'Tour'],
	['no name', {}, true, undefined],
	['no name where nobody wants to know', { name: 'Class' }, false, undefined],
])('a session is remembered by %s', (_, attributes, hasNames, name) => {
	expect(planOf(sessionOf(attributes), hasNames).name).toBe(name);
});

test('what is told has the facts of the start, or what has changed', () => {
	const before: PlannedSession = { state: 'planned', startsAt: now + 9_000, name: 'Class' };
	const session = sessionOf({
		estimated_started_at: now + 1_801,
		name: 'Course',
		event_title: 'T',
	});
	const list = { listedAt: now, pages: 1 };
	const read = { sessions: new Map([['s', session]]), unreadIds: new Set<string>(), list };
	const { news, next } = findScheduleNews(scheduleOf(before), read, search, now, 9);
	expect(news).toMatchObject([
		{
			eventType: 'session.starting',
			happenedAtSeconds: now - 1_799,
			sessionFacts: { event_title: 'T', session_name: 'Course' },
			record: {
				id: 's',
				attributes: {
					name: 'Course',
					starts_at: now + 1_801,
					starts_in_minutes: 31,
					lead: '1 hour',
					lead_minutes: 60,
				},
			},
		},
		{
			eventType: 'session.changed',
			happenedAtSeconds: now,
			record: {
				attributes: {
					changes: 'moved, renamed',
					starts_at: now + 1_801,
					previous_starts_at: now + 9_000,
					previous_name: 'Class',
				},
			},
		},
	]);
	expect(next).toMatchObject({ listedAt: now, pages: 1, sessions: { s: { name: 'Course' } } });
	expect(Object.values(next.told)).toEqual([now + 1_801]);
});

test('what a run cannot take is left over: the start is due again, and the next list shows the change again', () => {
	const before: PlannedSession = { state: 'planned', startsAt: now + 9_000, name: 'Class' };
	const session = sessionOf({ estimated_started_at: now + 1_800, name: 'Course' });
	const read = { sessions: new Map([['s', session]]), unreadIds: new Set<string>() };
	const { news, next } = findScheduleNews(scheduleOf(before), read, search, now, 1);
	expect(news.map(({ eventType }) => eventType)).toEqual(['session.starting']);
	expect(next.sessions).toEqual({ s: before });
	const nothing = findScheduleNews(scheduleOf(before), read, search, now, 0);
	expect([nothing.news, nothing.next.told]).toEqual([[], {}]);
});
