import { beginCursor, type Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import type { Search } from '../../../nodes/EventPlatform/core/polling/search';
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
	lists: {
		'/sessions/s/people': { sinceAt: now - 9_000, timedKeys: '', untimedKeys: '' },
		'/sessions': { sinceAt: now - 1_500, timedKeys: 'sessions', untimedKeys: '' },
		'/jobs/j': { sinceAt: now - 9_000, timedKeys: '', untimedKeys: 'jobs-key' },
	},
	registrationTimes: 'missing',
	hasMore: true,
};

/** A trigger that began with a Start From. */
const storedFrom: Cursor = { ...stored, startedAt: now - 50_000 };

/** The cursor of a trigger that begins anew: what was there before the moment starts no run. */
const anewAt = (startedAt: number): Cursor => ({
	startedAt,
	polledAt: startedAt,
	lists: {},
});
/** The values that are kept where a trigger begins anew, because no time tells them. */
const kept = {
	lists: { '/jobs/j': stored.lists['/jobs/j'] },
	registrationTimes: 'missing',
};

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
		expect(beginCursor(undefined, from, now)).toEqual(anewAt(now - 70));
	});
});

test.each<[string, Cursor, Partial<Search>]>([
	['in the next poll', stored, {}],
	['where an activation could read nothing for a while', stored, { begunAgoSeconds: 600 }],
	['with the same Start From', storedFrom, { startFrom: now - 50_000 }],
	[
		'with the same Start From after an activation',
		storedFrom,
		{ startFrom: now - 50_000, isActivated: true },
	],
	['after a Start From was taken away', storedFrom, {}],
])('polling goes on where it was %s', (_, cursor, more) => {
	expect(beginCursor(cursor, { ...search, ...more }, now)).toBe(cursor);
});

test.each<[string, Cursor, Partial<Search>, number]>([
	['an activation without a Start From', stored, { isActivated: true }, now],
	['a Start From where there was none', stored, { startFrom: now - 70 }, now - 70],
	['another Start From', storedFrom, { startFrom: now - 70 }, now - 70],
])('polling begins anew after %s, and knows its jobs', (_, cursor, more, startedAt) => {
	expect(beginCursor(cursor, { ...search, ...more }, now)).toEqual({
		...anewAt(startedAt),
		...kept,
	});
});
