import '../../support/time/fasterClock';
import { seededId } from '../../../sandbox/seed/ids';
import { text } from '../../../nodes/EventPlatform/core/values/text';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import {
	fresh,
	makeEvent,
	makeRegistration,
	makeSession,
} from '../../support/platform/platformRecords';
import { byId, operate } from '../../support/n8n/operation';

let sandbox: TestSandbox;
/** Some of the seeded people are in it, beside those that it has anyway. */
const held = seededId('session', 5);

beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 200 });
});

const report = (sessionId: string, parameters: object = {}) =>
	operate(sandbox, 'session.getReport', { sessionId: byId(sessionId), ...parameters });

/** The rows that the platform stores about the registrants of the held session. */
const stored = () =>
	sandbox.platform.store.all(
		"SELECT * FROM registrations WHERE session_id = ? AND role = 'participant'",
		held,
	);

test('the figures are those that the platform stores', async () => {
	const { records, hints } = await report(held);
	const rows = stored();
	const came = rows.filter(({ attended }) => attended === 1);
	const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
	const minutes = came.map(({ attendance_duration: seconds }) => Number(seconds) / 60);
	const average = minutes.reduce((total, each) => total + each, 0) / minutes.length;
	expect(records).toMatchObject([
		{
			registrants: rows.length,
			attendees: came.length,
			absent: rows.length - came.length,
			average_minutes: Math.round(average * 10) / 10,
			replay_viewers: sum('has_viewed_replay'),
			messages: sum('messages_count'),
			team_members: 1,
		},
	]);
	const [summary = {}] = records;
	const stayed = ['stayed_0_25', 'stayed_25_50', 'stayed_50_75', 'stayed_75_100'];
	expect(stayed.reduce((total, name) => total + Number(summary[name]), 0)).toBe(came.length);
	expect(text(summary.most_engaged).split(', ')).toHaveLength(5);
	expect(hints).toEqual([]);
});

test('groups add up to everybody, and cost no request for the questions', async () => {
	const parameters = { output: 'groups', groupBy: 'utmCampaign' };
	const { records, sent } = await report(held, parameters);
	const rows = stored();
	expect(records.reduce((total, group) => total + Number(group.registrants), 0)).toBe(rows.length);
	expect(records.map(({ group }) => group)).toContain('autumn-release');
	expect(records.at(-1)).toMatchObject({ group: null });
	expect(sent.filter((request) => request.includes('/questions'))).toEqual([]);
});

test.each(['utmSource', 'utmMedium', 'utmCampaign', 'referrer', 'country'])(
	'people can be grouped by %s',
	async (groupBy) => {
		const { records } = await report(held, { output: 'groups', groupBy });
		expect(records.length).toBeGreaterThan(2);
	},
);

test('people can be grouped by their answer to a question, and a question that is not there is named', async () => {
	const event = await makeEvent(sandbox);
	const session = await makeSession(sandbox, event);
	await makeRegistration(sandbox, session);
	const by = (questionId: string) =>
		report(session, { output: 'groups', groupBy: 'question', questionId });
	expect((await by('first_name')).records).toMatchObject([{ group: 'Ada', registrants: 1 }]);
	const { records, hints } = await by('firstname');
	expect(records).toMatchObject([{ group: null, registrants: 1 }]);
	expect(hints).toContain(
		"No registration has an answer to the question 'firstname'. Did you mean 'first_name'?",
	);
});

test('each person has a row with segment, minutes, share, engagement and answers', async () => {
	const { records } = await report(held, { output: 'people' });
	expect(records).toHaveLength(stored().length);
	const segments = new Set(records.map(({ segment }) => segment));
	expect(segments).toEqual(new Set(['attended', 'left_early', 'absent', 'replay_only']));
	for (const { segment, share, minutes } of records) {
		const hasCome = segment === 'attended' || segment === 'left_early';
		expect([share !== null, minutes !== null]).toEqual([hasCome, hasCome]);
		if (hasCome) expect(Number(share) >= 50).toBe(segment === 'attended');
	}
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

test('a session to come has registrants and no attendance, and says so', async () => {
	const session = await makeSession(sandbox);
	await makeRegistration(sandbox, session);
	const { records, hints } = await report(session);
	expect(records).toMatchObject([
		{ status: 'upcoming', registrants: 1, attendees: null, absent: null, is_settled: false },
	]);
	expect(hints).toEqual(['The session has not begun yet, so nobody can have attended it.']);
});

test('a person in two sessions counts once for the event', async () => {
	const event = await makeEvent(sandbox);
	const sessions = [await makeSession(sandbox, event), await makeSession(sandbox, event)];
	const twice = `${fresh('twice')}@example.com`;
	for (const session of sessions) await makeRegistration(sandbox, session, twice);
	await makeRegistration(sandbox, sessions[0] ?? '');
	const ofEvent = (output: string) =>
		operate(sandbox, 'event.getReport', { eventId: byId(event), output });
	const { records, sent } = await ofEvent('summary');
	expect(records.map(({ report: of, registrants }) => [of, registrants])).toEqual([
		['session', 2],
		['session', 1],
		['event', 2],
	]);
	// The list of sessions, and for each of them its people and its questions.
	expect(sent).toHaveLength(1 + 2 * 2);
	const { records: people } = await ofEvent('people');
	expect(people.filter(({ email }) => email === twice)).toHaveLength(1);
	const { records: pages } = await ofEvent('page');
	expect(pages).toMatchObject([
		{ session: null, html: expect.stringContaining('2 sessions') as string },
	]);
});

test.each([
	['output', { output: '={{ "table" }}' }, 'There is no choice "table"'],
	['group', { output: 'groups', groupBy: '={{ "city" }}' }, 'There is no choice "city"'],
	[
		'question',
		{ output: 'groups', groupBy: 'question', questionId: ' ' },
		"'Question ID' is empty",
	],
])(
	'an expression that gives no %s is refused before anything is sent',
	async (_, parameters, message) => {
		const { error, sent } = await report(held, parameters);
		expect(error?.message).toContain(message.replaceAll('"', ''));
		expect(sent).toEqual([]);
	},
);

test('5,000 registrants take 102 requests, and the figures are right', async () => {
	const large = await sandboxForTests();
	fill(large, 5_000);
	const { records, requests } = await operate(large, 'session.getReport', {
		sessionId: byId(held),
	});
	expect(requests).toHaveLength(102);
	// Each of the rates from 0 to 99 stands for fifty people, and 0 for those who did not come.
	expect(records).toMatchObject([
		{
			registrants: 5_000,
			attendees: 4_950,
			attendance_rate: 99,
			average_minutes: 30,
			median_minutes: 30,
			stayed_0_25: 1_200,
			stayed_25_50: 1_250,
			stayed_50_75: 1_250,
			stayed_75_100: 1_250,
			absent: 50,
			messages: 5_000,
			team_members: 0,
		},
	]);
});

/** Puts so many people into the held session, and nobody else. */
function fill({ platform: { store } }: TestSandbox, count: number): void {
	const of = 'FROM registrations WHERE session_id = ?';
	const registration = { ...store.get(`SELECT * ${of}`, held) };
	const person = {
		...store.get('SELECT * FROM people WHERE id = ?', registration['person_id'] ?? ''),
	};
	// Each row gets a number of its own.
	for (const row of [registration, person]) delete row['seq'];
	store.transaction(() => {
		store.write('registrations', `DELETE ${of}`, held);
		for (let number = 0; number < count; number++) {
			const id = seededId('person', number);
			const email = `crowd${number}@example.com`;
			const role = 'participant';
			const rate = number % 100;
			store.insert('people', { ...person, id, email, email_key: email, role });
			store.insert('registrations', {
				...registration,
				person_id: id,
				role,
				attended: Number(rate > 0),
				attendance_rate: rate,
				attendance_duration: rate * 36,
				messages_count: 1,
			});
		}
	});
}
