import type {
	DuePeople,
	HiddenPeople,
	PeopleBookmark,
	ReadPeople,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import { moveAllPeople, planPeople } from '../../../nodes/EventPlatform/core/polling/people';
import { now, roundWith } from './pollRound';
import { daySeconds } from '../../support/time/units';

/** The bookmark of people whose session is not listed any more, after the poll. */
function hide(bookmark: PeopleBookmark): PeopleBookmark | undefined {
	const { round } = roundWith({ cursor: { people: { s: bookmark } } });
	const none = { plans: [], people: new Map(), givenUpAt: new Map() };
	return moveAllPeople(round, none, new Set()).s;
}

/** The bookmark of people who could not be read, after the poll. `givenUpAt`: when the time of the poll was over. */
function postpone(bookmark: PeopleBookmark, givenUpAt?: number): PeopleBookmark | undefined {
	const { round } = roundWith({ cursor: { people: { s: bookmark } } });
	const attributes = { registrants_count: 3 };
	const plans = planPeople(round, [{ type: 'sessions', id: 's', attributes, relationships: {} }]);
	const times = new Map(givenUpAt === undefined ? [] : [['s', givenUpAt]]);
	return moveAllPeople(round, { plans, people: new Map(), givenUpAt: times }, new Set()).s;
}

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
			expect(postpone(bookmark, now)).toEqual({ ...started, kind: 'due', triedAt: now });
		});

		test('and their session is not listed any more', () => {
			expect(hide(bookmark)).toMatchObject(started);
		});
	},
);

test('people of a session that is not listed are remembered for a day', () => {
	expect(hide(hiddenFor(daySeconds - 1))).toEqual(hiddenFor(daySeconds - 1));
});

test('people of a session that was not listed for a day are forgotten', () => {
	expect(hide(hiddenFor(daySeconds))).toBeUndefined();
});

test.each<[string, PeopleBookmark]>([
	['read', { ...read, readAt: now - 2 * daySeconds }],
	['due', { ...due, triedAt: now - 2 * daySeconds }],
])('the day begins when the session is missing, however long ago people were %s', (_, bookmark) => {
	expect(hide(bookmark)).toEqual({ ...started, kind: 'hidden', hiddenAt: now });
});

test('people who are put off keep the time when they were last tried', () => {
	expect(postpone(read)).toMatchObject({ triedAt: now - 20 });
});

test('people whom nobody tried to read are put off as such', () => {
	const neverTried: DuePeople = { ...started, kind: 'due' };
	expect(postpone(neverTried)).toEqual(neverTried);
});
