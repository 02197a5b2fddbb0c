import {
	isAttendanceKnown,
	isSettled,
	readReportedSession,
	describeUnsettled,
} from '../../../nodes/EventPlatform/core/report/session';
import type { ReportedPerson } from '../../../nodes/EventPlatform/core/report/person';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { attendee, person } from './reportedPeople';
import { hourSeconds } from '../../support/time/units';

const now = 1_795_000_000;
const session = (attributes: JsonObject, event?: JsonObject) =>
	readReportedSession(
		{ session: { id: 's', attributes }, event: event && { id: 'e', attributes: event } },
		now * 1_000,
	);
const upcoming = {
	status: 'upcoming',
	started_at: 0,
	ended_at: 0,
	estimated_started_at: now + hourSeconds,
};
const live = { status: 'live', started_at: now - 600, ended_at: 0 };
const ended = { status: 'past', started_at: now - 2 * hourSeconds, ended_at: now - hourSeconds };

test.each<[string, JsonObject, object]>([
	[
		'the planned start until it begins',
		upcoming,
		{ startsAt: now + hourSeconds, minutes: undefined },
	],
	[
		'the start that it had',
		{ ...ended, estimated_started_at: now },
		{ status: 'past', startsAt: now - 2 * hourSeconds, minutes: 60 },
	],
	['the length that the platform gives', { ...ended, duration: 1_800 }, { minutes: 30 }],
	[
		'no status, no date and no name that are not there',
		{ status: '', name: ' ', timezone: '' },
		{ status: undefined, startsAt: undefined, name: undefined, timezone: undefined },
	],
])('%s', (_, attributes, expected) => {
	expect(session(attributes)).toMatchObject(expected);
});

test('the title is that of the event', () => {
	expect(session({ event_id: 'e' }, { title: 'Tour' })).toMatchObject({
		title: 'Tour',
		eventId: 'e',
	});
	expect(session({}).title).toBeUndefined();
});

interface ReportedSession {
	what: string;
	attributes: JsonObject;
	/** Why its figures may still change, or mean little. */
	explanation?: string;
}

const settled: ReportedSession[] = [
	{ what: 'over for an hour', attributes: ended },
	{ what: 'over, nobody knows since when', attributes: { status: 'past' } },
	{
		what: 'canceled',
		attributes: { status: 'canceled', canceled_at: now },
		explanation: 'The session was canceled.',
	},
];

const unsettled: ReportedSession[] = [
	{
		what: 'to come',
		attributes: upcoming,
		explanation: 'The session has not begun yet, so nobody can have attended it.',
	},
	{
		what: 'live',
		attributes: live,
		explanation: 'The session is live, so the figures still change.',
	},
	{
		what: 'just over',
		attributes: { ...ended, ended_at: now - hourSeconds + 1 },
		explanation: 'The session ended less than an hour ago, so attendance may still change.',
	},
	{
		what: 'on demand',
		attributes: { ...ended, status: 'on_demand' },
		explanation: 'People can still watch the session, so the figures still change.',
	},
	{
		what: 'in a state that nobody knows',
		attributes: { status: 'new' },
		explanation:
			'The platform does not say that the session is over, so the figures may still change.',
	},
];

test.each(settled)('a session that is $what is settled', ({ attributes, explanation }) => {
	const read = session(attributes);
	expect(isSettled(read, now)).toBe(true);
	expect(describeUnsettled(read, now)).toBe(explanation);
});

test.each(unsettled)('a session that is $what is not settled', ({ attributes, explanation }) => {
	const read = session(attributes);
	expect(isSettled(read, now)).toBe(false);
	expect(describeUnsettled(read, now)).toBe(explanation);
});

interface KnownAttendance {
	when: string;
	attributes: JsonObject;
	people: ReportedPerson[];
}

const attendanceTold: KnownAttendance[] = [
	{
		when: 'where somebody is counted in a live session',
		attributes: live,
		people: [person(), attendee(10)],
	},
	{ when: 'after the end, also where nobody came', attributes: ended, people: [person()] },
	{ when: 'on demand', attributes: { status: 'on_demand' }, people: [person()] },
];

const attendanceNotTold: KnownAttendance[] = [
	{ when: 'not before the session', attributes: upcoming, people: [person()] },
	{ when: 'not while nobody is counted in a live session', attributes: live, people: [person()] },
	{
		when: 'not of a canceled session',
		attributes: { status: 'canceled', canceled_at: now },
		people: [person()],
	},
];

test.each(attendanceTold)('attendance is told $when', ({ attributes, people }) => {
	expect(isAttendanceKnown(session(attributes), people)).toBe(true);
});

test.each(attendanceNotTold)('attendance is told $when', ({ attributes, people }) => {
	expect(isAttendanceKnown(session(attributes), people)).toBe(false);
});
