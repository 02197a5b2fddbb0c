import { readExample } from '../../host/provision';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../host/execution';
import { until } from '../../host/until';
import { seededId } from '../../sandbox/seed/ids';
import { registered } from '../support/platform/registrants';
import { openMailCatcher } from './mailCatcher';
import { openReceiver } from '../support/platform/webhookReceiver';
import { node, publish, saved, workflowOf } from '../support/n8n/workflows';
import { counts, ExampleScene, past, upcoming, type Change } from './exampleScene';

let scene: ExampleScene;

beforeAll(async () => {
	scene = await ExampleScene.open();
});

afterAll(() => scene.close());

test('as it is imported, an example changes nothing on the platform', async () => {
	const files = readdirSync(join(__dirname, '../../examples')).filter((file) =>
		file.endsWith('.json'),
	);
	expect(files.length).toBeGreaterThan(25);
	const { length: earlier } = await scene.sandbox.requests();
	for (const file of files) {
		const { nodes } = await readExample(file);
		const start = nodes.find(({ type }) => type.endsWith('.manualTrigger'));
		if (start === undefined) continue;
		const { id = '' } = await scene.importedAsItIs(file.replace('.json', ''));
		// A service that is not connected, or a session that nobody has chosen, ends it.
		await execute(scene.tested.editor, id, start.name);
	}
	const requests = (await scene.sandbox.requests()).slice(earlier);
	const changes = requests.filter(({ method }) => method !== 'GET');
	expect(changes).toEqual([]);
	expect(requests.some(({ path }) => path === '/v1/sessions')).toBe(true);
});

describe('what visitors see', () => {
	const withRequests = async (visit: () => Promise<Response>) => {
		const before = (await scene.sandbox.requests()).length;
		const text = await (await visit()).text();
		return { text, requests: (await scene.sandbox.requests()).length - before };
	};

	test('a website gets the upcoming sessions as JSON and as HTML, and its visitors cost no requests', async () => {
		const workflow = await scene.imported('sessions-for-a-website');
		const address = `${scene.tested.n8n.url}/webhook/upcoming-sessions`;
		await scene.listening(workflow, async () => (await fetch(address)).ok);
		// The list is made for the first time within an hour.
		expect(await (await fetch(address)).json()).toEqual([]);

		await scene.run(workflow);
		const json = await withRequests(() => fetch(address));
		expect(json.requests).toBe(0);
		const sessions = JSON.parse(json.text) as Array<Record<string, string>>;
		expect(sessions.map(({ session }) => session)).toEqual(['Europe', 'Americas', 'Weekly class']);
		expect(sessions[0]).toMatchObject({
			title: 'Product Tour: Autumn Release',
			timezone: 'Europe/Paris',
			link: expect.stringMatching(/^https:/) as string,
		});
		const html = await withRequests(() => fetch(`${address}?format=html`));
		expect(html.requests).toBe(0);
		expect(html.text).toMatch(
			/<time datetime="[^"]+">[^<]+\(Europe\/Paris\)<\/time> <a href="https:[^"]+">Product Tour: Autumn Release – Europe<\/a>/,
		);
		const answer = await fetch(`${address}?format=html`, {
			headers: { origin: 'https://a.example' },
		});
		expect(answer.headers.get('content-type')).toContain('text/html');
		expect(answer.headers.get('access-control-allow-origin')).toBeTruthy();
	});

	test('a calendar has all sessions, is made anew only after a change, and its subscribers cost no requests', async () => {
		const workflow = await scene.imported('calendar-to-subscribe-to');
		const address = `${scene.tested.n8n.url}/webhook/webinars.ics`;
		await scene.listening(workflow, async () => (await fetch(address)).ok);
		expect(await (await fetch(address)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/);

		expect((await scene.run(workflow)).output('One calendar')).toMatchObject([
			{ session_count: 3 },
		]);
		const { text, requests } = await withRequests(() => fetch(address));
		expect(requests).toBe(0);
		expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(3);
		expect(text).toContain('Product Tour: Autumn Release – Europe');
		expect((await fetch(address)).headers.get('content-type')).toContain('text/calendar');

		expect((await scene.run(workflow)).output('One calendar')).toEqual([]);
		await scene.sandbox.api.patch(`/sessions/${seededId('session', 2)}`, {
			data: { type: 'sessions', attributes: { name: 'New York' } },
		});
		expect((await scene.run(workflow)).output('One calendar')).toHaveLength(1);
		expect(await (await fetch(address)).text()).toContain('New York');
	});
});

describe('a list by upload', () => {
	const credential = { user: 'team', password: 'only for the team' };
	const headers = {
		authorization: `Basic ${Buffer.from(`${credential.user}:${credential.password}`).toString('base64')}`,
	};
	let form: string;

	beforeAll(async () => {
		await scene.account('httpBasicAuth', credential);
		const workflow = await scene.imported('list-by-upload');
		form = `${scene.tested.n8n.url}/form/register-a-list`;
		await scene.listening(workflow, async () => (await fetch(form, { headers })).ok);
	});

	/** Uploads a list as the page of the form does, and gives the page that answers. */
	async function uploaded(list: Buffer | string): Promise<string> {
		const filledIn = new FormData();
		filledIn.set('field-0', new Blob([list], { type: 'text/csv' }), 'list.csv');
		const answer = await fetch(form, { method: 'POST', body: filledIn, headers });
		expect(answer.status).toBe(200);
		const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
		const status = formWaitingUrl.replace('?', '/n8n-execution-status?');
		const isReady = async () => (await (await fetch(status)).text()) === 'form-waiting';
		await until('the answer', isReady);
		return await (await fetch(formWaitingUrl)).text();
	}

	test('is not open to everybody', async () => {
		expect((await fetch(form)).status).toBe(401);
	});

	test('the answer has counts, reasons, and the file of those to correct with their own columns', async () => {
		const page = await uploaded(
			'email,first_name,Seat\nada.upload@example.org,Ada,A1\nnobody,No,B2\nADA.upload@example.org,Ada,A1\n',
		);
		expect(page).toContain('1 of 3 are not registered');
		expect(page).toContain('1 registered');
		expect(page).toContain('nobody');
		expect(page).toContain('is not an email address');
		const file = fileIn(page);
		expect(file.split('\n')[0]).toMatch(/email,first_name,Seat,status,reason/);
		expect(file).toMatch(/nobody,No,B2,invalid,.*not an email address/);
		expect(file).not.toContain('ada.upload');
		expect(await registered(scene.sandbox)).toContain('ada.upload@example.org');
	});

	test('semicolons, headers of another language and letters of an older Excel are understood', async () => {
		const list = 'Vorname;Nachname;E-Mail\r\nJürgen;Müller;juergen.upload@example.org\r\n';
		const page = await uploaded(Buffer.from(list, 'latin1'));
		expect(page).toContain('1 registered');
		const { data } = await scene.sandbox.api.get<{ data: object[] }>(
			`/sessions/${upcoming.id}/people?filter[email]=juergen.upload@example.org`,
		);
		expect(JSON.stringify(data.data)).toContain('Jürgen');
		expect(JSON.stringify(data.data)).toContain('Müller');
	});

	test('a list of nobody says so, and registers nobody', async () => {
		const before = await registered(scene.sandbox);
		expect(await uploaded('email\n')).toMatch(/not registered/);
		expect(await uploaded('Company,Seat\nEngines,A1\n')).toMatch(/not registered/);
		expect(await registered(scene.sandbox)).toEqual(before);
	});

	/** The file of an answer, which n8n puts into the page. */
	function fileIn(page: string): string {
		const encoded = /decodeURIComponent\("([^"]+)"\)/.exec(page)?.[1] ?? '[]';
		const [file] = JSON.parse(decodeURIComponent(encoded)) as Array<{ data: { data: number[] } }>;
		return Buffer.from(file?.data.data ?? []).toString();
	}
});

test('one form registers a person for several dates', async () => {
	const person = { 'First name': 'Ada', 'Last name': 'Lovelace', Email: 'dates@example.org' };
	const filledIn = { 'When somebody fills in the form': [person] };
	const choices = await scene.run(
		await scene.imported('one-form-several-dates', undefined, upcoming, {
			...filledIn,
			'Which dates?': [{ Dates: [] }],
			'Say what happened': [{ ok: true }],
		}),
		'When somebody fills in the form',
	);
	const [{ dates = [] } = {}] = choices.output('Write the choices') as Array<{
		dates?: Array<{ id: string; label: string }>;
	}>;
	expect(dates.map(({ id }) => id)).toEqual([1, 2].map((number) => seededId('session', number)));
	expect(dates[0]?.label).toMatch(/10:00|11:00/);
	expect(dates[0]?.label).toContain('(Europe/Paris) – Europe');

	const both = await scene.run(
		await scene.imported('one-form-several-dates', undefined, upcoming, {
			...filledIn,
			'Which dates?': [{ Dates: dates.map(({ label }) => label) }],
			'Say what happened': [{ ok: true }],
		}),
		'When somebody fills in the form',
	);
	expect(counts(both, 'Register for each date')).toEqual({ registered: 2 });
	for (const { id } of dates) expect(await registered(scene.sandbox, id)).toContain(person.Email);
	expect(both.output('Write the answer')[0]?.['lines']).toBe(
		dates.map(({ label }) => `${label}: registered`).join('\n'),
	);
});

describe('before a session', () => {
	let mailbox: Awaited<ReturnType<typeof openMailCatcher>>;

	beforeAll(async () => {
		mailbox = await openMailCatcher();
		const { host, port } = mailbox;
		await scene.account('smtp', { user: '', password: '', host, port, secure: false });
	});

	beforeEach(() => mailbox.mails.splice(0));

	test('a reminder has the personal link and a text for its lead; while it is tried, two mails go to the tester', async () => {
		const workflow = await scene.imported('reminders');
		const execution = await scene.run(workflow, 'When a session starts soon');
		const [session = {}] = execution.output('When a session starts soon');
		expect(session).toMatchObject({ event: 'session.starting' });
		const texts = execution.output('Write the text');
		expect(texts).toHaveLength(2);
		for (const { title, text, start, join_link: link } of texts) {
			expect(title).toBe(session['event_title']);
			expect(text).not.toBe('');
			expect(start).toMatch(/^\w+day, \d+ \w+, \d\d:\d\d \(\S+\)$/);
			expect(link).toMatch(/^https:/);
		}
		expect(mailbox.mails.map(({ to }) => to)).toEqual([['you@example.com'], ['you@example.com']]);
		expect(mailbox.mails[0]?.text).toContain(String(texts[0]?.['join_link']));
	});

	test.each([
		[10_080, 'in 7 days', 'Please put it into your calendar.'],
		[1_440, 'in 24 hours', 'Reply to this mail.'],
		[60, 'in an hour', 'We begin on time.'],
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
});

test('few registrations a week before are told, and enough are not', async () => {
	await scene.account('slackApi', { accessToken: 'none' });
	const inSixtyDays: Change = ({ name, parameters }) =>
		name === 'Sessions in a week'
			? { parameters: { ...parameters, filters: { status: 'upcoming' } } }
			: {};
	const pinned = { 'Tell Slack': [{ ok: true }] };
	const workflow = await scene.imported('few-registrations', inSixtyDays, upcoming, pinned);
	const messages = (await scene.run(workflow)).output('Write the message').map(({ text }) => text);
	// Two hundred people are registered for the first session of the sandbox.
	expect(JSON.stringify(messages)).not.toContain(', Europe*');
	expect(messages).toContainEqual(
		expect.stringMatching(
			/^Only \d+ people are registered for \*Customer Onboarding, Weekly class\*, which begins on \w+day, \d+ \w+, \d\d:\d\d \(Europe\/London\)\.$/,
		),
	);
});

test('the month is one table with a row for each session, however often it runs', async () => {
	const allPast: Change = ({ name, parameters }) =>
		name === 'Sessions of the last thirty days'
			? { parameters: { ...parameters, filters: { status: 'past' } } }
			: {};
	const workflow = await scene.imported('the-month', allPast);
	const [report = {}] = (await scene.run(workflow)).output('Report of each');
	await scene.run(workflow);
	const { registrants, attendees } = report;
	expect(await scene.rowsOf('Webinars of the month')).toMatchObject([
		{ session_id: past.id, title: past.name, registrants, attendees },
	]);
});

test('a sheet is kept in step by night, and a mail names only who has changed', async () => {
	await scene.account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	await scene.account('smtp', { user: 'none', password: 'none', host: '127.0.0.1' });
	const [known = ''] = await registered(scene.sandbox);
	const sheet = [{ email: known }, { email: 'nightly@example.org', first_name: 'Night' }];
	const pinned = { 'The sheet': sheet, 'Mail the changes': [{ accepted: true }] };
	const workflow = await scene.imported('nightly-sync-mail', undefined, upcoming, pinned);
	const mail = async () => (await scene.run(workflow)).output('Write the mail');
	expect(await mail()).toMatchObject([
		{ count: 1, text: expect.stringContaining('nightly@example.org: added') as string },
	]);
	expect(await registered(scene.sandbox)).toContain('nightly@example.org');
	expect(await mail()).toEqual([]);
});

test('an audit trail has a row for each person and run', async () => {
	await scene.account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	const sheet = [{ email: 'audit@example.org' }, { email: 'no address' }];
	const workflow = await scene.imported('audit-trail', undefined, upcoming, { 'The sheet': sheet });
	await scene.run(workflow);
	await scene.run(workflow);
	const rows = await scene.rowsOf('Audit trail');
	expect(rows.map(({ email, status }) => [email, status])).toEqual([
		['audit@example.org', 'registered'],
		['no address', 'invalid'],
		['audit@example.org', 'already_registered'],
		['no address', 'invalid'],
	]);
	expect(rows[0]).toMatchObject({
		at: expect.stringMatching(/^20\d\d-/) as string,
		session_id: upcoming.id,
		execution: expect.any(String) as string,
	});
	expect(rows[1]?.['reason']).toContain('not an email address');
});

test('a workflow that fails by itself is told in the channel', async () => {
	const { url, deliveries: messages } = await openReceiver();
	const alert = await scene.imported('alert-on-failure', ({ name, parameters }) =>
		name === 'Post to the channel' ? { parameters: { ...parameters, url } } : {},
	);
	await publish(scene.tested.editor, alert.id ?? '');
	const hook = { path: 'fails', responseMode: 'onReceived', options: {} };
	const trigger = { ...node('Hook', 'n8n-nodes-base.webhook', hook, 2), webhookId: 'fails' };
	const stop = node('Stop here', 'n8n-nodes-base.stopAndError', { errorMessage: 'It broke.' });
	const failing = workflowOf('A workflow that fails', trigger, stop);
	const settings = { ...failing.settings, errorWorkflow: alert.id };
	const id = await saved(scene.tested.editor, { ...failing, settings });
	const address = `${scene.tested.n8n.url}/webhook/fails`;
	await scene.listening({ ...failing, id }, async () => (await fetch(address)).ok);
	await until('the alert', () => Promise.resolve(messages.length > 0));
	expect(messages[0]?.body['text']).toMatch(
		/^The workflow "A workflow that fails" has failed at "Stop here": It broke\./,
	);
});
