import type {
	DuePeople,
	HiddenPeople,
	PeopleBookmark,
	ReadPeople,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import {
	hidePeople,
	isUnfinished,
	lastTriedAt,
	postponePeople,
	startedPeopleOf,
} from '../../../nodes/EventPlatform/core/polling/peopleBookmark';

const now = 1_800_000_000;
const day = 86_400;
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
		test('and are kept apart from their state', () => {
			expect(startedPeopleOf(bookmark)).toEqual(started);
		});

		test('and could not be read', () => {
			expect(postponePeople(bookmark, now)).toEqual({ ...started, kind: 'due', triedAt: now });
		});

		test('and their session is not listed any more', () => {
			expect(hidePeople(bookmark, now)).toMatchObject(started);
		});
	},
);

test('people of a session that is not listed are remembered for a day', () => {
	expect(hidePeople(hiddenFor(day - 1), now)).toEqual(hiddenFor(day - 1));
});

test('people of a session that was not listed for a day are forgotten', () => {
	expect(hidePeople(hiddenFor(day), now)).toBeUndefined();
});

test.each<[string, PeopleBookmark]>([
	['read', { ...read, readAt: now - 2 * day }],
	['due', { ...due, triedAt: now - 2 * day }],
])('the day begins when the session is missing, however long ago people were %s', (_, bookmark) => {
	expect(hidePeople(bookmark, now)).toEqual({ ...started, kind: 'hidden', hiddenAt: now });
});

test.each<[string, PeopleBookmark | undefined, number]>([
	['who were read', read, now - 20],
	['who could not be read', due, now - 30],
	['whom nobody tried to read', neverTried, 0],
	['whose session was not listed', hidden, 0],
	['of whom nothing is stored', undefined, 0],
])('people %s were last tried at their time', (_, bookmark, at) => {
	expect(lastTriedAt(bookmark)).toBe(at);
});

test('people who are put off keep the time when they were last tried', () => {
	expect(postponePeople(read).triedAt).toBe(now - 20);
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
