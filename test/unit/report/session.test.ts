import {
	isAttendanceKnown,
	isSettled,
	readReportedSession,
	describeUnsettled,
} from '../../../nodes/EventPlatform/core/report/session';
import type { ReportedPerson } from '../../../nodes/EventPlatform/core/report/person';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { attendee, person } from '../../support/platform/reportedPeople';

const now = 1_795_000_000;
const hour = 3_600;
const session = (attributes: JsonObject, event?: JsonObject) =>
	readReportedSession(
		{ session: { id: 's', attributes }, event: event && { id: 'e', attributes: event } },
		now * 1_000,
	);
const upcoming = {
	status: 'upcoming',
	started_at: 0,
	ended_at: 0,
	estimated_started_at: now + hour,
};
const live = { status: 'live', started_at: now - 600, ended_at: 0 };
const ended = { status: 'past', started_at: now - 2 * hour, ended_at: now - hour };

test.each<[string, JsonObject, object]>([
	['the planned start until it begins', upcoming, { startsAt: now + hour, minutes: undefined }],
	[
		'the start that it had',
		{ ...ended, estimated_started_at: now },
		{ startsAt: now - 2 * hour, minutes: 60 },
	],
	['the length that the platform gives', { ...ended, duration: 1_800 }, { minutes: 30 }],
	[
		'no date and no name that are not there',
		{ name: ' ', timezone: '' },
		{ startsAt: undefined, name: undefined, timezone: undefined },
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

test.each<[string, JsonObject, boolean, string | undefined]>([
	['to come', upcoming, false, 'The session has not begun yet, so nobody can have attended it.'],
	['live', live, false, 'The session is live, so the figures still change.'],
	[
		'just over',
		{ ...ended, ended_at: now - hour + 1 },
		false,
		'The session ended less than an hour ago, so attendance may still change.',
	],
	['over for an hour', ended, true, undefined],
	['over, nobody knows since when', { status: 'past' }, true, undefined],
	[
		'on demand',
		{ ...ended, status: 'on_demand' },
		false,
		'People can still watch the session, so the figures still change.',
	],
	['canceled', { status: 'canceled', canceled_at: now }, true, 'The session was canceled.'],
	[
		'in a state that nobody knows',
		{ status: 'new' },
		false,
		'The platform does not say that the session is over, so the figures may still change.',
	],
])('a session that is %s', (_, attributes, settled, why) => {
	const read = session(attributes);
	expect(isSettled(read, now)).toBe(settled);
	expect(describeUnsettled(read, now)).toBe(why);
});

test.each<[string, JsonObject, ReportedPerson[], boolean]>([
	['not before the session', upcoming, [person()], false],
	['not while nobody is counted in a live session', live, [person()], false],
	['where somebody is counted in a live session', live, [person(), attendee(10)], true],
	['after the end, also where nobody came', ended, [person()], true],
	['on demand', { status: 'on_demand' }, [person()], true],
	['not of a canceled session', { status: 'canceled', canceled_at: now }, [person()], false],
])('attendance is told %s', (_, attributes, people, isTold) => {
	expect(isAttendanceKnown(session(attributes), people)).toBe(isTold);
});
