import { execute } from '../../host/execution';
import { until } from '../../host/until';
import { seededId } from '../../sandbox/seed/ids';
import { registered } from '../support/platform/registrants';
import { counts, ExampleScene, upcoming, type Change } from './exampleScene';

let scene: ExampleScene;

beforeAll(async () => {
	scene = await ExampleScene.open();
});

afterAll(() => scene.close());

const replaced = (parameters: Record<string, unknown>, words: string, others: string) =>
	JSON.parse(JSON.stringify(parameters).replace(words, others)) as Record<string, unknown>;

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

		// Three to come, and the one that goes on.
		expect((await scene.run(workflow)).output('One calendar')).toMatchObject([
			{ session_count: 4 },
		]);
		const { text, requests } = await withRequests(() => fetch(address));
		expect(requests).toBe(0);
		expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(4);
		expect(text).toContain('Product Tour: Autumn Release – Europe');
		expect((await fetch(address)).headers.get('content-type')).toContain('text/calendar');

		expect((await scene.run(workflow)).output('One calendar')).toEqual([]);
		await scene.sandbox.api.patch(`/sessions/${seededId('session', 2)}`, {
			data: { type: 'sessions', attributes: { name: 'New York' } },
		});
		expect((await scene.run(workflow)).output('One calendar')).toHaveLength(1);
		expect(await (await fetch(address)).text()).toContain('New York');

		// A list of no session at all may be a fault of the platform.
		const noneAtAll: Change = ({ name, parameters }) =>
			name === 'Sessions since yesterday'
				? { parameters: { ...parameters, filters: { dateFrom: '2100-01-01' } } }
				: {};
		await scene.run(await scene.imported('calendar-to-subscribe-to', noneAtAll));
		expect((await (await fetch(address)).text()).match(/BEGIN:VEVENT/g)).toHaveLength(4);

		const noneIsMeant: Change = ({ name, parameters }) =>
			name === 'Only these webinars'
				? { parameters: replaced(parameters, "includes('')", "includes('another title')") }
				: {};
		const last = await scene.imported('calendar-to-subscribe-to', noneIsMeant);
		await scene.run(last);
		expect(await (await fetch(address)).text()).toBe(
			'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//n8n//Webinars//EN\r\nEND:VCALENDAR\r\n',
		);
		expect((await scene.run(last)).output('Keep the calendar')).toEqual([]);
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

test('two dates of one name at one time can be told apart', async () => {
	const date = { name: 'Europe', timezone: 'UTC', estimated_started_at: '2030-05-06T08:00:00Z' };
	const workflow = await scene.imported('one-form-several-dates', undefined, upcoming, {
		'When somebody fills in the form': [{ Email: 'dates@example.org' }],
		'Dates of the event': ['a', 'b'].map((id) => ({ ...date, id })),
		'Which dates?': [{ Dates: ['Monday, 6 May 2030, 08:00 (UTC) – Europe (2)'] }],
		'Register for each date': [{ status: 'registered' }],
		'Say what happened': [{ ok: true }],
	});
	const execution = await scene.run(workflow, 'When somebody fills in the form');
	expect(execution.output('One item for each date')).toMatchObject([{ session_id: 'b' }]);
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
