import { execute } from '../../host/execution';
import { until } from '../../host/until';
import { seededId } from '../../sandbox/seed/ids';
import { otherSession } from '../support/platform/seededIds';
import { registered } from '../support/platform/registrants';
import { counts, ExampleScene, upcoming, type Change } from './exampleScene';

let scene: ExampleScene;

beforeAll(async () => {
	scene = await ExampleScene.open();
});

afterAll(() => scene.close());

/** Fills in a form as its page does, and gives the page that answers. */
async function filledIn(
	form: string,
	answers: Record<string, File | string>,
	headers: Record<string, string> = {},
): Promise<string> {
	const body = new FormData();
	for (const [name, value] of Object.entries(answers)) body.set(name, value);
	const answer = await fetch(form, { method: 'POST', body, headers });
	expect(answer.status).toBe(200);
	const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
	const status = formWaitingUrl.replace('?', '/n8n-execution-status?');
	const isReady = async () => (await (await fetch(status)).text()) === 'form-waiting';
	await until('the answer', isReady);
	return await (await fetch(formWaitingUrl)).text();
}

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

		await scene.run(workflow, 'Every hour');
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

	test('a calendar has all sessions, is made anew after a change, and its subscribers cost no requests', async () => {
		const workflow = await scene.imported('calendar-to-subscribe-to');
		const address = `${scene.tested.n8n.url}/webhook/webinars.ics`;
		await scene.listening(workflow, async () => (await fetch(address)).ok);
		expect(await (await fetch(address)).text()).toMatch(/^BEGIN:VCALENDAR\r\n/);

		// Three to come, the one that goes on, and the one that was canceled.
		expect((await scene.run(workflow, 'Every night')).output('One calendar')).toMatchObject([
			{ session_count: 5 },
		]);
		const { text, requests } = await withRequests(() => fetch(address));
		expect(requests).toBe(0);
		expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(5);
		expect(text.match(/STATUS:CANCELLED/g)).toHaveLength(1);
		expect(text).toContain('Product Tour: Autumn Release – Europe');
		expect((await fetch(address)).headers.get('content-type')).toContain('text/calendar');

		const session = `/sessions/${otherSession}`;
		const changed = async (attributes: object) => {
			await scene.sandbox.api.patch(session, { data: { type: 'sessions', attributes } });
			await scene.run(workflow, 'When sessions change');
			return await (await fetch(address)).text();
		};
		expect(await changed({ name: 'New York' })).toContain('New York');

		// A list of no session at all may be a fault of the platform.
		const noneAtAll: Change = ({ name, parameters }) =>
			name === 'Sessions since yesterday'
				? { parameters: { ...parameters, filters: { dateFrom: '2100-01-01' } } }
				: {};
		const empty = await scene.imported('calendar-to-subscribe-to', noneAtAll);
		expect((await scene.run(empty, 'Every night')).output('Keep the calendar')).toEqual([]);
		expect((await (await fetch(address)).text()).match(/BEGIN:VEVENT/g)).toHaveLength(5);
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
	const uploaded = (list: Buffer | string) =>
		filledIn(form, { 'field-0': new File([list], 'list.csv', { type: 'text/csv' }) }, headers);

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

	/** Windows-1252, in which ’ and œ are the bytes 92 and 9C. */
	const inWindows = (list: string) =>
		Buffer.from(list.replaceAll('’', '\u0092').replaceAll('œ', '\u009c'), 'latin1');
	const inUnicodeText = (list: string) =>
		Buffer.from(`\ufeff${list.replaceAll(';', '\t')}`, 'utf16le');

	test.each([
		['letters of an older Excel', 'windows', inWindows],
		["Excel's Unicode Text", 'unicode', inUnicodeText],
		['UTF-8', 'utf8', (list: string) => Buffer.from(`\ufeff${list}`)],
	])('semicolons, headers of another language and %s are understood', async (_, name, written) => {
		const email = `${name}.upload@example.org`;
		const list = `Vorname;Nachname;E-Mail\r\nJürgen;D’Œuvre-Cœur;${email}\r\n`;
		const page = await uploaded(written(list.replace('Œ', 'O')));
		expect(page).toContain('1 registered');
		const { data } = await scene.sandbox.api.get<{ data: object[] }>(
			`/sessions/${upcoming.id}/people?filter[email]=${email}`,
		);
		expect(JSON.stringify(data.data)).toContain('Jürgen');
		expect(JSON.stringify(data.data)).toContain('D’Ouvre-Cœur');
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
	const [{ dates = [] } = {}] = choices.output('All choices') as Array<{
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
	expect(both.output('The answer')[0]?.['lines']).toEqual(
		dates.map(({ label }) => `${label}: registered`),
	);
});

test('a date that fails is told to the team with the name of the visitor, who reads which date it is', async () => {
	const label = '1. Monday, 6 May 2030, 08:00 (UTC)';
	const workflow = await scene.imported('one-form-several-dates', undefined, upcoming, {
		'When somebody fills in the form': [
			{ 'First name': 'Ada', 'Last name': 'Lovelace', Email: 'refused@a_host.example' },
		],
		'Dates of the event': [{ id: upcoming.id, estimated_started_at: '2030-05-06T08:00:00Z' }],
		'Which dates?': [{ Dates: [label] }],
		'Say what happened': [{ ok: true }],
	});
	const { id = '' } = workflow;
	const execution = await execute(scene.tested.editor, id, 'When somebody fills in the form');
	expect(execution.output('The answer')[0]?.['lines']).toEqual([
		`${label}: not registered, please write to us`,
	]);
	expect(execution.error).toMatch(
		/^Not registered by the form: refused@a_host.example, Ada Lovelace\. .*not a valid email/,
	);
});

test('an event without a date says so', async () => {
	const workflow = await scene.imported('one-form-several-dates', undefined, upcoming, {
		'When somebody fills in the form': [{ Email: 'dates@example.org' }],
		'Dates of the event': [{}],
		'Say that there is no date': [{ ok: true }],
	});
	const execution = await scene.run(workflow, 'When somebody fills in the form');
	expect(execution.output('Say that there is no date')).toHaveLength(1);
	expect(execution.output('Write the choices')).toEqual([]);
});

test('two dates of one name at one time can be told apart', async () => {
	const date = { name: 'Europe', timezone: 'UTC', estimated_started_at: '2030-05-06T08:00:00Z' };
	const workflow = await scene.imported('one-form-several-dates', undefined, upcoming, {
		'When somebody fills in the form': [{ Email: 'told.apart@example.org' }],
		'Dates of the event': [upcoming.id, otherSession].map((id) => ({ ...date, id })),
		'Which dates?': [{ Dates: ['2. Monday, 6 May 2030, 08:00 (UTC) – Europe'] }],
		'Say what happened': [{ ok: true }],
	});
	const execution = await scene.run(workflow, 'When somebody fills in the form');
	expect(execution.output('Register for each date')).toMatchObject([{ session_id: otherSession }]);
});

test('a form on a page registers people, and shows the link only to those who are new', async () => {
	const answers = ['Show the link', 'Say that it is known', 'Say what went wrong'];
	const pinned = Object.fromEntries(answers.map((node) => [node, [{ ok: true }]]));
	const errors: Array<string | undefined> = [];
	const answerTo = async (email: string) => {
		const filledIn = { 'First name': 'Ada', 'Last name': 'Lovelace', Email: email };
		const form = { ...pinned, 'When somebody fills in the form': [filledIn] };
		const workflow = await scene.imported('form-on-your-own-page', undefined, upcoming, form);
		const { id = '' } = workflow;
		const execution = await execute(scene.tested.editor, id, 'When somebody fills in the form');
		errors.push(execution.error);
		return answers.filter((node) => execution.output(node).length > 0);
	};
	expect(await answerTo('form@example.org')).toEqual(['Show the link']);
	expect(await answerTo('form@example.org')).toEqual(['Say that it is known']);
	expect(await answerTo('refused@a_host.example')).toEqual(['Say what went wrong']);
	expect(await registered(scene.sandbox)).toContain('form@example.org');
	// The team is told who is missing, and why.
	expect(errors).toEqual([
		undefined,
		undefined,
		expect.stringMatching(/^Not registered by the form: refused@a_host.example, Ada Lovelace. /),
	]);
});

test('who cannot be registered by a form reads a sentence that fits', async () => {
	const workflow = await scene.imported('form-on-your-own-page', () => ({}));
	const form = `${scene.tested.n8n.url}/form/register`;
	await scene.listening(workflow, async () => (await fetch(form)).ok);
	const answerTo = (email: string) =>
		filledIn(form, { 'field-0': 'Ada', 'field-1': 'Lovelace', 'field-2': email });
	expect(await answerTo('refused@a_host.example')).toContain('Please check the email address');
	await scene.sandbox.faults([{ match: { method: 'POST', path: '/v1/*' }, do: 'empty-403' }]);
	const page = await answerTo('kept.out@example.org');
	expect(page).toContain('We could not register you at the moment.');
	expect(page).not.toContain('check the email address');
});
