import { describeState, isSettled } from '../../../nodes/EventPlatform/core/report/settled';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { now, reportOfSession } from './readReport';
import { personRecord } from './reportedPeople';
import { hourSeconds } from '../../support/time/units';

const untimed = { started_at: 0, ended_at: 0 };
const upcoming = {
	...untimed,
	status: 'upcoming',
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
		{ ...untimed, status: '', name: ' ', timezone: '' },
		{ status: undefined, startsAt: undefined, name: undefined, timezone: undefined },
	],
])('a report of a session tells %s', async (_, attributes, expected) => {
	expect((await reportOfSession([], attributes)).session).toMatchObject(expected);
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
	['over, nobody knows since when', { ...untimed, status: 'past' }, true, true, undefined],
	[
		'canceled',
		{ ...untimed, status: 'canceled', canceled_at: now },
		true,
		false,
		'The session was canceled.',
	],
	['to come', upcoming, false, false, 'The session has not begun, so nobody can have attended it.'],
	[
		'a day late, and not begun',
		{ ...untimed, status: 'past_not_started', estimated_started_at: now - 24 * hourSeconds },
		true,
		false,
		'The session has not begun, so nobody can have attended it.',
	],
	[
		'late by less, and not begun',
		{ ...untimed, status: 'past_not_started', estimated_started_at: now - 24 * hourSeconds + 1 },
		false,
		false,
		'The platform does not say that the session is over, so the figures may still change.',
	],
	[
		'planned for a day ago, and has begun',
		{ ...live, status: 'upcoming', estimated_started_at: now - 24 * hourSeconds },
		false,
		false,
		'The platform does not say that the session is over, so the figures may still change.',
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
		{ ...untimed, status: 'on_demand' },
		false,
		true,
		'People can still watch the session, so the figures still change.',
	],
	[
		'in a state that nobody knows',
		{ ...untimed, status: 'new' },
		false,
		false,
		'The platform does not say that the session is over, so the figures may still change.',
	],
])(
	'of a session that is %s it is known what may change',
	async (_, attributes, settled, told, explanation) => {
		const read = await reportOfSession([personRecord()], attributes);
		const facts = [isSettled(read), describeState(read)];
		expect(facts).toEqual([settled, explanation]);
		expect(read.people).toMatchObject([{ attended: told ? false : undefined }]);
	},
);

const came = { attended: true };

test('attendance of a live session is told where somebody is counted', async () => {
	const { people } = await reportOfSession([personRecord(), personRecord(came)], live);
	expect(people).toMatchObject([{ attended: false }, came]);
});

test.each([upcoming, live])(
	'the host in the room does not tell who attended',
	async (attributes) => {
		const host = personRecord(came, { role: 'team_member' });
		const { people } = await reportOfSession([personRecord(), host], attributes);
		expect(people[0]).toMatchObject({ attended: undefined });
	},
);
