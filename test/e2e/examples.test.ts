import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SavedCredential, Workflow, WorkflowNode } from '../../host/editor';
import { execute, executionEnd, executionsOf, type Execution } from '../../host/execution';
import { ensureWorkflow, ownCredentialType, prepared, readExample } from '../../host/provision';
import { until } from '../../host/until';
import { seededId } from '../../sandbox/seed/ids';
import { startTestServer } from '../support/platform/testServer';
import type { TestedBrowser } from '../support/browser/browser';
import type { Canvas } from '../support/browser/canvas';
import { openConnectedEditor } from '../support/browser/editor';
import { registered } from '../support/platform/registrants';
import { scriptedModel } from './languageModel';
import type { TestedN8n } from '../support/n8n/n8n';
import { openReceiver } from '../support/platform/webhookReceiver';
import type { TestSandbox } from '../support/platform/sandbox';
import {
	bulkRegister,
	manual,
	node,
	people,
	publish,
	saved,
	workflowOf,
} from '../support/n8n/workflows';
import { upcomingSession } from '../support/platform/seededIds';
import { byId } from '../support/n8n/locators';

jest.setTimeout(180_000);

const upcoming = { id: upcomingSession, name: 'Europe' };
const past = { id: seededId('session', 5), name: 'State of the Industry 2026' };

let tested: TestedN8n;
let sandbox: TestSandbox;
let credentials: SavedCredential[];
let browser: TestedBrowser;
let canvas: Canvas;
/** Where n8n may write. */
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'event-platform-recordings-'));
	const environment = { N8N_RESTRICT_FILE_ACCESS_TO: folder };
	const editor = await openConnectedEditor({
		environment,
		sandbox: { seedPeople: 200, recordingBytes: 2_000_000 },
	});
	({ tested, sandbox, browser, canvas } = editor);
	credentials = Object.values(editor.credentials);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a list to bulk registration', () => {
	let workflow: Workflow;

	beforeAll(async () => {
		workflow = await imported('register-a-list');
	});

	test('the sample list: everybody registered but four, each with a reason in a file', async () => {
		await canvas.execute();
		const execution = await latest(workflow, 1);
		expect(counts(execution, 'Register in bulk')).toEqual({
			registered: 116,
			duplicate: 2,
			invalid: 2,
		});
		const reasons = execution.output('Name the reason');
		expect(reasons).toHaveLength(4);
		for (const { reason } of reasons) expect(reason).toMatch(/\w+ \w+/);
		expect(execution.output('Failures as a file')).toHaveLength(1);
	});

	test('a CSV that somebody uploads to the form', async () => {
		const withForm = await imported('register-a-list', ({ name }) =>
			name === 'When a list is uploaded' ? { disabled: false } : {},
		);
		const form = `${tested.n8n.url}/form/register-a-list`;
		await listening(withForm, async () => (await fetch(form)).ok);
		const csv = 'email,first_name,last_name\nada@example.org,Ada,Lovelace\nnobody,No,Address\n';
		const filledIn = new FormData();
		filledIn.set('field-0', new Blob([csv], { type: 'text/csv' }), 'list.csv');
		const answer = await fetch(form, { method: 'POST', body: filledIn });
		expect(answer.status).toBe(200);
		const execution = await latest(withForm, 1);
		expect(counts(execution, 'Register in bulk')).toEqual({ registered: 1, invalid: 1 });
	});
});

test('an ended job to a message that says who could not be registered, and why', async () => {
	const { url, deliveries: messages } = await openReceiver();
	const workflow = await imported('report-failed-people', ({ name, parameters }) => {
		if (name === 'Post to the channel') return { parameters: { ...parameters, url } };
		// These options have the effect of two processes that both start a run.
		const options = { onlyWithFailures: true, deduplicate: false };
		return name === 'When a job has ended' ? { parameters: { ...parameters, options } } : {};
	});
	await listening(workflow, () => isSubscribed('job.ended'));
	// Started elsewhere: the platform does not say whom it refused.
	await sandbox.startJob(['grace@example.org', 'grace@example.org', 'a@b']);
	await latest(workflow, 1);
	expect(messages).toHaveLength(1);
	expect(messages[0]?.body['text']).toContain('1 person could not be registered');
	expect(messages[0]?.body['text']).toContain('does not say who');

	// It comes again, and is told once.
	const deliveries = await sandbox.deliveries();
	await sandbox.redeliver(deliveries.find(({ event }) => event === 'job.ended')?.id);
	expect((await latest(workflow, 2)).output('When a job has ended')).toHaveLength(1);
	expect(messages).toHaveLength(1);

	// Started by this n8n, which knows.
	const [credential] = credentials;
	if (!credential) throw new Error('There is no credential');
	const emails = { instead: ['grace@example.org', 'refused@a_host.example'] };
	const register = bulkRegister(credential, upcomingSession, {
		options: { waitForCompletion: false },
	});
	const bulk = workflowOf('Register', manual, people(3, emails), register);
	await run({ ...bulk, id: await saved(tested.editor, bulk) }, 'Start');
	await latest(workflow, 3);
	expect(messages[1]?.body['text']).toContain('1 person could not be registered');
	expect(messages[1]?.body['text']).toContain('• refused@a_host.example: ');
});

test('registrants to a sheet: all pages, and one row for each person', async () => {
	const workflow = await imported('registrants-to-a-sheet');
	const emails = await registered(sandbox);
	expect(emails.length).toBeGreaterThan(100);
	await run(workflow);
	await sandbox.register('new@example.org');
	await run(workflow);
	const rows = await rowsOf('Registrants');
	expect(rows.map(({ email }) => email).sort()).toEqual([...emails, 'new@example.org'].sort());
	expect(rows[0]).toMatchObject({
		first_name: expect.any(String) as string,
		registered_at: expect.stringMatching(/^20\d\d-/) as string,
	});
});

test('events without a public address: the latest one into a table, and nothing twice', async () => {
	const workflow = await imported('events-without-a-public-address');
	const first = await run(workflow, 'When something happens');
	const [row] = first.output('Add to the table');
	const [item] = first.output('When something happens');
	expect(row).toMatchObject({
		event: item?.['event'],
		what: item?.['email'] ?? item?.['name'],
		event_key: item?.['event_key'],
	});
	await run(workflow, 'When something happens');
	expect(await rowsOf('What happened')).toHaveLength(1);

	// Each of several events in one run gets its row.
	const events = [1, 2].map((count) => ({ event: 'people.registered', event_key: `key ${count}` }));
	const pinned = { 'When something happens': events };
	const many = await imported('events-without-a-public-address', undefined, upcoming, pinned);
	const both = await run(many, 'When something happens');
	expect(both.output('Add to the table')).toMatchObject(events);
});

test('people who came are thanked, and people who did not get the recording once it is ready', async () => {
	await account('smtp', { user: 'none', password: 'none', host: '127.0.0.1' });
	const mails = { 'Thank them': [{ accepted: true }], 'Send the recording': [{ accepted: true }] };
	const workflow = await imported('after-the-webinar', undefined, past, {
		...mails,
		'When a recording is ready': [{ session_id: past.id, recording_id: seededId('recording', 1) }],
	});
	const thanks = await run(workflow);
	const people = thanks.output('People of the session');
	const came = people.filter(({ segment }) => ['attended', 'left_early'].includes(String(segment)));
	expect(came.length).toBeGreaterThan(0);
	expect(thanks.output('Who came', 0)).toMatchObject(came.map(({ email }) => ({ email })));

	const recording = await run(workflow, 'When a recording is ready');
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

	// Another recording of the session is no reason for another mail.
	const again = await run(workflow, 'When a recording is ready');
	expect(again.output('Who has not seen it')).toEqual([]);
});

test('the report of a session goes to Slack, to a sheet and by mail', async () => {
	await account('slackApi', { accessToken: 'none' });
	await account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	await account('smtp', { user: 'none', password: 'none', host: '127.0.0.1' });
	const sent = ['Tell Slack', 'Figures', 'Campaign figures', 'Mail the page'];
	const pinned = Object.fromEntries(sent.map((node) => [node, [{ ok: true }]]));
	const workflow = await imported('report-after-the-webinar', undefined, past, pinned);
	const execution = await run(workflow);
	const [report = {}] = execution.output('Report');
	const [message] = execution.output('Write the message');
	expect(message?.['text']).toContain(
		`${String(report['attendees'])} of ${String(report['registrants'])} people came`,
	);
	expect(message?.['text']).toMatch(/^• autumn-release: \d+ of \d+ came$/m);
	const campaigns = execution.output('Name the session');
	expect(campaigns.length).toBeGreaterThan(1);
	for (const campaign of campaigns) expect(campaign).toMatchObject({ session_id: past.id });
	expect(execution.output('Page')).toMatchObject([
		{ title: past.name, html: expect.stringMatching(/^<!DOCTYPE html>/) as string },
	]);
});

test('who registers gets a calendar file and the personal link, and a reminder on the day', async () => {
	await account('smtp', { user: 'none', password: 'none', host: '127.0.0.1' });
	const link = 'https://events.example.org/p/demo/live';
	const workflow = await imported(
		'invitation-with-calendar',
		({ name, parameters }) =>
			// No session of the sandbox is today.
			name === 'Sessions of today'
				? { parameters: { ...parameters, filters: { status: 'upcoming' } } }
				: {},
		upcoming,
		{
			'When somebody registers': [
				{ session_id: upcoming.id, email: 'ada@example.org', join_link: link },
			],
			'Send the invitation': [{ accepted: true }],
			'Send the reminder': [{ accepted: true }],
		},
	);
	const invitation = await run(workflow, 'When somebody registers');
	expect(invitation.output('Calendar file')).toMatchObject([
		{
			session_id: upcoming.id,
			has_join_link: true,
			file_name: expect.stringMatching(/\.ics$/) as string,
		},
	]);
	const reminded = (await run(workflow)).output('Who is registered');
	expect(reminded.length).toBeGreaterThan(0);
	for (const person of reminded) expect(person['join_link']).toMatch(/^https:/);
});

/** The people of the held session, whose session is older than what the kits look at. */
const allPast: Change = ({ name, parameters }) =>
	name === 'Sessions of the last week'
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
	await account('salesforceOAuth2Api', { clientId: 'none', clientSecret: 'none' });
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
	const workflow = await imported('campaign-members-salesforce', allPast, past, pinned);
	const night = await run(workflow);
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

	const event = await run(workflow, 'When something happens');
	expect(event.output('Who they are')).toMatchObject([
		{ email: 'new@example.org', status: 'Registered', contact_id: '', lead_id: '' },
	]);
	expect(event.output('Add the new lead')).toHaveLength(1);
});

test('HubSpot knows how far everybody got, by each event and by the night', async () => {
	await account('hubspotAppToken', { appToken: 'none' });
	const pinned = {
		'The contact': [{ vid: 1 }],
		'When something happens': [registration('new@example.org')],
	};
	const workflow = await imported('campaign-members-hubspot', allPast, past, pinned);
	const night = (await run(workflow)).output('The furthest of each');
	expect(new Set(night.map(({ email }) => email)).size).toBe(night.length);
	expect(counted(night)).toMatchObject({
		Registered: expect.any(Number) as number,
		Attended: expect.any(Number) as number,
	});
	const event = await run(workflow, 'When something happens');
	expect(event.output('The furthest of each')).toMatchObject([
		{ email: 'new@example.org', status: 'Registered', webinar: past.name },
	]);
});

test('a recording becomes a recap, and one that is too large is named', async () => {
	const model = await scriptedModel([() => ({ text: 'It was about numbers.' })]);
	await account('openAiApi', { apiKey: 'none', url: model.url });
	await account('slackApi', { accessToken: 'none' });
	const ready = { session_id: past.id, event_title: past.name, file_size: 1_000 };
	const recorded = (number: number) => ({ ...ready, recording_id: seededId('recording', number) });
	const pinned = {
		'When a recording is ready': [recorded(2), { ...recorded(1), file_size: 2_000 }],
		Transcribe: [{ text: 'Numbers, and more numbers.' }],
		'Post the recap': [{ ok: true }],
		'Say that it is too large': [{ ok: true }],
	};
	const workflow = await imported('recording-to-recap', undefined, past, pinned);
	const execution = await run(workflow, 'When a recording is ready');
	expect(execution.output('Download')).toMatchObject([{ id: seededId('recording', 2) }]);
	expect(execution.output('Summarize')).toMatchObject([{ text: 'It was about numbers.' }]);
	expect(JSON.stringify(model.asked[0]?.messages)).toContain('Numbers, and more numbers.');

	const small = await imported(
		'recording-to-recap',
		({ name, parameters }) =>
			name === 'Download'
				? { parameters: { ...parameters, options: { maxFileSize: 0.0001 } } }
				: {},
		past,
		pinned,
	);
	const refused = await run(small, 'When a recording is ready');
	expect(refused.output('Say that it is too large')).toHaveLength(1);
	expect(refused.output('Post the recap')).toEqual([]);
});

test('a form on a page registers people, and shows the link only to those who are new', async () => {
	const answers = ['Show the link', 'Say that it is known', 'Say what went wrong'];
	const pinned = Object.fromEntries(answers.map((node) => [node, [{ ok: true }]]));
	const answerTo = async (email: string) => {
		const filledIn = { 'First name': 'Ada', 'Last name': 'Lovelace', Email: email };
		const form = { ...pinned, 'When somebody fills in the form': [filledIn] };
		const workflow = await imported('form-on-your-own-page', undefined, upcoming, form);
		const execution = await run(workflow, 'When somebody fills in the form');
		return answers.filter((node) => execution.output(node).length > 0);
	};
	expect(await answerTo('form@example.org')).toEqual(['Show the link']);
	expect(await answerTo('form@example.org')).toEqual(['Say that it is known']);
	expect(await answerTo('refused@a_host.example')).toEqual(['Say what went wrong']);
	expect(await registered(sandbox)).toContain('form@example.org');
});

test('what an MCP client proposes is registered only when a person has approved it', async () => {
	await account('slackApi', { accessToken: 'none' });
	await account('httpBearerAuth', { token: 'none' });
	const answered = (approved: boolean) =>
		imported('mcp-server-with-approval', undefined, upcoming, {
			'Ask in Slack': [{ data: { approved } }],
		});
	// The first run makes the table.
	expect((await run(await answered(true))).output('Ask in Slack')).toEqual([]);
	const table = 'Proposed registrations';
	for (const [email, approved] of [
		['refused@example.org', false],
		['approved@example.org', true],
	] as const) {
		const proposal = { email, first_name: 'A', last_name: 'Gent', session_id: upcoming.id };
		await addRow(table, { ...proposal, status: 'proposed' });
		await run(await answered(approved));
	}
	expect((await rowsOf(table)).map(({ email, status }) => [email, status])).toEqual([
		['refused@example.org', 'refused'],
		['approved@example.org', 'registered'],
	]);
	expect(await registered(sandbox)).toContain('approved@example.org');
	expect(await registered(sandbox)).not.toContain('refused@example.org');
});

test('a list and a session in step: what would change is asked for, and happens when approved', async () => {
	const { url, deliveries: messages } = await openReceiver();
	const there = await registered(sandbox);
	// Ten people have left the list, and the sample's thirty have come.
	const stays = there.slice(10).map((email) => ({ json: { email } }));
	const jsCode = (code: unknown) => `${String(code).replace('return ', 'const sample = ')}
return [...sample, ...${JSON.stringify(stays)}];`;
	const workflow = await imported('list-and-session-in-step', ({ name, parameters }) => {
		if (name === 'Ask in the channel') return { parameters: { ...parameters, url } };
		if (name === 'The list') return { parameters: { jsCode: jsCode(parameters.jsCode) } };
		if (name !== 'What would change' && name !== 'Sync') return {};
		const options = { ...(parameters.options as object), removeOthers: true, mostRemovals: 10 };
		return { parameters: { ...parameters, options } };
	});
	const { executionId } = await tested.editor.post<{ executionId: string }>(
		`/rest/workflows/${workflow.id}/run`,
		{ triggerToStartFrom: { name: 'Now' } },
	);
	await until('the question', () => Promise.resolve(messages[0]));
	const text = String(messages[0]?.body['text']);
	expect(text).toMatch(/^30 people would be added, 0 updated and 10 removed, in \d+ requests/);
	expect(await registered(sandbox)).toEqual(there);

	const page = await browser.page.context().newPage();
	// n8n has the form a moment after the question: as soon as the run has been saved as waiting.
	await until('the form', async () => {
		await page.goto(/http\S+$/.exec(text)?.[0] ?? '');
		return (await page.locator('select').count()) > 0;
	});
	await page.locator('select').selectOption('Change them');
	await page.locator('#submit-btn').click();
	const execution = await executionEnd(tested.editor, executionId);
	await page.close();
	expect(execution.error).toBeUndefined();
	expect(counts(execution, 'Sync')).toEqual({ added: 30, unchanged: stays.length, removed: 10 });
	expect(await registered(sandbox)).toHaveLength(there.length + 20);

	// The list and the session are in step now, so nobody is asked.
	await run(workflow);
	expect(messages).toHaveLength(1);
});

test('the registrants of a canceled session move to another one, each once', async () => {
	const canceled = await otherSession();
	for (const email of ['moves@example.org', 'comes.too@example.org']) {
		await sandbox.register(email, {}, canceled);
	}
	const workflow = await imported('move-registrants', ({ name, parameters }) => {
		const isFrom = name === 'Registrants of the canceled session';
		return isFrom ? { parameters: { ...parameters, sessionId: byId(canceled) } } : {};
	});
	const before = await registered(sandbox);
	const execution = await run(workflow);
	const movers = await registered(sandbox, canceled);
	expect(counts(execution, 'Register for the other session')).toEqual({ added: movers.length });
	expect(await registered(sandbox)).toEqual([...before, ...movers].sort());

	const again = await run(workflow);
	expect(counts(again, 'Register for the other session')).toEqual({ unchanged: movers.length });
});

test('recordings go to a folder, each once, after a run that could not save them as well', async () => {
	const savingTo = (place: string) =>
		imported('recordings-to-a-folder', ({ name, parameters }) => {
			const fileName = String(parameters.fileName).replace('/home/node/.n8n-files', place);
			return name === 'To the folder' ? { parameters: { ...parameters, fileName } } : {};
		});
	const { id: forbidden = '' } = await savingTo('/forbidden');
	expect((await execute(tested.editor, forbidden, 'Now')).error).toBeDefined();

	const workflow = await savingTo(folder);
	const execution = await run(workflow);
	const downloaded = execution.output('Download');
	expect(downloaded.length).toBeGreaterThan(0);
	const files = await readdir(folder);
	expect(files.sort()).toEqual(
		downloaded
			.map((recording) => `${String(recording.session_id)} ${String(recording.file_name)}`)
			.sort(),
	);
	const sizes = await Promise.all(files.map(async (name) => (await stat(join(folder, name))).size));
	expect(sizes.sort()).toEqual(downloaded.map(({ file_size }) => file_size).sort());

	expect((await run(workflow)).output('Download')).toEqual([]);
});

test('an agent finds the sessions with its tools and registers who it is asked to', async () => {
	const model = await scriptedModel([
		() => ({ use: 'Find_sessions', with: {} }),
		() => ({
			use: 'Register_a_person',
			with: {
				session_id: upcomingSession,
				email: 'agent@example.org',
				first_name: 'A',
				last_name: 'Gent',
			},
		}),
		() => ({ text: 'Done: agent@example.org is registered.' }),
	]);
	await account('openAiApi', { apiKey: 'none', url: model.url });
	const workflow = await imported('agent-with-the-platform');
	const execution = await run(workflow, 'When a message arrives', {
		chatInput: 'Register agent@example.org for the next session.',
		sessionId: 'a chat',
		action: 'sendMessage',
	});

	expect(execution.output('Agent')).toMatchObject([
		{ output: 'Done: agent@example.org is registered.' },
	]);
	expect(model.asked[0]?.tools?.map(({ function: { name } }) => name).sort()).toEqual([
		'Find_sessions',
		'People_of_a_session',
		'Register_a_person',
	]);
	expect(JSON.stringify(model.asked[1]?.messages)).toContain('Americas');
	expect(JSON.stringify(model.asked[2]?.messages)).toContain('registered');
	expect(await registered(sandbox)).toContain('agent@example.org');
});

test('a Google Sheet to bulk registration: Slack hears how many, who is not registered, and why', async () => {
	await account('googleSheetsOAuth2Api', { clientId: 'none', clientSecret: 'none' });
	await account('slackApi', { accessToken: 'none' });
	const [registeredEmail = ''] = await registered(sandbox);
	const emails = ['sheet@example.org', 'Sheet@Example.org', registeredEmail, 'no-address'];
	const rows = emails.map((email, index) => ({ row_number: index + 2, Email: email }));
	const pinned = { 'The guest list': rows, 'Tell Slack': [{ ok: true }] };
	const workflow = await imported('google-sheet-to-slack', undefined, upcoming, pinned);
	const said = async () =>
		String((await run(workflow)).output('Write the message')[0]?.['text']).split('\n');

	expect(await said()).toEqual([
		'1 registered, 1 already registered, 1 not registered, 1 twice on the sheet',
		expect.stringMatching(/^• no-address: .*not an email address/) as string,
	]);
	expect(await registered(sandbox)).toContain('sheet@example.org');
	expect((await said())[0]).toMatch(/^0 registered, 2 already registered, 1 not registered/);
});

test('a HubSpot list and a session in step: only after a yes in Slack', async () => {
	await account('hubspotAppToken', { appToken: 'none' });
	const url = await hubSpot(102);
	const there = await registered(sandbox);
	const answered = (approved: boolean) =>
		imported(
			'hubspot-list-in-step',
			({ parameters }) => {
				const own = String(parameters.url).replace('https://api.hubapi.com', url);
				return { parameters: { ...parameters, ...('url' in parameters && { url: own }) } };
			},
			upcoming,
			{ 'Ask in Slack': [{ data: { approved } }] },
		);

	const no = await run(await answered(false));
	expect(no.output('Write the question')[0]?.['text']).toContain(
		'101 people would be added, 0 updated and 0 removed',
	);
	expect(no.output('Sync')).toEqual([]);
	expect(await registered(sandbox)).toEqual(there);

	const yes = await run(await answered(true));
	expect(counts(yes, 'Sync')).toEqual({ added: 101 });
	expect(await registered(sandbox)).toHaveLength(there.length + 101);
});

test('the attendance of every session that ended goes to the CRM, with the minutes', async () => {
	await account('hubspotAppToken', { appToken: 'none' });
	const sessions = ['First', 'Second'].map((title) => ({ id: past.id, event_title: title }));
	const pinned = { 'When a session has ended': sessions, 'Update the contact': [{ vid: 1 }] };
	const workflow = await imported('attendance-to-crm', undefined, past, pinned);
	const byHand = await run(workflow);
	const onItsOwn = await run(workflow, 'When a session has ended');
	for (const execution of [byHand, onItsOwn]) {
		const people = execution.output('People of the session');
		const attended = people.filter((person) => person['attended'] === true);
		const written = execution.output('Minutes of each person');
		expect(written.length).toBeGreaterThan(0);
		expect(written.length).toBeLessThan(people.length);
		expect(written).toMatchObject(
			attended.map(({ email, attendance_minutes: minutes }) => ({
				email,
				minutes: Math.round(Number(minutes)),
			})),
		);
	}
	const titles = new Set(onItsOwn.output('Minutes of each person').map(({ webinar }) => webinar));
	expect(titles).toEqual(new Set(sessions.map(({ event_title: title }) => title)));
});

/** Adds a row to a data table of n8n. */
async function addRow(table: string, row: Record<string, string>): Promise<void> {
	const dataTableId = { __rl: true, mode: 'name', value: table };
	const schema = Object.keys(row).map((id) => ({
		id,
		displayName: id,
		type: 'string',
		display: true,
		required: false,
		defaultMatch: false,
	}));
	const columns = { mappingMode: 'defineBelow', value: row, matchingColumns: [], schema };
	const of = { resource: 'row', operation: 'insert', dataTableId, columns };
	const added = workflowOf('Row', manual, node('Row', 'n8n-nodes-base.dataTable', of, 1.1));
	await run({ ...added, id: await saved(tested.editor, added) }, 'Start');
}

/** Gives the rows of a data table of n8n. */
async function rowsOf(table: string) {
	const dataTableId = { __rl: true, mode: 'name', value: table };
	const of = { resource: 'row', operation: 'get', dataTableId, returnAll: true };
	const rows = workflowOf('Rows', manual, node('Rows', 'n8n-nodes-base.dataTable', of, 1.1));
	return (await run({ ...rows, id: await saved(tested.editor, rows) }, 'Start')).output('Rows');
}

type Change = (node: WorkflowNode) => Partial<WorkflowNode>;
/** The items that nodes are said to have given, in place of running them. */
type Pinned = Record<string, Array<Record<string, unknown>>>;

/** Imports an example as a person would, looks at it in the editor, and changes what the test has to. */
async function imported(file: string, change?: Change, session = upcoming, pinned?: Pinned) {
	const published = await readExample(`${file}.json`);
	const ready = prepared(published, credentials, session, credentialTypeOf);
	const example = { ...ready, nodes: ready.nodes.map(chosenElsewhere) };
	const workflow = await ensureWorkflow(tested.editor, example);
	await canvas.open(workflow.id ?? '');
	expect(await canvas.part('node-issues').count()).toBe(0);
	await canvas.pictureOfNodes(`example-${file}`);
	if (!change && !pinned) return workflow;
	const nodes = example.nodes.map((node) => ({ ...node, ...change?.(node) }));
	const name = `${example.name}, changed ${randomUUID()}`;
	const pinData = Object.fromEntries(
		Object.entries(pinned ?? {}).map(([node, items]) => [node, items.map((json) => ({ json }))]),
	);
	return ensureWorkflow(tested.editor, { ...example, nodes, name, pinData });
}

/** The accounts that people connect, by the nodes that ask for them. */
const accountTypes: Readonly<Record<string, string>> = {
	emailSend: 'smtp',
	googleSheets: 'googleSheetsOAuth2Api',
	hubspot: 'hubspotAppToken',
	lmChatOpenAi: 'openAiApi',
	mcpTrigger: 'httpBearerAuth',
	openAi: 'openAiApi',
	salesforce: 'salesforceOAuth2Api',
	slack: 'slackApi',
};

function credentialTypeOf(node: WorkflowNode): string | undefined {
	const { nodeCredentialType: chosen } = node.parameters;
	if (typeof chosen === 'string') return chosen;
	return accountTypes[node.type.split('.').at(-1) ?? ''] ?? ownCredentialType(node);
}

/** Makes the choices of a person in lists of services that are out of reach here. */
function chosenElsewhere(node: WorkflowNode): WorkflowNode {
	const parameters = { ...node.parameters };
	const names = { documentId: 'Guests', sheetName: 'Sheet1', channelId: 'webinars' };
	for (const [name, cachedResultName] of Object.entries(names)) {
		if (!(name in parameters)) continue;
		parameters[name] = { __rl: true, mode: 'list', value: 'C01', cachedResultName };
	}
	return { ...node, parameters };
}

/** An account of a service that is out of reach here: the nodes that use it are pinned. */
async function account(type: string, data: Record<string, unknown>) {
	const name = type;
	const created = await tested.editor.post<SavedCredential>('/rest/credentials', {
		name,
		type,
		data,
	});
	// The account of an earlier test may lead to a server that has ended its script.
	credentials = [...credentials.filter((credential) => credential.type !== type), created];
}

async function run(
	{ id = '' }: Workflow,
	trigger = 'Now',
	received?: Record<string, unknown>,
): Promise<Execution> {
	const execution = await execute(tested.editor, id, trigger, received);
	expect(execution.error).toBeUndefined();
	return execution;
}

async function listening({ id = '' }: Workflow, isListening: () => Promise<boolean>) {
	await publish(tested.editor, id);
	await until('the workflow to listen', isListening);
}

async function isSubscribed(event: string) {
	return (await sandbox.subscriptions()).some((subscription) => subscription.event === event);
}

/** The last execution, when there are so many. */
async function latest({ id = '' }: Workflow, count: number): Promise<Execution> {
	const executionIds = await until(`execution ${count} of the workflow`, async () => {
		const ids = await executionsOf(tested.editor, id);
		return ids.length >= count && ids;
	});
	const execution = await executionEnd(tested.editor, executionIds.at(-1) ?? '');
	expect(execution.error).toBeUndefined();
	return execution;
}

function counts(execution: Execution, node: string) {
	return counted(execution.output(node));
}

/** How many have each status. */
function counted(people: Array<Record<string, unknown>>): Record<string, number> {
	const tally: Record<string, number> = {};
	for (const { status } of people) {
		tally[String(status)] = (tally[String(status)] ?? 0) + 1;
	}
	return tally;
}

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
	const { data } = await sandbox.api.get<{ data: Array<{ id: string }> }>('/sessions', {
		params: { 'filter[status]': 'upcoming' },
	});
	return data.data.find(({ id }) => id !== upcoming.id)?.id ?? '';
}
