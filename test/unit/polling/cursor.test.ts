import {
	askedForKey,
	beginCursor,
	beginList,
	changedSince,
	viewOf,
	type Cursor,
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
/** A trigger that began with a Start From. */
const storedFrom: Cursor = { ...stored, startedAt: now - 50_000, startFrom: now - 50_000 };

/** The cursor of a trigger that begins anew: what was there before the moment starts no run. */
const anewAt = (startedAt: number, startFrom?: number): Cursor => ({
	startedAt,
	startFrom,
	polledAt: startedAt,
	people: {},
});
/** What is kept where a trigger begins anew, because no time tells it. */
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

test.each<[string, number, number | undefined, number]>([
	['the bookmark where nothing was read', 5_000, undefined, 5_000],
	['ten minutes before it was read', 5_000, 9_000, 8_400],
	['the bookmark where that is later', 8_401, 9_000, 8_401],
])('changed records are listed from %s', (_, sinceAt, readAt, expected) => {
	expect(changedSince(sinceAt, readAt)).toBe(expected);
});

describe('a list that was never read begins', () => {
	const view = (listedAt: number): SessionsView => ({
		askedFor: '',
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

describe('all sessions are listed anew', () => {
	const view: SessionsView = {
		askedFor: askedForKey(search),
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
