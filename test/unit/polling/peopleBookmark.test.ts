import type {
	DuePeople,
	HiddenPeople,
	PeopleBookmark,
	ReadPeople,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import {
	isUnfinished,
	lastTriedAt,
	startedPeopleOf,
} from '../../../nodes/EventPlatform/core/polling/peopleBookmark';

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
