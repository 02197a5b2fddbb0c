import {
	unlimited,
	type Cursor,
	type DuePeople,
	type HiddenPeople,
	type PeopleBookmark,
	type PollLimits,
	type ReadPeople,
} from '../../../nodes/EventPlatform/core/polling/cursor';
import { planPeople, type PeoplePlan } from '../../../nodes/EventPlatform/core/polling/people';
import type { DeliveredRecord } from '../../../nodes/EventPlatform/core/records/record';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { now, roundWith } from './pollRound';
import { daySeconds } from '../../support/time/units';

const registrations = ['people.registered'];
const attendance = ['people.attended'];
/** When polling began. */
const startedAt = now - 2 * daySeconds;

const sessionOf = (attributes: JsonObject, id = 's'): DeliveredRecord => ({
	type: 'sessions',
	id,
	attributes: { registrants_count: 3, created_at: startedAt - 1, ...attributes },
	relationships: {},
});

interface Poll {
	eventTypes?: string[];
	/** The bookmark that is stored for the people of the session. */
	stored?: PeopleBookmark;
	/** The attributes that the session shows. */
	shows?: JsonObject;
	cursor?: Partial<Cursor>;
}

function plan({ eventTypes = registrations, stored, shows = {}, cursor }: Poll): PeoplePlan {
	const people: Cursor['people'] = stored ? { s: stored } : {};
	const { round } = roundWith({
		search: { eventTypes },
		cursor: { startedAt, polledAt: now - 900, registrationTimes: 'present', people, ...cursor },
	});
	const [planned] = planPeople(round, [sessionOf(shows)]);
	if (planned === undefined) throw new Error('Nothing was planned');
	return planned;
}

/** The people whom a plan reads. */
function readsOf({ isRead, changedSinceAt }: PeoplePlan): string {
	if (!isRead) return 'nobody';
	return changedSinceAt === undefined ? 'everybody' : 'changed';
}

const started = { sinceAt: now - 5_000, seen: 'seen-key', untimed: 'none-key', isComplete: false };
const due: DuePeople = { ...started, kind: 'due' };
const hidden: HiddenPeople = { ...started, kind: 'hidden', hiddenAt: now - 60 };

/** People who were read an hour ago, when the session showed this. */
function readWhen(
	attributes: JsonObject = {},
	more: Partial<ReadPeople> = {},
	eventTypes = registrations,
): ReadPeople {
	const { facts } = plan({ eventTypes, shows: attributes }).next;
	return { ...started, kind: 'read', readAt: now - 3_600, attendance: 'notOver', facts, ...more };
}

/** Gives the same as `readWhen`, where attendance is asked for. */
const attendedWhen = (attributes: JsonObject, more: Partial<ReadPeople> = {}) =>
	readWhen(attributes, more, attendance);

const over = { ended_at: now - 60 };
const overFor = (seconds: number) => ({ ended_at: now - seconds });

describe('the people of a session', () => {
	test.each<[string, Poll]>([
		['whose session shows the same', { stored: readWhen() }],
		['whose session is empty', { stored: readWhen(), shows: { registrants_count: 0 } }],
		['whose session was looked at again', { stored: readWhen({}, { changedAt: now - 599 }) }],
		['for whom polling begins at this moment', { cursor: { startedAt: now } }],
		[
			'whose session has ended, where only registrations matter',
			{ stored: readWhen(), shows: over },
		],
		[
			'whose session is not over, where only attendance matters',
			{ eventTypes: attendance, stored: due, shows: { registrants_count: 4 } },
		],
		[
			'whose session ended before polling began',
			{ eventTypes: attendance, shows: { ended_at: startedAt - 1 } },
		],
		[
			'whose attendance has settled',
			{
				eventTypes: attendance,
				stored: attendedWhen(over, { attendance: 'settled' }),
				shows: over,
			},
		],
	])('cost no request: %s', (_, poll) => {
		expect(plan(poll).isRead).toBe(false);
	});

	test.each<[string, Poll]>([
		['whose number is another', { stored: readWhen(), shows: { registrants_count: 2 } }],
		['whose session was changed', { stored: readWhen(), shows: { updated_at: now } }],
		['who are due', { stored: due }],
		[
			'who are due, although their bookmark is of this moment',
			{ stored: { ...due, sinceAt: now } },
		],
		[
			'whose attendance has settled, where nobody asks for registrations without a time',
			{
				eventTypes: attendance,
				stored: attendedWhen(over, {
					attendance: 'settled',
					untimed: undefined,
					readAt: now - daySeconds,
				}),
				shows: over,
				cursor: { registrationTimes: 'missing' },
			},
		],
		['whose session is listed again', { stored: hidden }],
		['of whom nothing is stored', {}],
		[
			'whom nobody looked at again for ten minutes',
			{ stored: readWhen({}, { changedAt: now - 600 }) },
		],
		[
			'whom the platform does not count',
			{ stored: readWhen({ registrants_count: null }), shows: { registrants_count: null } },
		],
		[
			'whom no time told, and who are known',
			{ stored: due, cursor: { registrationTimes: 'missing' } },
		],
	])('are read as far as they have changed: %s', (_, poll) => {
		expect(readsOf(plan(poll))).toBe('changed');
	});

	test.each<[string, Poll]>([
		['whom no time tells', { cursor: { registrationTimes: 'missing' } }],
		['of whom no response has shown a time', { cursor: { registrationTimes: undefined } }],
		[
			'whom no time tells, at the first poll',
			{ cursor: { registrationTimes: 'missing', startedAt: now } },
		],
		['whose session has just ended', { eventTypes: attendance, shows: over }],
		[
			'whose session has ended, although it shows the same',
			{ eventTypes: attendance, stored: attendedWhen(over), shows: over },
		],
		[
			'whose attendance may still change',
			{
				eventTypes: attendance,
				stored: attendedWhen(over, { attendance: 'open', changedAt: now - 600 }),
				shows: over,
			},
		],
		[
			'whose number of attendees is another, although attendance has settled',
			{
				eventTypes: attendance,
				stored: attendedWhen(over, { attendance: 'settled' }),
				shows: { ...over, attendees_count: 2 },
			},
		],
	])('are all read: %s', (_, poll) => {
		expect(readsOf(plan(poll))).toBe('everybody');
	});

	test.each<[string, string, Poll]>([
		['is first read', 'true', { shows: overFor(60) }],
		[
			'was read after it',
			'false',
			{ shows: over, stored: attendedWhen(over, { attendance: 'open' }) },
		],
		['has not come', 'false', { stored: due }],
	])('whose end %s, are read first after it: %s', (_, isFirst, poll) => {
		expect(String(plan({ eventTypes: attendance, ...poll }).isFirstAfterEnd)).toBe(isFirst);
	});

	test('do not matter to event types of other records', () => {
		const { round } = roundWith({ search: { eventTypes: ['session.ended', 'job.ended'] } });
		expect(planPeople(round, [sessionOf({})])).toEqual([]);
	});
});

describe('once a day', () => {
	/** A session for each of these numbers of seconds: its people were read so long ago. `emptyFor`: nobody is in the session of that number. */
	function idsRead(
		secondsAgo: number[],
		{ emptyFor, limits = unlimited }: { emptyFor?: number; limits?: PollLimits } = {},
	): string[] {
		const sessions = secondsAgo.map((age, index) =>
			sessionOf({ registrants_count: age === emptyFor ? 0 : 3 }, `s-${index}`),
		);
		const people = secondsAgo.map((age, index): [string, ReadPeople] => {
			const attributes = { registrants_count: age === emptyFor ? 0 : 3 };
			return [`s-${index}`, readWhen(attributes, { readAt: now - age })];
		});
		const cursor = { startedAt, people: Object.fromEntries(people) };
		const plans = planPeople(roundWith({ limits, cursor }).round, sessions);
		return plans.filter(({ isRead }) => isRead).map(({ session }) => session.id);
	}
	const ages = [1, 9, 2, 8, 3, 7].map((hours) => daySeconds + hours * 3_600);

	test('people are read although nothing has changed', () => {
		expect(idsRead([daySeconds - 1, daySeconds])).toEqual(['s-1']);
	});

	test('people of five sessions are read, those whom nobody read for longest', () => {
		expect(idsRead(ages)).toEqual(['s-1', 's-2', 's-3', 's-4', 's-5']);
	});

	test('the people of an empty session take the place of no others', () => {
		expect(idsRead(ages, { emptyFor: Math.max(...ages) })).toEqual([
			's-0',
			's-2',
			's-3',
			's-4',
			's-5',
		]);
	});

	test('nobody is read in the first poll after a start', () => {
		expect(idsRead([daySeconds], { limits: { ...unlimited, mayReadDaily: false } })).toEqual([]);
	});
});

describe('after the poll', () => {
	test('whoever has started a run is remembered', () => {
		expect(plan({ stored: due }).next).toMatchObject(started);
	});

	test.each<[string, Poll, number]>([
		['now where they are read', { stored: due }, now],
		['when they were, where they are not', { stored: readWhen() }, now - 3_600],
		['now where nothing was to be read', { shows: { registrants_count: 0 } }, now],
	])('people were read %s', (_, poll, readAt) => {
		expect(plan(poll).next.readAt).toBe(readAt);
	});

	test.each<[string, Poll, number | undefined]>([
		['after a change', { stored: readWhen(), shows: { registrants_count: 4 } }, now],
		['never, where nothing has changed', { stored: readWhen() }, undefined],
		['no more, once that is done', { stored: readWhen({}, { changedAt: now - 600 }) }, undefined],
		['still, before that is due', { stored: readWhen({}, { changedAt: now - 5 }) }, now - 5],
	])('people are looked at a second time %s', (_, poll, changedAt) => {
		expect(plan(poll).next.changedAt).toBe(changedAt);
	});

	test.each<[string, Poll, boolean]>([
		['is, where the session is new', { shows: { created_at: startedAt } }, true],
		['is, where nobody is in it at first', { shows: { registrants_count: 0 } }, true],
		['stays, where it was', { stored: { ...due, isComplete: true } }, true],
		['is not, where the session is older', {}, false],
		['is not, where all have left', { stored: due, shows: { registrants_count: 0 } }, false],
		['is not, where the session has no time', { shows: { created_at: null } }, false],
	])('a list of people is complete or not: it %s', (_, poll, isComplete) => {
		expect(plan(poll).next.isComplete).toBe(isComplete);
	});

	const open = attendedWhen(over, { attendance: 'open', changedAt: now - 600 });
	test.each<[ReadPeople['attendance'], string, Poll]>([
		['notOver', 'before the end', { shows: {} }],
		['notOver', 'where the end was before polling', { shows: { ended_at: startedAt - 1 } }],
		['open', 'right after the end', { shows: over }],
		[
			'open',
			'after the end, although the session shows the same',
			{ shows: over, stored: attendedWhen(over) },
		],
		['open', 'almost an hour after the end', { shows: overFor(3_599) }],
		['open', 'until it was read again', { shows: over, stored: { ...open, changedAt: now - 599 } }],
		['settled', 'an hour after the end', { shows: overFor(3_600) }],
		['settled', 'when it was read again', { shows: over, stored: open }],
		['settled', 'where nobody is registered', { shows: { ...over, registrants_count: 0 } }],
		[
			'settled',
			'for ever',
			{
				shows: { ...over, attendees_count: 9 },
				stored: attendedWhen(over, { attendance: 'settled' }),
			},
		],
	])('attendance is %s %s', (expected, _, poll) => {
		expect(plan({ eventTypes: attendance, ...poll }).next.attendance).toBe(expected);
	});
});
