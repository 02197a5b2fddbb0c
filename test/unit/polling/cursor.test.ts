import type { ListedEvent } from '../../../nodes/EventPlatform/core/events/eventTypes';
import { shaped } from '../../../nodes/EventPlatform/core/values/storedShape';
import {
	beginCursor,
	beginList,
	cursorShape,
	moveBookmark,
	type Cursor,
	type Search,
	type SessionsView,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import { noFilters } from '../../support/runs/filters';

const now = 1_800_000_000;
/** Records may be listed so late. */
const late = 600;
const sinceAt = now - 3_600;

/** An event that happened at that time. */
function at(time: number, id = 'r'): ListedEvent {
	const record = { type: 'sessions', id, attributes: {}, relationships: {} };
	return { eventType: 'session.created', record, happenedAtSeconds: time, isUntimed: false };
}

/** The keys of events by the ids of their records. */
const keys = { former: 'nsTVcwsZ', e: 'f93qWiOG', f: 'c2bCeWhk', l: '8IdJcP6E' };

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

/** A trigger that began with a Start From. */
const storedFrom: Cursor = { ...stored, startedAt: now - 50_000, startFrom: now - 50_000 };

/** The cursor of a trigger that begins anew: what was there before the moment starts no run. */
const anewAt = (startedAt: number, startFrom?: number): Cursor => ({
	startedAt,
	startFrom,
	polledAt: startedAt,
	people: {},
});
/** The values that are kept where a trigger begins anew, because no time tells them. */
const kept = { jobs: 'jobs-key', registrationTimes: 'missing' };

describe('a trigger of which nothing is stored begins', () => {
	test('at the moment', () => {
		expect(beginCursor(undefined, search, now)).toEqual(anewAt(now));
	});

	test('at its activation, where nothing could be read since then', () => {
		const sinceThen = { ...search, begunAgoSeconds: 600 };
		expect(beginCursor(undefined, sinceThen, now)).toEqual(anewAt(now - 600));
	});

	test('at its Start From, whenever it was activated', () => {
		const from = { ...search, startFrom: now - 70, begunAgoSeconds: 600 };
		expect(beginCursor(undefined, from, now)).toEqual(anewAt(now - 70, now - 70));
	});
});

test.each<[string, Cursor, Partial<Search>]>([
	['in the next poll', stored, {}],
	['where an activation could read nothing for a while', stored, { begunAgoSeconds: 600 }],
	['with the same Start From', storedFrom, { startFrom: now - 50_000 }],
	[
		'with the same Start From after an activation',
		storedFrom,
		{ startFrom: now - 50_000, isNew: true },
	],
	['after a Start From was taken away', storedFrom, {}],
])('polling goes on where it was %s', (_, cursor, more) => {
	expect(beginCursor(cursor, { ...search, ...more }, now)).toBe(cursor);
});

test.each<[string, Cursor, Partial<Search>, number, number | undefined]>([
	['an activation without a Start From', stored, { isNew: true }, now, undefined],
	['a Start From where there was none', stored, { startFrom: now - 70 }, now - 70, now - 70],
	['another Start From', storedFrom, { startFrom: now - 70 }, now - 70, now - 70],
])('polling begins anew after %s, and knows its jobs', (_, cursor, more, startedAt, startFrom) => {
	expect(beginCursor(cursor, { ...search, ...more }, now)).toEqual({
		...anewAt(startedAt, startFrom),
		...kept,
	});
});

test.each<[string, ListedEvent[], Partial<Parameters<typeof moveBookmark>[2]>, number]>([
	['moves by no time to come', [at(now + 1)], {}, sinceAt],
	['moves to ten minutes before the latest event', [at(now - 100), at(now - 900)], {}, now - 700],
	['moves by an event of this moment', [at(now)], {}, now - late],
	[
		'moves no further than the list is complete',
		[at(now)],
		{ notBeyondAt: now - 1_000 },
		now - 1_600,
	],
	['never moves back', [at(sinceAt + late - 1)], {}, sinceAt],
	['stays where nothing was listed', [], {}, sinceAt],
])('a bookmark %s', (_, started, reach, expected) => {
	expect(moveBookmark({ sinceAt, seen: '' }, started, { nowSeconds: now, ...reach }).sinceAt).toBe(
		expected,
	);
});

describe('the keys of a bookmark', () => {
	const former = at(sinceAt, 'former');
	const bookmark = { sinceAt, seen: keys.former };
	const move = (started: ListedEvent[], listedSinceAt?: number) =>
		moveBookmark(bookmark, started, { nowSeconds: now, listedSinceAt }).seen;

	test('are those of the events that may be listed again', () => {
		const [early, edge, last] = [at(now - late - 1, 'e'), at(now - late, 'f'), at(now, 'l')];
		expect(move([early, edge, last])).toBe(keys.f + keys.l);
	});

	test('stay as long as the bookmark stays', () => {
		const event = at(sinceAt, 'e');
		expect(move([event])).toBe(keys.former + keys.e);
	});

	test('stay where not all records since then were listed', () => {
		expect(move([at(now, 'l')], now - late + 1)).toBe(keys.former + keys.l);
	});

	test('go where all records since then were listed', () => {
		expect(move([at(now, 'l')], now - late)).toBe(keys.l);
	});

	test('stand once each', () => {
		expect(move([former])).toBe(keys.former);
	});
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

describe('a cursor is read as it was stored', () => {
	const bookmark = { sinceAt: now, seen: 'abcdefgh' };
	const started = { ...bookmark, untimed: 'ijklmnop', isComplete: true };
	const list = { facts: '[1]', readAt: now, changedAt: now, attendance: 'open' };
	const rest = { ...list, page: 3, changedSinceAt: now, isFirstAfterEnd: true };
	const people = {
		due: { kind: 'due', ...started, triedAt: now, rest },
		read: { kind: 'read', ...started, ...list },
		hidden: { kind: 'hidden', ...started, hiddenAt: now },
	};
	const whole = {
		startedAt: now,
		startFrom: now,
		polledAt: now,
		events: { ...bookmark, readAt: now },
		sessions: bookmark,
		people,
		contents: { '/sessions/s/recordings': { ...bookmark, readAt: now, kept: 'qrstuvwx' } },
		contentsForgottenAt: now,
		jobs: 'abcdefgh',
		view: { searchKey: 'all', listedAt: now, pages: 2, requestsInParts: 1, hasOnDemand: false },
		openSessionIds: ['session'],
		registrationTimes: 'present',
		hasMore: true,
	};
	/** Gives what is read of a cursor, and the paths of the parts that do not fit. */
	const readBack = (stored: object) => {
		const misfits: string[] = [];
		const tell = (path: string) => misfits.push(path);
		return { cursor: shaped(cursorShape)(stored, { latestSeconds: now, tell }), misfits };
	};

	test('with all of its parts', () => {
		expect(readBack(whole)).toEqual({ cursor: whole, misfits: [] });
	});

	test('without those that it can do without', () => {
		const least = { startedAt: now, polledAt: now, people: {} };
		expect(readBack(least)).toEqual({ cursor: least, misfits: [] });
	});

	test.each(['startedAt', 'polledAt', 'people'])('and not without %s', (name) => {
		expect(readBack({ ...whole, [name]: undefined }).cursor).toBeUndefined();
	});

	test.each(['notOver', 'open', 'settled'])('with the attendance %s', (attendance) => {
		const ofRest = { ...people.due, rest: { ...rest, attendance } };
		const stored = { ...people, due: ofRest, read: { ...people.read, attendance } };
		expect(readBack({ ...whole, people: stored }).cursor?.people).toEqual(stored);
	});

	test.each(['present', 'missing'])('with registration times that are %s', (word) => {
		const stored = { ...whole, registrationTimes: word };
		expect(readBack(stored)).toEqual({ cursor: stored, misfits: [] });
	});

	test.each(['', 'other'])('but with no other word: "%s"', (word) => {
		const stored = {
			read: { ...people.read, attendance: word },
			due: { ...people.due, kind: word },
			hidden: people.hidden,
		};
		expect(readBack({ ...whole, people: stored, registrationTimes: word })).toEqual({
			cursor: { ...whole, people: { hidden: people.hidden }, registrationTimes: undefined },
			misfits: expect.arrayContaining([
				'people.read.attendance',
				'people.read',
				'people.due',
				'registrationTimes',
			]) as string[],
		});
	});
});
