import type { Workflow } from '../../host/editor';
import { execute, executionEnd, executionsOf } from '../../host/execution';
import { until } from '../../host/until';
import { seededId } from '../../sandbox/seed/ids';
import { byId } from '../support/n8n/locators';
import { ExampleScene, past, upcoming, type Change } from './exampleScene';
import { openMailCatcher } from './mailCatcher';

let scene: ExampleScene;
let mailbox: Awaited<ReturnType<typeof openMailCatcher>>;

beforeAll(async () => {
	scene = await ExampleScene.open();
	mailbox = await openMailCatcher();
	const { host, port } = mailbox;
	await scene.account('smtp', { user: '', password: '', host, port, secure: false });
});

beforeEach(() => mailbox.mails.splice(0));

/** As somebody has switched it who wants the registrants to get the mails. */
const switchedOn: Change = ({ parameters }) => {
	const [off, on] = [
		'"name":"to_registrants","value":false',
		'"name":"to_registrants","value":true',
	];
	const text = JSON.stringify(parameters).replace(off, on);
	return { parameters: JSON.parse(text) as Record<string, unknown> };
};

afterAll(() => scene.close());

test('who registers gets a calendar file and the personal link; while it is tried, the mail goes to the tester', async () => {
	const link = 'https://events.example.org/p/demo/live';
	const registration = { session_id: upcoming.id, email: 'ada@example.org', join_link: link };
	const workflow = await scene.imported('invitation-with-calendar', undefined, upcoming, {
		'When somebody registers': [
			{
				...registration,
				event_title: 'Product Tour',
				session_start_text: '5 Dec 2026, 11:00 Paris',
			},
		],
	});
	const invitation = await scene.run(workflow, 'When somebody registers');
	expect(invitation.output('Calendar file')).toMatchObject([
		{
			session_id: upcoming.id,
			has_join_link: true,
			file_name: expect.stringMatching(/\.ics$/) as string,
		},
	]);
	expect(mailbox.mails).toHaveLength(1);
	expect(mailbox.mails[0]?.to).toEqual(['you@example.com']);
	expect(mailbox.mails[0]?.text).toContain(link);
	expect(mailbox.mails[0]?.text).toContain('Content-Type: text/calendar');
	expect(mailbox.mails[0]?.text).toContain('5 Dec 2026, 11:00 Paris');
	expect(mailbox.mails[0]?.text).toContain('calendar.google.com');
});

test('published while the switch is off, the invitation goes to the tester', async () => {
	const workflow = await scene.imported('invitation-with-calendar', () => ({}));
	await scene.listening(workflow, () => scene.isSubscribed('people.registered'));
	await scene.sandbox.register('nobody.yet@example.org');
	await until('the mail', () => Promise.resolve(mailbox.mails.length > 0));
	expect(mailbox.mails.map(({ to }) => to)).toEqual([['you@example.com']]);
	await scene.stopListening(workflow);
});

test('published with the switch on, it goes to the person who has registered', async () => {
	const workflow = await scene.imported('invitation-with-calendar', switchedOn);
	await scene.listening(workflow, () => scene.isSubscribed('people.registered'));
	await scene.sandbox.register('invited@example.org', { first_name: 'Ida' });
	await until('the mail', () => Promise.resolve(mailbox.mails.length > 0));
	expect(mailbox.mails[0]?.to).toEqual(['invited@example.org']);
	for (const mail of mailbox.mails) await scene.pictureOfMail('mail-invitation', mail);
	await scene.stopListening(workflow);
});

test('a reminder has the personal link and a text for its lead; while it is tried, two mails go to the tester', async () => {
	const workflow = await scene.imported('reminders');
	const execution = await scene.run(workflow, 'When a session starts soon');
	const [session = {}] = execution.output('When a session starts soon');
	expect(session).toMatchObject({ event: 'session.starting' });
	const texts = execution.output('Write the text');
	expect(texts).toHaveLength(2);
	for (const { title, text, start, link } of texts) {
		expect(title).toBe(session['event_title']);
		expect(text).not.toBe('');
		expect(start).toMatch(/^\w+day, \d+ \w+, \d\d:\d\d \(\S+\)$/);
		expect(link).toMatch(/^<a href="https:[^"]+">Enter with your personal link<\/a>$/);
	}
	expect(mailbox.mails.map(({ to }) => to)).toEqual([['you@example.com'], ['you@example.com']]);
	expect(mailbox.mails[0]?.text).toContain(String(texts[0]?.['link']));
	for (const mail of mailbox.mails) await scene.pictureOfMail('mail-reminder', mail);
});

test.each([
	[10_080, 'in 7 days', 'Please put it into your calendar.'],
	[1_440, 'in 24 hours', 'Reply to this mail.'],
	[60, 'in an hour', 'We begin on time.'],
	[119, 'in 119 minutes', ''],
	[1, 'in a minute', ''],
])('a reminder of %i minutes before', async (minutes, words, text) => {
	const session = {
		id: upcoming.id,
		event_title: 'Product Tour',
		timezone: 'Europe/Paris',
		starts_at: '2030-05-06T08:00:00Z',
		starts_in_minutes: minutes,
		lead_minutes: minutes,
	};
	const pinned = { 'When a session starts soon': [session] };
	const workflow = await scene.imported('reminders', undefined, upcoming, pinned);
	const [written] = (await scene.run(workflow, 'When a session starts soon')).output(
		'Write the text',
	);
	expect(written).toMatchObject({
		subject: `Product Tour begins ${words}`,
		start: 'Monday, 6 May, 10:00 (Europe/Paris)',
		text: expect.stringContaining(text) as string,
	});
});

test('a session that has moved: everybody gets the new calendar file; while it is tried, the tester', async () => {
	const pinned = {
		'When a session has changed': [
			{
				id: upcoming.id,
				event_title: 'Product Tour',
				timezone: 'Europe/Paris',
				changes: 'moved',
			},
		],
	};
	const workflow = await scene.imported('calendar-after-a-change', undefined, upcoming, pinned);
	const execution = await scene.run(workflow, 'When a session has changed');
	expect(execution.output('Calendar file')).toMatchObject([
		{ session_id: upcoming.id, has_join_link: true, is_canceled: false },
		{ session_id: upcoming.id, has_join_link: true, is_canceled: false },
	]);
	const [mail] = mailbox.mails;
	expect(mail?.to).toEqual(['you@example.com']);
	expect(mail?.text).toContain('Subject: Changed: Product Tour');
	expect(mail?.text).toMatch(/begins on \w+day, .*\(Europe\/Paris\)/);
	expect(mail?.text).toContain('.ics');
});

/** Not as it is while somebody tries it, but for an hour of waiting. */
const asPublished: Change = (node) => {
	const text = JSON.stringify({ ...node, ...switchedOn(node) }.parameters)
		.replace("={{ $execution.mode === 'production' }}", 'true')
		.replace("$execution.mode === 'production' && ", '');
	return { parameters: JSON.parse(text) as Record<string, unknown> };
};

test('a try-out that failed, and is retried after a mend, mails the tester alone', async () => {
	const { editor } = scene.tested;
	const broken: Change = ({ name, parameters }) =>
		name === 'Who is registered'
			? { parameters: { ...parameters, sessionId: byId(seededId('session', 999)) } }
			: {};
	const { id = '' } = await scene.imported('reminders', broken);
	const { id: failed, error } = await execute(editor, id, 'When a session starts soon');
	expect(error).toBeDefined();

	const { nodes } = await scene.imported('reminders');
	const { versionId } = await editor.get<Workflow>(`/rest/workflows/${id}`);
	await editor.patch(`/rest/workflows/${id}`, { nodes, versionId });
	await editor.post(`/rest/executions/${failed}/retry`, { loadWorkflow: true });
	await until('two mails', () => Promise.resolve(mailbox.mails.length > 1));
	const [retried = ''] = (await executionsOf(editor, id)).slice(-1);
	expect((await executionEnd(editor, retried)).error).toBeUndefined();
	expect(mailbox.mails.map(({ to }) => to)).toEqual([['you@example.com'], ['you@example.com']]);
});

const session = {
	id: upcoming.id,
	session_id: upcoming.id,
	event_title: 'Product Tour',
	registration_link: 'https://events.example.org/p/demo',
	starts_at: '2030-05-06T08:00:00Z',
	starts_in_minutes: 60,
	lead_minutes: 60,
};
const recipients = [
	{ email: 'bea@example.org', first_name: '<i>Bea & Co', join_link: null },
	{ email: 'refused@example.org', join_link: 'https://events.example.org/p/demo/live' },
	{ email: 'cem@example.org', first_name: 'Cem', join_link: null },
].map((person) => ({ ...session, ...person, segment: 'attended' }));

test.each([
	['invitation-with-calendar', 'When somebody registers', 'When somebody registers'],
	['reminders', 'When a session starts soon', 'Who is registered'],
	['calendar-after-a-change', 'When a session has changed', 'Who is registered'],
	['after-the-webinar', 'When a session has ended', 'People of the session'],
])(
	'%s: who is refused keeps nobody else from the mail, in which no name is HTML and no link is null',
	async (file, start, who) => {
		const pinned = { [start]: [session], [who]: recipients };
		const workflow = await scene.imported(file, asPublished, upcoming, pinned);
		const { error } = await execute(scene.tested.editor, workflow.id ?? '', start);
		expect(error).toMatch(
			/^These people got no mail: refused@example\.org\. The first reason: .*550/,
		);
		expect(mailbox.mails.map(({ to }) => to)).toEqual([['bea@example.org'], ['cem@example.org']]);
		const [mail] = mailbox.mails;
		expect(mail?.text).toContain('Hello &#60;i>Bea &#38; Co,');
		expect(mail?.text).not.toMatch(/null|undefined/);
	},
);

test('a reminder leads who has no personal link to the page of the event', async () => {
	const pinned = {
		'When a session starts soon': [session],
		'Who is registered': recipients.slice(0, 1),
	};
	const workflow = await scene.imported('reminders', undefined, upcoming, pinned);
	await scene.run(workflow, 'When a session starts soon');
	expect(mailbox.mails[0]?.text).toContain(
		'<a href="https://events.example.org/p/demo">The page of the webinar</a>',
	);
});

test('people who came are thanked, and people who did not get the recording once it is ready', async () => {
	const mails = { 'Thank them': [{ accepted: true }], 'Send the recording': [{ accepted: true }] };
	const workflow = await scene.imported('after-the-webinar', undefined, past, {
		...mails,
		'When a recording is ready': [{ session_id: past.id, recording_id: seededId('recording', 1) }],
	});
	const thanks = await scene.run(workflow);
	const people = thanks.output('People of the session');
	const came = people.filter(({ segment }) => ['attended', 'left_early'].includes(String(segment)));
	expect(came.length).toBeGreaterThan(0);
	expect(thanks.output('Who came', 0)).toMatchObject(came.map(({ email }) => ({ email })));
	expect(thanks.output('Two while you try it')).toHaveLength(2);

	// A session whose people could not be read is mailed the next time.
	const match = { path: `/v1/sessions/${past.id}/people` };
	await scene.sandbox.faults([{ match, do: 'empty-403' }]);
	const { id = '' } = workflow;
	const failed = await execute(scene.tested.editor, id, 'When a recording is ready');
	expect(failed.error).toBeDefined();
	const recording = await scene.run(workflow, 'When a recording is ready');
	// Livestorm changes the attendance for an hour after the end.
	expect(recording.output('Until attendance is final, too')).toHaveLength(1);
	// One of several recordings, and a link for a week.
	const [video, ...rest] = recording.output('One for each session');
	expect(rest).toEqual([]);
	const sixDaysMs = 6 * 86_400_000;
	expect(Date.parse(String(video?.['url_expires_at'])) - Date.now()).toBeGreaterThan(sixDaysMs);
	const absent = people.filter(({ segment }) => segment === 'absent');
	expect(absent.length).toBeGreaterThan(0);
	expect(recording.output('Who has not seen it', 0)).toMatchObject(
		absent.map(({ email }) => ({ email })),
	);
	expect(recording.output('Send the recording')).not.toEqual([]);

	// Another recording of the session is no reason for another mail.
	const again = await scene.run(workflow, 'When a recording is ready');
	expect(again.output('Not mailed before', 0)).toEqual([]);
});
