import { isAttendanceKnown } from '../../../nodes/EventPlatform/core/report/attendance';
import { registrantsOf } from '../../../nodes/EventPlatform/core/report/figures';
import {
	isSettled,
	readReportedSession,
	describeUnsettled,
} from '../../../nodes/EventPlatform/core/report/reportedSession';
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

/** Attendance is told, although nobody is counted in the session. The explanation says why its figures may still change, or mean little. */
type State = [
	what: string,
	attributes: JsonObject,
	isSettled: boolean,
	isAttendanceTold: boolean,
	explanation: string | undefined,
];

test.each<State>([
	['over for an hour', ended, true, true, undefined],
	['over, nobody knows since when', { status: 'past' }, true, true, undefined],
	['canceled', { status: 'canceled', canceled_at: now }, true, false, 'The session was canceled.'],
	[
		'to come',
		upcoming,
		false,
		false,
		'The session has not begun yet, so nobody can have attended it.',
	],
	['live', live, false, false, 'The session is live, so the figures still change.'],
	[
		'just over',
		{ ...ended, ended_at: now - hourSeconds + 1 },
		false,
		true,
		'The session ended less than an hour ago, so attendance may still change.',
	],
	[
		'on demand',
		{ status: 'on_demand' },
		false,
		true,
		'People can still watch the session, so the figures still change.',
	],
	[
		'in a state that nobody knows',
		{ status: 'new' },
		false,
		false,
		'The platform does not say that the session is over, so the figures may still change.',
	],
])(
	'of a session that is %s it is known what may change',
	(_, attributes, settled, told, explanation) => {
		const read = session(attributes);
		expect([isSettled(read, now), describeUnsettled(read, now)]).toEqual([settled, explanation]);
		expect(isAttendanceKnown(read, [person()])).toBe(told);
	},
);

test('attendance of a live session is told where somebody is counted', () => {
	expect(isAttendanceKnown(session(live), [person(), attendee(10)])).toBe(true);
});

test.each([upcoming, live])('the host in the room does not tell who attended', (attributes) => {
	const host = attendee(10, { role: 'team_member' });
	expect(isAttendanceKnown(session(attributes), registrantsOf([person(), host]))).toBe(false);
});
