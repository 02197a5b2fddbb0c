import type { ListedEvent } from '../../../nodes/EventPlatform/core/events/eventTypes';
import {
	beginCursor,
	type Cursor,
	type DuePeople,
	type HiddenPeople,
	type PeopleBookmark,
	type ReadPeople,
	type Search,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import {
	hidePeople,
	moveBookmark,
	postponePeople,
	rememberJobs,
} from '../../../nodes/EventPlatform/core/polling/moveCursor';
import { noFilters } from '../../support/runs/filters';
import { daySeconds } from '../../support/time/units';

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

/** The people who have started a run, whatever state their list is in. */
const started = { sinceAt: now - 60, seen: 'seen-key', untimed: 'none-key', isComplete: true };
const due: DuePeople = { ...started, kind: 'due', triedAt: now - 30 };
const read: ReadPeople = {
	...started,
	kind: 'read',
	facts: '[1]',
	readAt: now - 20,
	changedAt: now - 20,
	attendance: 'notOver',
};
const hidden: HiddenPeople = { ...started, kind: 'hidden', hiddenAt: now - 10 };

/** Hidden so many seconds before. */
const hiddenFor = (seconds: number): HiddenPeople => ({ ...hidden, hiddenAt: now - seconds });

const kinds: Array<[string, PeopleBookmark]> = [
	['due', due],
	['read', read],
	['hidden', hidden],
];

describe.each(kinds)(
	'whoever has started a run starts no second one after people were %s',
	(_, bookmark) => {
		test('and could not be read', () => {
			expect(postponePeople(bookmark, now)).toEqual({ ...started, kind: 'due', triedAt: now });
		});

		test('and their session is not listed any more', () => {
			expect(hidePeople(bookmark, now)).toMatchObject(started);
		});
	},
);

test('people of a session that is not listed are remembered for a day', () => {
	expect(hidePeople(hiddenFor(daySeconds - 1), now)).toEqual(hiddenFor(daySeconds - 1));
});

test('people of a session that was not listed for a day are forgotten', () => {
	expect(hidePeople(hiddenFor(daySeconds), now)).toBeUndefined();
});

test.each<[string, PeopleBookmark]>([
	['read', { ...read, readAt: now - 2 * daySeconds }],
	['due', { ...due, triedAt: now - 2 * daySeconds }],
])('the day begins when the session is missing, however long ago people were %s', (_, bookmark) => {
	expect(hidePeople(bookmark, now)).toEqual({ ...started, kind: 'hidden', hiddenAt: now });
});

test('people who are put off keep the time when they were last tried', () => {
	expect(postponePeople(read).triedAt).toBe(now - 20);
});

test('people whom nobody tried to read are put off as such', () => {
	const neverTried: DuePeople = { ...started, kind: 'due' };
	expect(postponePeople(neverTried)).toEqual(neverTried);
});

test('jobs that have started a run are remembered together with those before', () => {
	const job = (id: string): ListedEvent => {
		const record = { type: 'jobs', id, attributes: {}, relationships: {} };
		return { eventType: 'job.ended', record, happenedAtSeconds: now, isUntimed: true };
	};
	expect(rememberJobs('nEq5tC-M', [job('b')])).toBe('nEq5tC-MQDsv0G5I');
	expect(rememberJobs(undefined, [job('b')])).toBe('QDsv0G5I');
});
