import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, executionEnd } from '../../host/execution';
import { readExample } from '../../host/provision';
import { until } from '../../host/until';
import { seededId } from '../../sandbox/seed/ids';
import { byId } from '../support/n8n/locators';
import { node, publish, saved, workflowOf } from '../support/n8n/workflows';
import { registered } from '../support/platform/registrants';
import { upcomingSession } from '../support/platform/seededIds';
import { startTestServer } from '../support/platform/testServer';
import { openMailCatcher } from './mailCatcher';
import { openReceiver } from '../support/platform/webhookReceiver';
import { counts, ExampleScene, past, upcoming, type Change } from './exampleScene';
import { scriptedModel } from './languageModel';

let scene: ExampleScene;

beforeAll(async () => {
	scene = await ExampleScene.open();
});

afterAll(() => scene.close());

test('as it is imported, an example changes nothing on the platform', async () => {
	const files = readdirSync(join(__dirname, '../../examples')).filter((file) =>
		file.endsWith('.json'),
	);
	expect(files.length).toBeGreaterThan(20);
	const { length: earlier } = await scene.sandbox.requests();
	for (const file of files) {
		const { nodes, pinData = {} } = await readExample(file);
		const { id = '' } = await scene.importedAsItIs(file.replace('.json', ''));
		for (const { name, type } of nodes) {
			const isStart = /\.(?:manualTrigger|eventPlatformPollingTrigger)$/.test(type);
			if (!isStart && !(name in pinData)) continue;
			// A session that nobody has chosen ends most of them with an error.
			await execute(scene.tested.editor, id, name);
		}
	}
	const requests = (await scene.sandbox.requests()).slice(earlier);
	const changes = requests.filter(({ method }) => method !== 'GET');
	expect(changes).toEqual([]);
	expect(requests.some(({ path }) => path === '/v1/sessions')).toBe(true);
});

test('the sample list is only checked: all of it could be registered but four, each with a reason in a file', async () => {
	const workflow = await scene.imported('register-a-list');
	const before = await registered(scene.sandbox);
	await scene.canvas.execute();
	const execution = await scene.latest(workflow, 1);
	expect(counts(execution, 'Register in bulk')).toEqual({ valid: 116, duplicate: 2, invalid: 2 });
	const reasons = execution.output('Name the reason');
	expect(reasons).toHaveLength(4);
	for (const { reason } of reasons) expect(reason).toMatch(/\w+ \w+/);
	expect(execution.output('Failures as a file')).toHaveLength(1);
	expect(await registered(scene.sandbox)).toEqual(before);
});

test('registrants to a sheet: all pages, and one row for each person', async () => {
	const workflow = await scene.imported('registrants-to-a-sheet');
	const emails = await registered(scene.sandbox);
	expect(emails.length).toBeGreaterThan(100);
	await scene.run(workflow);
	await scene.sandbox.register('new@example.org');
	await scene.run(workflow);
	const rows = await scene.rowsOf('Registrants');
	expect(rows.map(({ email }) => email).sort()).toEqual([...emails, 'new@example.org'].sort());
	expect(rows[0]).toMatchObject({
		session_id: expect.any(String) as string,
		first_name: expect.any(String) as string,
		registered_at: expect.stringMatching(/^20\d\d-/) as string,
	});
});

test('the report of a session goes to Slack, to a sheet and by mail', async () => {
	await scene.account('slackApi', { accessToken: 'none' });
	await scene.account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	await scene.account('smtp', { user: 'none', password: 'none', host: '127.0.0.1' });
	const sent = ['Tell Slack', 'Figures', 'Campaign figures', 'Mail the page'];
	const pinned = Object.fromEntries(sent.map((node) => [node, [{ ok: true }]]));
	const workflow = await scene.imported('report-after-the-webinar', undefined, past, pinned);
	const execution = await scene.run(workflow);
	const [report = {}] = execution.output('Report');
	const [message, ...others] = execution.output('One message for each');
	expect(others).toEqual([]);
	expect(message?.['head']).toContain(
		`*${past.name}*: ${String(report['attendees'])} of ${String(report['registrants'])} people came`,
	);
	expect(message?.['appended_line']).toContainEqual(
		expect.stringMatching(/^• autumn-release: \d+ of \d+ came$/),
	);
	const campaigns = execution.output('Name the session');
	expect(campaigns.length).toBeGreaterThan(1);
	for (const campaign of campaigns) expect(campaign).toMatchObject({ session_id: past.id });
	expect(execution.output('Page')).toMatchObject([
		{ title: past.name, html: expect.stringMatching(/^<!DOCTYPE html>/) as string },
	]);
});

/** The people of the held session, whose session is older than what the kits look at. */
const allPast: Change = ({ name, parameters }) =>
	/^Sessions of the last week/.test(name)
		? { parameters: { ...parameters, filters: { status: 'past' } } }
		: {};

/** A registration as the trigger gives it. */
const registration = (email: string) => ({
	event: 'people.registered',
	event_key: randomUUID(),
	email,
	event_title: past.name,
});

test('people become members of a campaign, go on, and never back', async () => {
	await scene.account('salesforceOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	const recordsThere = {
		'Members of the campaign': [
			{ Id: 'member 1', Status: 'Registered', Email: 'Noah.Stone@example.org' },
			{ Id: 'member 2', Status: 'Watched Replay', Email: 'leo.hart@example.org' },
		],
		Contacts: [{ Id: 'contact', Email: 'zoe.field@example.org' }],
		Leads: [{ Id: 'lead', Email: 'mia.rivers@example.org' }],
	};
	const changes = ['Set the status', 'Add the contact', 'Add the lead', 'Add the new lead'];
	const done = Object.fromEntries(changes.map((node) => [node, [{ success: true }]]));
	const pinned = {
		...recordsThere,
		...done,
		'A new lead': [{ id: 'new lead' }],
		'When something happens': [registration('new@example.org')],
	};
	const workflow = await scene.imported('campaign-members-salesforce', allPast, past, pinned);
	const night = await scene.run(workflow);
	const missing = night.output('What is missing').map(({ email }) => email);
	// A person who has the furthest status keeps it, whatever else the person did.
	expect(missing).not.toContain('leo.hart@example.org');
	expect(missing).toContain('noah.stone@example.org');
	expect(night.output('Who they are')).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ email: 'zoe.field@example.org', contact_id: 'contact' }),
			expect.objectContaining({ email: 'mia.rivers@example.org', lead_id: 'lead' }),
		]),
	);

	const event = await scene.run(workflow, 'When something happens');
	expect(event.output('Who they are')).toMatchObject([
		{ email: 'new@example.org', status: 'Registered', contact_id: '', lead_id: '' },
	]);
	expect(event.output('Add the new lead')).toHaveLength(1);
});

test('HubSpot knows what everybody did last, by each event and by the night', async () => {
	await scene.account('hubspotAppToken', { appToken: 'none' });
	const pinned = {
		'The contact': [{ vid: 1 }],
		'When something happens': [registration('new@example.org')],
	};
	const allSessions: Change = ({ name, parameters }) =>
		/^Sessions of the last week/.test(name) ? { parameters: { ...parameters, filters: {} } } : {};
	const workflow = await scene.imported('campaign-members-hubspot', allSessions, past, pinned);
	const contactsOf = async () => (await scene.run(workflow)).output('The latest of each');
	const night = await contactsOf();
	expect(new Set(night.map(({ email }) => email)).size).toBe(night.length);
	const attendee = night.find(({ status }) => status === 'Attended');
	expect(attendee?.['webinar']).toBe(past.name);

	// Who came, and has registered for the next webinar since, is registered for that one.
	await scene.sandbox.register(String(attendee?.['email']));
	const contacts = await contactsOf();
	expect(contacts.find(({ email }) => email === attendee?.['email'])).toMatchObject({
		status: 'Registered',
		webinar: 'Product Tour: Autumn Release',
	});

	// By night, nothing is written that is older than a week: what came after it may be in a session that is not read.
	const asByNight: Change = (node) => {
		if (node.name !== 'With an address, of this week') return allSessions(node);
		const text = JSON.stringify(node.parameters).replace("$execution.mode === 'test' || ", '');
		return { parameters: JSON.parse(text) as Record<string, unknown> };
	};
	const byItself = await scene.imported('campaign-members-hubspot', asByNight, past, pinned);
	const ofTheWeek = (await scene.run(byItself)).output('The latest of each');
	const statuses = ofTheWeek.map(({ status }) => status);
	expect(statuses).toContain('Registered');
	expect(statuses).not.toContain('Attended');

	// Nobody is left out because the time is not known.
	const at = Date.now() - 8 * 86_400_000;
	const undated = { ...registration('undated@example.org'), webinar: past.name, at: 0 };
	const people = { 'Where they are': [undated, { ...undated, email: 'old@example.org', at }] };
	const ofPeople = { ...pinned, ...people };
	const byTime = await scene.imported('campaign-members-hubspot', asByNight, past, ofPeople);
	expect((await scene.run(byTime)).output('The latest of each')).toMatchObject([
		{ email: 'undated@example.org' },
	]);

	const event = await scene.run(workflow, 'When something happens');
	expect(event.output('The latest of each')).toMatchObject([
		{ email: 'new@example.org', status: 'Registered', webinar: past.name },
	]);
});

test('a recording becomes a recap, and one that is too large is named', async () => {
	const model = await scriptedModel([() => ({ text: 'It was about numbers.' })]);
	await scene.account('openAiApi', { apiKey: 'none', url: model.url });
	await scene.account('slackApi', { accessToken: 'none' });
	const ready = { session_id: past.id, event_title: past.name, file_size: 1_000 };
	const recorded = (number: number) => ({ ...ready, recording_id: seededId('recording', number) });
	const pinned = {
		'When a recording is ready': [recorded(2), { ...recorded(1), file_size: 2_000 }],
		Transcribe: [{ text: 'Numbers, and more numbers.' }],
		'Post the recap': [{ ok: true }],
		'Say that it is too large': [{ ok: true }],
	};
	const workflow = await scene.imported('recording-to-recap', undefined, past, pinned);
	const execution = await scene.run(workflow, 'When a recording is ready');
	expect(execution.output('Download')).toMatchObject([{ id: seededId('recording', 2) }]);
	expect(execution.output('Summarize')).toMatchObject([{ text: 'It was about numbers.' }]);
	expect(JSON.stringify(model.asked[0]?.messages)).toContain('Numbers, and more numbers.');

	const small = await scene.imported(
		'recording-to-recap',
		({ name, parameters }) =>
			name === 'Download'
				? { parameters: { ...parameters, options: { maxFileSize: 0.0001 } } }
				: {},
		past,
		pinned,
	);
	const refused = await scene.run(small, 'When a recording is ready');
	expect(refused.output('Say that it is too large')).toHaveLength(1);
	expect(refused.output('Post the recap')).toEqual([]);
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
	const ofAllTimes: Change = ({ name, parameters }) =>
		name === 'Sessions of the last month' ? { parameters: { ...parameters, filters: {} } } : {};
	const workflow = await scene.imported('the-month', ofAllTimes);
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
	const mail = async () => (await scene.run(workflow)).output('All lines');
	expect(await mail()).toEqual([{ lines: ['nightly@example.org: added'] }]);
	expect(await registered(scene.sandbox)).toContain('nightly@example.org');
	expect(await mail()).toEqual([]);
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

test('what an MCP client proposes is registered only when a person has approved it', async () => {
	await scene.account('slackApi', { accessToken: 'none' });
	await scene.account('httpBearerAuth', { token: 'none' });
	const answered = (approved: boolean) =>
		scene.imported('mcp-server-with-approval', undefined, upcoming, {
			'Ask in Slack': [{ data: { approved } }],
		});
	// The first run makes the table.
	expect((await scene.run(await answered(true))).output('Ask in Slack')).toEqual([]);
	const table = 'Proposed registrations';
	for (const [email, approved, session_id] of [
		['refused@example.org', false, upcoming.id],
		['approved@example.org', true, upcoming.id],
		['nowhere@example.org', true, seededId('session', 999)],
	] as const) {
		const proposal = { email, first_name: 'A <!here>\n', last_name: '*Gent*', session_id };
		await scene.addRow(table, { ...proposal, status: 'proposed' });
		const run = await scene.run(await answered(approved));
		if (session_id !== upcoming.id) {
			expect(run.output('Ask in Slack')).toEqual([]);
			continue;
		}
		expect(run.output('Write the question')[0]?.['text']).toMatch(
			/ "A here Gent" \(\w+@example\.org\) for Product Tour: Autumn Release, Europe, \w+day, .*\(Europe\/Paris\)\. Shall/,
		);
	}
	expect((await scene.rowsOf(table)).map(({ email, status }) => [email, status])).toEqual([
		['refused@example.org', 'refused'],
		['approved@example.org', 'registered'],
		['nowhere@example.org', 'failed'],
	]);
	expect(await registered(scene.sandbox)).toContain('approved@example.org');
	expect(await registered(scene.sandbox)).not.toContain('refused@example.org');
});

test('the registrants of a canceled session move with their answers, each once, and never into the same session', async () => {
	const canceled = await otherSession();
	const answers = { company: 'Engines', team_size: '11-100' };
	await scene.sandbox.register('moves@example.org', answers, canceled);
	await scene.sandbox.register('comes.too@example.org', {}, canceled);
	const movers = await registered(scene.sandbox, canceled);
	const before = await registered(scene.sandbox);
	const goesTo = 'Register for the other session';
	const moving = (from: string, options: object) =>
		scene.imported('move-registrants', ({ name, parameters }) => {
			if (name === goesTo) return { parameters: { ...parameters, options } };
			const isFrom = name === 'Registrants of the canceled session';
			return isFrom ? { parameters: { ...parameters, sessionId: byId(from) } } : {};
		});

	// As it comes, it says what would happen.
	const dry = await scene.run(await moving(canceled, { dryRun: true }));
	expect(counts(dry, goesTo)).toEqual({ would_add: movers.length });
	expect(await registered(scene.sandbox)).toEqual(before);

	const same = await scene.run(await moving(upcoming.id, {}));
	expect(same.output('Two different sessions', 0)).toEqual([]);

	const workflow = await moving(canceled, {});
	expect(counts(await scene.run(workflow), goesTo)).toEqual({ added: movers.length });
	expect(await registered(scene.sandbox)).toEqual([...before, ...movers].sort());
	const { data } = await scene.sandbox.api.get<{ data: object[] }>(
		`/sessions/${upcoming.id}/people?filter[email]=moves@example.org`,
	);
	expect(JSON.stringify(data.data)).toContain('"Engines"');
	expect(JSON.stringify(data.data)).toContain('"11-100"');

	const again = await scene.run(workflow);
	expect(counts(again, goesTo)).toEqual({ unchanged: movers.length });
});

test('recordings go to a folder, each once, after a run that could not save them as well', async () => {
	const { folder } = scene;
	const savingTo = (place: string) =>
		scene.imported('recordings-to-a-folder', ({ name, parameters }) => {
			if (name === 'Sessions of the last 30 days') {
				return { parameters: { ...parameters, filters: {} } };
			}
			const fileName = String(parameters.fileName).replace(folder, place);
			return name === 'To the folder' ? { parameters: { ...parameters, fileName } } : {};
		});
	const { id: forbidden = '' } = await savingTo('/forbidden');
	expect((await execute(scene.tested.editor, forbidden, 'Now')).error).toBeDefined();

	const workflow = await savingTo(folder);
	const execution = await scene.run(workflow);
	const downloaded = execution.output('Download');
	expect(downloaded.length).toBeGreaterThan(0);
	const files = await readdir(folder);
	expect(files.sort()).toEqual(
		downloaded.map((recording) => `${String(recording.id)} ${String(recording.file_name)}`).sort(),
	);
	const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
	expect(sizes.sort()).toEqual(downloaded.map(({ file_size }) => file_size).sort());

	expect((await scene.run(workflow)).output('Download')).toEqual([]);
});

test('an agent finds the sessions, and registers only whom a person has approved who has read which session it is', async () => {
	const { host, port, mails } = await openMailCatcher();
	await scene.account('smtp', { user: '', password: '', host, port, secure: false });
	const person = {
		session_id: upcomingSession,
		email: 'agent@example.org',
		first_name: 'A',
		last_name: 'Gent',
	};
	const model = await scriptedModel([
		() => ({ use: 'Find_sessions', with: {} }),
		() => ({ use: 'Register_a_person', with: person }),
		() => ({ text: 'Done: agent@example.org is registered.' }),
	]);
	await scene.account('openAiApi', { apiKey: 'none', url: model.url });
	const workflow = await scene.imported('agent-with-the-platform');
	await publish(scene.tested.editor, workflow.id ?? '');
	const { executionId } = await scene.started(workflow, 'When a message arrives', {
		chatInput: 'Register agent@example.org for the next session.',
		sessionId: 'a chat',
		action: 'sendMessage',
	});
	const mail = await until('the question', () => Promise.resolve(mails[0]));
	expect(mail.to).toEqual(['you@example.com']);
	expect(mail.text).toContain('agent@example.org');
	// The model has named an ID alone: the session and its date were read.
	expect(mail.text).toMatch(/Product Tour: Autumn Release, Europe, \w+day, .*\(Europe\/Paris\)/);
	await scene.pictureOfMail('mail-approval', mail);
	expect(await registered(scene.sandbox)).not.toContain('agent@example.org');

	const approve = /href="([^"]*approved=true[^"]*)"/.exec(mail.text)?.[1] ?? '';
	await approved(approve.replaceAll('&amp;', '&'));
	const execution = await executionEnd(scene.tested.editor, executionId);
	expect(execution.error).toBeUndefined();
	expect(execution.output('Agent').at(-1)).toMatchObject({
		output: 'Done: agent@example.org is registered.',
	});
	expect(model.asked[0]?.tools?.map(({ function: { name } }) => name).sort()).toEqual([
		'Find_sessions',
		'People_of_a_session',
		'Register_a_person',
	]);
	expect(JSON.stringify(model.asked[1]?.messages)).toContain('Americas');
	expect(JSON.stringify(model.asked[2]?.messages)).toContain('registered');
	expect(await registered(scene.sandbox)).toContain('agent@example.org');
});

/**
 * Follows a link as a person does: n8n takes no answer from programs and headless browsers. It has the page a moment after the
 * mail, as soon as the run has been saved as waiting.
 */
async function approved(link: string) {
	const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
	await until('the approval', async () => {
		const page = await fetch(link, { headers: { 'user-agent': browser } });
		return (await page.text()).includes('Got it');
	});
}

test('a Google Sheet to bulk registration: Slack hears how many, who is not registered, and why', async () => {
	await scene.account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	await scene.account('slackApi', { accessToken: 'none' });
	const [registeredEmail = ''] = await registered(scene.sandbox);
	const emails = ['sheet@example.org', 'Sheet@Example.org', registeredEmail, 'no-address'];
	const rows = emails.map((email, index) => ({ row_number: index + 2, Email: email }));
	const pinned = { 'The guest list': rows, 'Tell Slack': [{ ok: true }] };
	const workflow = await scene.imported('google-sheet-to-slack', undefined, upcoming, pinned);
	const said = async () =>
		String((await scene.run(workflow)).output('Write the message')[0]?.['text']).split('\n');

	expect(await said()).toEqual([
		'1 registered, 1 already registered, 1 not registered, 1 twice on the sheet',
		expect.stringMatching(/^• no-address: .*not an email address/) as string,
	]);
	expect(await registered(scene.sandbox)).toContain('sheet@example.org');
	expect((await said())[0]).toMatch(/^0 registered, 2 already registered, 1 not registered/);
});

test('a HubSpot list and a session in step: only after a yes in Slack', async () => {
	await scene.account('hubspotAppToken', { appToken: 'none' });
	await scene.account('slackApi', { accessToken: 'none' });
	const url = await hubSpot(102);
	const there = await registered(scene.sandbox);
	const answered = (approved: boolean) =>
		scene.imported(
			'hubspot-list-in-step',
			({ parameters }) => {
				const own = String(parameters.url).replace('https://api.hubapi.com', url);
				return { parameters: { ...parameters, ...('url' in parameters && { url: own }) } };
			},
			upcoming,
			{ 'Ask in Slack': [{ data: { approved } }] },
		);

	const no = await scene.run(await answered(false));
	const text = String(no.output('Write the question')[0]?.['text']);
	expect(text).toMatch(
		/^The HubSpot list of Product Tour: Autumn Release, Europe \(\w+day, .* Europe\/Paris\)/,
	);
	expect(text).toContain('101 people would be added, 0 updated and 0 removed. Shall I do it?');
	expect(no.output('Sync')).toEqual([]);
	expect(await registered(scene.sandbox)).toEqual(there);

	const yes = await scene.run(await answered(true));
	expect(counts(yes, 'Sync')).toEqual({ added: 101 });
	expect(await registered(scene.sandbox)).toHaveLength(there.length + 101);
});

test('the question about a HubSpot list names up to twenty people who would be removed, and how many more', async () => {
	const people = Array.from({ length: 25 }, (_, index) => ({
		email: `goes${index + 1}@example.org`,
		status: 'would_remove',
		session_id: upcoming.id,
	}));
	const workflow = await scene.imported('hubspot-list-in-step', undefined, upcoming, {
		'Members of the list': [{ results: [] }],
		'Their contacts': [{ results: [{ properties: { email: 'a@example.org' } }] }],
		'Some members': [{}],
		'What would change': people,
		'Ask in Slack': [{ data: { approved: false } }],
	});
	const asked = (await scene.run(workflow)).output('Write the question')[0]?.['text'];
	expect(asked).toContain('25 removed: goes1@example.org, goes2@example.org, ');
	expect(asked).toContain('goes20@example.org and 5 more. Shall I do it?');
});

/** HubSpot's lists and contacts: pages of a hundred members, and one contact that has no email. */
async function hubSpot(members: number) {
	const { baseUrl } = await startTestServer((response, request, body) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
		response.setHeader('Content-Type', 'application/json');
		if (pathname.endsWith('/memberships')) {
			const from = Number(searchParams.get('after'));
			const all = Array.from({ length: members }, (_, index) => ({ recordId: String(index) }));
			const after = String(from + 100);
			const paging = from + 100 < members ? { paging: { next: { after } } } : {};
			response.end(JSON.stringify({ results: all.slice(from, from + 100), ...paging }));
			return;
		}
		const { inputs } = JSON.parse(body) as { inputs: Array<{ id: string }> };
		if (inputs.length > 100) response.statusCode = 400;
		const results = inputs.map(({ id }) => {
			const email = id === '0' ? null : `member.${id}@example.net`;
			return { id, properties: { email, firstname: 'Member', lastname: id } };
		});
		response.end(JSON.stringify({ results }));
	});
	return baseUrl;
}

/** An upcoming session with people, and not the one of the examples. */
async function otherSession() {
	const { data } = await scene.sandbox.api.get<{ data: Array<{ id: string }> }>('/sessions', {
		params: { 'filter[status]': 'upcoming' },
	});
	return data.data.find(({ id }) => id !== upcoming.id)?.id ?? '';
}
