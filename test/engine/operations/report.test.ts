import '../../support/time/fasterClock';
import { heldSession } from '../../support/platform/seededIds';
import { isoTime } from '../../../nodes/EventPlatform/core/values/dates';
import { text } from '../../../nodes/EventPlatform/core/values/text';
import { sandboxOfFile } from '../../support/platform/sandbox';
import {
	fresh,
	makeEvent,
	makeRegistration,
	makeSession,
} from '../../support/platform/platformRecords';
import { operate, type OperationRun } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile({ seedPeople: 200 });

const report = (sessionId: string, parameters: object = {}) =>
	operate(sandbox, 'session.getReport', { sessionId: byId(sessionId), ...parameters });

/** The rows that the platform stores about the registrants of the held session. */
const stored = () =>
	sandbox.platform.store.all(
		"SELECT * FROM registrations WHERE session_id = ? AND role = 'participant'",
		heldSession,
	);

/** The rows of those registrants who came. */
const storedAttendees = () => stored().filter(({ attended }) => attended === 1);

test('the summary counts those who registered, came, stayed away and took part, without the team', async () => {
	const { records, hints } = await report(heldSession);
	const [all, came] = [stored(), storedAttendees()];
	const engaged = came.filter((row) =>
		['messages', 'questions', 'votes', 'up_votes'].some((of) => Number(row[`${of}_count`]) > 0),
	);
	expect(records).toMatchObject([
		{
			registrants: all.length,
			attendees: came.length,
			absent: all.length - came.length,
			engaged: engaged.length,
			replay_viewers: all.filter((row) => Number(row['has_viewed_replay']) === 1).length,
			team_members: 1,
		},
	]);
	expect(text(records[0]?.most_engaged).split(', ')).toHaveLength(5);
	expect(hints).toEqual([]);
});

describe('groups', () => {
	test('add up to everybody, the largest first, also those without a value, and need no questions', async () => {
		const run = await report(heldSession, { output: 'groups', groupBy: 'utmCampaign' });
		const sizes = run.records.map(({ registrants }) => Number(registrants));
		expect(sizes.reduce((total, size) => total + size, 0)).toBe(stored().length);
		expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
		expect(run.records.map(({ group }) => group)).toEqual(
			expect.arrayContaining(['autumn-release', null]),
		);
		expect(run.sent.filter((request) => request.includes('/questions'))).toEqual([]);
	});

	test.each(['utmSource', 'utmMedium', 'utmCampaign', 'referrer', 'country'])(
		'can be made by %s',
		async (groupBy) => {
			const { records } = await report(heldSession, { output: 'groups', groupBy });
			expect(records.length).toBeGreaterThan(2);
		},
	);

	test('can be made by the answer to a question', async () => {
		const session = await makeSession(sandbox);
		await makeRegistration(sandbox, session);
		const by = { groupBy: 'question', questionId: 'first_name' };
		const { records } = await report(session, { output: 'groups', ...by });
		expect(records).toMatchObject([{ group: 'Ada', registrants: 1 }]);
	});

	test('by a question that is not there are one, and a hint names the nearest question', async () => {
		const session = await makeSession(sandbox);
		await makeRegistration(sandbox, session);
		const by = { groupBy: 'question', questionId: 'firstname' };
		const { records, hints } = await report(session, { output: 'groups', ...by });
		expect(records).toMatchObject([{ group: null, registrants: 1 }]);
		expect(hints).toContain(
			"No registration has an answer to the question 'firstname'. Did you mean 'first_name'?",
		);
	});
});

test('the rows of people have a segment each, a share where somebody came, and no link to enter with', async () => {
	const { records } = await report(heldSession, { output: 'people' });
	expect(records).toHaveLength(stored().length);
	const segmentOf = (share: unknown) => {
		if (share === null) return expect.stringMatching(/^(?:absent|replay_only)$/) as string;
		return Number(share) < 50 ? 'left_early' : 'attended';
	};
	expect(records.map(({ segment }) => segment)).toEqual(
		records.map(({ share }) => segmentOf(share)),
	);
	expect(new Set(records.map(({ segment }) => segment)).size).toBe(4);
	expect(JSON.stringify(records)).not.toMatch(/connection_link|password_key/);
});

test('a question that is called like a column of ours gets a column of its own', async () => {
	const fields = ['email', 'share'].map((id) => ({ id, type: 'text', required: false }));
	const event = await makeEvent(sandbox, { fields });
	const session = await makeSession(sandbox, event);
	await sandbox.register(`${fresh('shares')}@example.com`, { share: 'All of it' }, session);
	const { records } = await report(session, { output: 'people' });
	expect(records).toMatchObject([{ share: null, share_answer: 'All of it' }]);
});

test.each([0, 1])(
	'a session to come with %i registrants has no attendance, and says so',
	async (count) => {
		const session = await makeSession(sandbox);
		if (count > 0) await makeRegistration(sandbox, session);
		const { records, hints } = await report(session);
		expect(records).toMatchObject([
			{ status: 'upcoming', registrants: count, attendees: null, absent: null, is_settled: false },
		]);
		expect(hints).toEqual(['The session has not begun, so nobody can have attended it.']);
	},
);

describe('the report of an event with two sessions, in which somebody is twice,', () => {
	const twice = 'twice@example.com';
	let event: string;
	const reportEvent = (output: string) =>
		operate(sandbox, 'event.getReport', { eventId: byId(event), output });

	beforeAll(async () => {
		event = await makeEvent(sandbox);
		const first = await makeSession(sandbox, event);
		const second = await makeSession(sandbox, event);
		await makeRegistration(sandbox, first, twice);
		await makeRegistration(sandbox, second, twice);
		await makeRegistration(sandbox, first);
	});

	test('counts the person once for the event, and once for each session', async () => {
		const { records, hints, sent } = await reportEvent('summary');
		expect(records.map(({ report: subject, registrants }) => [subject, registrants])).toEqual([
			['session', 2],
			['session', 1],
			['event', 2],
		]);
		expect(records.at(-1)).toMatchObject({ report: 'event', is_settled: false });
		expect(hints).toEqual(['No session has begun, so nobody can have attended one.']);
		// The list of sessions, and for each of them its people and its questions.
		expect(sent).toHaveLength(1 + 2 * 2);
	});

	test('has one row for the person, and is one page', async () => {
		const { records } = await reportEvent('people');
		expect(records.filter(({ email }) => email === twice)).toHaveLength(1);
		const page = await reportEvent('page');
		const html = expect.stringContaining('2 sessions') as string;
		expect(page.records).toMatchObject([{ session: null, html }]);
	});
});

describe('who came to several webinars', () => {
	const ada = 'ada.series@example.com';
	const series = fresh('Series');
	const heldAt = 1_700_000_000;
	const dayLater = heldAt + 86_400;
	let event: string;

	/** A session that was held, in which some of the registered people attended for ten minutes. */
	async function hold(eventId: string, startedAt: number, people: Record<string, boolean>) {
		const { store } = sandbox.platform;
		const id = await makeSession(sandbox, eventId);
		for (const [email, attended] of Object.entries(people)) {
			const person = await makeRegistration(sandbox, id, email);
			const where = 'session_id = ? AND person_id = ?';
			const values = 'attended = ?, attendance_duration = ?, attendance_rate = ?, created_at = ?';
			store.write(
				`UPDATE registrations SET ${values} WHERE ${where}`,
				Number(attended),
				attended ? 600 : 0,
				attended ? 20 : 0,
				startedAt - 60,
				id,
				person,
			);
		}
		store.update('sessions', id, { started_at: startedAt, ended_at: startedAt + 3_600 });
		return id;
	}

	const peopleOf = (options: object = {}) =>
		operate(sandbox, 'event.getReport', { eventId: byId(event), output: 'people', options });
	const attendanceOf = ({ records }: OperationRun, email: string) => {
		const found = records.filter((record) => record.email === email);
		expect(found).toHaveLength(1);
		const { sessions_registered, sessions_attended, minutes, last_attended_at } = found[0] ?? {};
		return { sessions_registered, sessions_attended, minutes, last_attended_at };
	};

	beforeAll(async () => {
		event = await makeEvent(sandbox, { title: `${series}, part one` });
		const second = await makeEvent(sandbox, { title: `Part two of ${series.toUpperCase()}` });
		const other = await makeEvent(sandbox, { title: 'Something else' });
		await hold(event, heldAt, { [ada]: true, 'grace.series@example.com': false });
		await hold(event, dayLater, { [ada]: true });
		await hold(event, dayLater + 86_400, { [ada]: false });
		await hold(second, dayLater + 172_800, { [ada]: true, 'alan.series@example.com': true });
		await hold(other, dayLater, { [ada]: true });
		const canceled = await makeSession(sandbox, event);
		await makeRegistration(sandbox, canceled, ada);
		sandbox.platform.store.update('sessions', canceled, { canceled_at: heldAt });
	});

	test('each person of an event has one row with the sessions that count, all minutes, and the latest session attended', async () => {
		const run = await peopleOf();
		expect(attendanceOf(run, ada)).toEqual({
			sessions_registered: 3,
			sessions_attended: 2,
			minutes: 20,
			last_attended_at: isoTime(dayLater * 1_000, 'America/New_York'),
		});
		expect(attendanceOf(run, 'grace.series@example.com')).toEqual({
			sessions_registered: 1,
			sessions_attended: 0,
			minutes: null,
			last_attended_at: null,
		});
		// One list of sessions, and the people of each.
		expect(run.sent).toHaveLength(1 + 4);
	});

	test('a summary reads the questions of each session as well, also of a canceled one', async () => {
		const summary = { eventId: byId(event), output: 'summary' };
		const { sent } = await operate(sandbox, 'event.getReport', summary);
		expect(sent).toHaveLength(1 + 4 * 2);
	});

	test('a part of the title adds the sessions of the other events that have it', async () => {
		const run = await peopleOf({ eventTitleContains: series });
		expect(attendanceOf(run, ada)).toMatchObject({ sessions_registered: 4, sessions_attended: 3 });
		expect(attendanceOf(run, 'alan.series@example.com')).toMatchObject({ sessions_attended: 1 });
		// The list of events, a list of sessions of each, and the people of each session.
		expect(run.sent).toHaveLength(1 + 2 + 5);
	});

	test('the page says how many events it is about', async () => {
		const options = { eventTitleContains: series };
		const { records } = await operate(sandbox, 'event.getReport', {
			eventId: byId(event),
			output: 'page',
			options,
		});
		expect(records[0]?.html).toContain('5 sessions of 2 events');
	});

	test('an empty part of the title is an error before anything is sent: every event has it', async () => {
		const { error, sent } = await peopleOf({ eventTitleContains: '={{ $json.nothing }}' });
		expect(error?.message).toContain("'Event Title Contains'");
		expect(sent).toEqual([]);
	});

	test('a person of one session has no such columns', async () => {
		const { records } = await report(heldSession, { output: 'people' });
		expect(records[0]).not.toHaveProperty('sessions_attended');
	});
});

describe('the report of an event with a canceled session and one without a date', () => {
	let event: string;
	const heldAt = 1_700_000_000;
	const reportEvent = (output: string) =>
		operate(sandbox, 'event.getReport', { eventId: byId(event), output });

	beforeAll(async () => {
		event = await makeEvent(sandbox);
		const held = await makeSession(sandbox, event);
		const canceled = await makeSession(sandbox, event);
		const undated = await makeSession(sandbox, event);
		for (const each of [held, canceled]) await makeRegistration(sandbox, each);
		await makeRegistration(sandbox, canceled);
		const { store } = sandbox.platform;
		store.update('sessions', held, { started_at: heldAt, ended_at: heldAt + 3_600 });
		store.update('sessions', canceled, {
			estimated_started_at: 1_600_000_000,
			canceled_at: heldAt,
		});
		store.update('sessions', undated, { estimated_started_at: 0 });
	});

	test('counts nobody of the canceled one, and says so', async () => {
		const { records, hints } = await reportEvent('summary');
		const counts = records.map(({ report: subject, status, registrants }) => [
			subject,
			status,
			registrants,
		]);
		expect(counts).toEqual([
			['session', 'canceled', 2],
			['session', 'past', 1],
			['session', 'past_not_started', 0],
			['event', null, 1],
		]);
		expect(records.at(-1)).toMatchObject({ registered_after: 1 });
		expect(hints).toEqual([
			'Canceled, so not in the totals: 1 of 3 sessions.',
			'Not begun, so not in the totals: 1 of 3 sessions.',
		]);
		expect((await reportEvent('people')).records).toHaveLength(1);
	});

	test('begins when the first of the others began', async () => {
		const [summary, page] = [await reportEvent('summary'), await reportEvent('page')];
		const start = { start_text: '14 Nov 2023, 23:13 Paris' };
		expect(summary.records.at(-1)).toMatchObject(start);
		expect(page.records).toMatchObject([
			{ ...start, html: expect.stringContaining('13 Sep 2020, 14:26 Paris · canceled<') as string },
		]);
	});

	test('counts nobody where every session was canceled', async () => {
		const other = await makeEvent(sandbox);
		const canceled = await makeSession(sandbox, other);
		await makeRegistration(sandbox, canceled);
		sandbox.platform.store.update('sessions', canceled, { canceled_at: heldAt });
		const { records, hints } = await operate(sandbox, 'event.getReport', {
			eventId: byId(other),
			output: 'summary',
		});
		expect(records.at(-1)).toMatchObject({ report: 'event', registrants: 0, start: null });
		expect(hints).toEqual(['Canceled, so not in the totals: 1 of 1 session.']);
	});
});

describe('the report of an event with a session that was held, one that is live and one to come', () => {
	let event: string;
	let held: string;
	const reportEvent = (output: string) =>
		operate(sandbox, 'event.getReport', { eventId: byId(event), output });

	beforeAll(async () => {
		event = await makeEvent(sandbox);
		held = await makeSession(sandbox, event);
		const live = await makeSession(sandbox, event);
		const toCome = await makeSession(sandbox, event);
		for (const each of [held, live, toCome]) await makeRegistration(sandbox, each);
		await makeRegistration(sandbox, toCome);
		const { store } = sandbox.platform;
		const startedAt = 1_700_000_000;
		store.update('sessions', held, { started_at: startedAt, ended_at: startedAt + 3_600 });
		store.update('sessions', live, { started_at: startedAt + 7_200 });
	});

	test('leaves the session to come out of the totals, and says so', async () => {
		const { records, hints } = await reportEvent('summary');
		expect(records.map(({ report: subject, registrants }) => [subject, registrants])).toEqual([
			['session', 1],
			['session', 1],
			['session', 2],
			['event', 2],
		]);
		expect(hints).toEqual([
			'Not begun, so not in the totals: 1 of 3 sessions.',
			'2 of 3 sessions may still change, so the figures are not final.',
		]);
	});

	test('says on the page what is not in it, and when each session was', async () => {
		const [page] = (await reportEvent('page')).records;
		expect(page).toMatchObject({
			start_text: '14 Nov 2023, 23:13 Paris',
			html: expect.stringContaining('Not begun, so not in the totals: 1 of 3 sessions.') as string,
		});
		expect(page?.html).toContain('>1 Mar 2027, 10:00 Paris<');
	});

	test('tells the start in the zone of the session', async () => {
		const { records } = await report(held);
		expect(records).toMatchObject([
			{ start: '2023-11-14T17:13:20-05:00', start_text: '14 Nov 2023, 23:13 Paris' },
		]);
	});
});

describe('a session that nobody has begun', () => {
	const nowSeconds = Math.floor(Date.now() / 1_000);
	const canChange = '1 of 2 sessions may still change, so the figures are not final.';

	/** An event with a session that was held, and one that is planned for this time, both with registrants. */
	async function eventWithUnbegun(plannedAt: number) {
		const event = await makeEvent(sandbox);
		const [past, unbegun] = [await makeSession(sandbox, event), await makeSession(sandbox, event)];
		for (const each of [past, unbegun, unbegun]) await makeRegistration(sandbox, each);
		const { store } = sandbox.platform;
		const startedAt = plannedAt - 90_000;
		store.update('sessions', past, { started_at: startedAt, ended_at: startedAt + 3_600 });
		store.update('sessions', unbegun, { estimated_started_at: plannedAt });
		return { event, unbegun };
	}

	test.each([
		['upcoming', 'is to come', 3_600, false, [canChange]],
		['upcoming', 'is a minute late', -60, false, [canChange]],
		['past_not_started', 'is three hours late', -3 * 3_600, false, [canChange]],
		['past_not_started', 'should have begun a day ago', -86_460, true, []],
	])(
		'and that is %s and %s is in no total, and its event is final when no session can change any more',
		async (status, _, inSeconds, isSettled, furtherHints) => {
			const { event } = await eventWithUnbegun(nowSeconds + inSeconds);
			const { records, hints } = await operate(sandbox, 'event.getReport', {
				eventId: byId(event),
				output: 'summary',
			});
			expect(records).toMatchObject([
				{ status: 'past', registrants: 1, is_settled: true },
				{ status, registrants: 2, attendees: null, is_settled: isSettled },
				{ report: 'event', registrants: 1, attendees: 0, is_settled: isSettled },
			]);
			expect(hints).toEqual(['Not begun, so not in the totals: 1 of 2 sessions.', ...furtherHints]);
		},
	);

	test('has final figures a day after its planned start, and a hint why it has no attendance', async () => {
		const { unbegun } = await eventWithUnbegun(nowSeconds - 300 * 86_400);
		const { records, hints } = await report(unbegun);
		expect(records).toMatchObject([{ status: 'past_not_started', is_settled: true }]);
		expect(hints).toEqual(['The session has not begun, so nobody can have attended it.']);
	});

	test('is missing where an event has no session, so its figures may still change', async () => {
		const { records, hints } = await operate(sandbox, 'event.getReport', {
			eventId: byId(await makeEvent(sandbox)),
			output: 'summary',
		});
		expect(records).toMatchObject([{ report: 'event', registrants: 0, is_settled: false }]);
		expect(hints).toEqual(['No session has begun, so nobody can have attended one.']);
	});
});
