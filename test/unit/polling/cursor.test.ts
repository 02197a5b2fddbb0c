import {
	beginList,
	changedSince,
	eventsBookmarkOf,
	isUnfinished,
	lastTriedAt,
	searchKey,
	sessionsBookmarkOf,
	startedPeopleOf,
	viewOf,
	type Cursor,
	type DuePeople,
	type HiddenPeople,
	type PeopleBookmark,
	type ReadPeople,
	type Search,
	type SessionsView,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import { noFilters } from '../../support/runs/filters';

const now = 1_800_000_000;
const search: Search = {
	eventTypes: ['people.registered'],
	filters: noFilters,
	endedWithinDays: 1,
};
/** A trigger that has polled for a while since its activation. */
const stored: Cursor = {
	startedAt: now - 9_000,
	polledAt: now - 900,
	people: { s: { kind: 'due', sinceAt: now - 9_000, seen: '', isComplete: false } },
	sessions: { sinceAt: now - 1_500, seen: 'sessions' },
	jobs: 'jobs-key',
	registrationTimes: 'missing',
	hasMore: true,
};
test.each<[string, number, number | undefined, number]>([
	['the bookmark where nothing was read', 5_000, undefined, 5_000],
	['ten minutes before it was read', 5_000, 9_000, 8_400],
	['the bookmark where that is later', 8_401, 9_000, 8_401],
])('changed records are listed from %s', (_, sinceAt, readAt, expected) => {
	expect(changedSince(sinceAt, readAt)).toBe(expected);
});

describe('a list that was never read begins', () => {
	const view = (listedAt: number): SessionsView => ({
		searchKey: '',
		listedAt,
		pages: 1,
		requestsInParts: 1,
		hasOnDemand: false,
	});
	const times = { startedAt: 1_000, polledAt: 9_000 };

	test.each<[string, typeof times, SessionsView | undefined, number]>([
		['ten minutes before the last poll', times, undefined, 8_400],
		['ten minutes before all sessions were listed', times, view(5_000), 4_400],
		['no later than the last poll', times, view(9_999), 8_400],
		['no earlier than polling', { ...times, startedAt: 8_401 }, undefined, 8_401],
	])('%s', (_, cursor, sessionsView, sinceAt) => {
		expect(beginList({ ...cursor, people: {} }, sessionsView)).toEqual({ sinceAt, seen: '' });
	});
});

test('a list that was read goes on from its bookmark, and another one begins', () => {
	const begun = { sinceAt: stored.polledAt - 600, seen: '' };
	expect(sessionsBookmarkOf(stored, search)).toBe(stored.sessions);
	expect(sessionsBookmarkOf({ ...stored, sessions: undefined }, search)).toEqual(begun);
	expect(eventsBookmarkOf({ ...stored, events: { ...begun, readAt: now } }).readAt).toBe(now);
	expect(eventsBookmarkOf(stored)).toEqual(begun);
});

describe('all sessions are listed anew', () => {
	const view: SessionsView = {
		searchKey: searchKey(search),
		listedAt: now,
		pages: 9,
		requestsInParts: 2,
		hasOnDemand: false,
	};

	test.each<[string, Partial<Search>]>([
		['other event types', { eventTypes: ['session.ended'] }],
		['another filter', { filters: { ...noFilters, sessionId: 's' } }],
	])('after people chose %s', (_, more) => {
		expect(viewOf({ ...stored, view }, { ...search, ...more })).toBeUndefined();
	});

	test('but not while the same is asked for', () => {
		expect(viewOf({ ...stored, view }, { ...search, endedWithinDays: 7 })).toBe(view);
	});

	test('where no view is stored', () => {
		expect(viewOf(stored, search)).toBeUndefined();
	});
});

describe('a bookmark of people', () => {
	const now = 1_800_000_000;
	/** The people who have started a run, whatever state their list is in. */
	const started = { sinceAt: now - 60, seen: 'seen-key', untimed: 'none-key', isComplete: true };
	const due: DuePeople = { ...started, kind: 'due', triedAt: now - 30 };
	const neverTried: DuePeople = { ...started, kind: 'due' };
	const read: ReadPeople = {
		...started,
		kind: 'read',
		facts: '[1]',
		readAt: now - 20,
		changedAt: now - 20,
		attendance: 'notOver',
	};
	const open: ReadPeople = { ...read, attendance: 'open' };
	const settled: ReadPeople = { ...read, attendance: 'settled' };
	const hidden: HiddenPeople = { ...started, kind: 'hidden', hiddenAt: now - 10 };

	test.each<[string, PeopleBookmark]>([
		['due', due],
		['read', read],
		['hidden', hidden],
	])(
		'people who were %s have started their runs apart from the state of their list',
		(_, bookmark) => {
			expect(startedPeopleOf(bookmark)).toEqual(started);
		},
	);

	test.each<[string, PeopleBookmark | undefined, number | undefined]>([
		['who were read', read, now - 20],
		['who could not be read', due, now - 30],
		['whom nobody tried to read', neverTried, undefined],
		['whose session was not listed', hidden, undefined],
		['of whom nothing is stored', undefined, undefined],
	])('people %s were last tried at their time', (_, bookmark, at) => {
		expect(lastTriedAt(bookmark)).toBe(at);
	});

	test.each<[string, PeopleBookmark | undefined, boolean]>([
		['who are due', due, true],
		['whose attendance may change', open, true],
		['whose session is not over', read, false],
		['whose attendance has settled', settled, false],
		['whose session is not listed', hidden, false],
		['of whom nothing is stored', undefined, false],
	])('a session that is over is looked at again for people %s: %#', (_, bookmark, isExpected) => {
		expect(isUnfinished(bookmark)).toBe(isExpected);
	});
});
