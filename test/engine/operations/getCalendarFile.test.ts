import '../../support/time/fasterClock';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import type { IDataObject } from 'n8n-workflow';
import type { RunScene } from '../../support/n8n/engine';
import { storeFilesIn } from '../../support/n8n/engineFiles';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { makeEvent, makeSession } from '../../support/platform/platformRecords';
import { operate, type OperationRun } from '../../support/n8n/operation';
import { startTestServer } from '../../support/platform/testServer';
import { text } from '../../../nodes/EventPlatform/core/values/text';
import { byId } from '../../support/n8n/locators';

const home = mkdtempSync(join(tmpdir(), 'calendars-'));
const link = 'https://events.example.com/live?email=ada%40example.com&key=s3cret&s=1';
let sandbox: TestSandbox;
let pathOf: (id: string) => string;
let session: string;

beforeAll(async () => {
	pathOf = await storeFilesIn(home);
	sandbox = await sandboxForTests();
	session = await makeSession(sandbox, await makeEvent(sandbox, { title: 'Tour; 🎉' }));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const calendarFile = (options: object = {}, scene: Partial<RunScene> = {}) =>
	operate(sandbox, 'session.getCalendarFile', { sessionId: byId(session), options }, scene);

function calendarIn({ items, error }: OperationRun, field = 'data', index = 0): ICAL.Component {
	if (error) throw error;
	const file = readFileSync(pathOf(items[index]?.binary?.[field]?.id ?? ''), 'utf8');
	return new ICAL.Component(ICAL.parse(file) as unknown[]);
}

function entryIn(run: OperationRun, field?: string, index?: number): ICAL.Event {
	return new ICAL.Event(calendarIn(run, field, index).getFirstSubcomponent('vevent') ?? undefined);
}

/** The place of an entry that a link to a calendar would make. */
const personalLinkIn = (record: IDataObject): string | null =>
	new URL(text(record.google_calendar_link)).searchParams.get('location');

const startsIn = (run: OperationRun): string[] =>
	calendarIn(run)
		.getAllSubcomponents('vevent')
		.map((entry) => String(entry.getFirstPropertyValue('dtstart')));

test('the date of a session comes as a file that another program reads', async () => {
	const outcome = await calendarFile();
	const entry = entryIn(outcome);
	expect(entry.uid).toContain(session);
	expect(entry.summary).toBe('Tour; 🎉');
	// 10:00 in Paris.
	expect(entry.startDate.toString()).toBe('2027-03-01T09:00:00Z');
	expect(entry.location).toMatch(/^https:.*\/e\//);
	expect(outcome.items[0]?.binary?.data).toMatchObject({
		fileName: 'Tour; 🎉.ics',
		mimeType: 'text/calendar',
		fileExtension: 'ics',
	});
});

test('links to the calendars of Google and Microsoft make the same entry, and a canceled session has none', async () => {
	const event = await makeEvent(sandbox, { title: 'Q&A + Ω' });
	sandbox.platform.store.update('events', event, { estimated_duration: 45 });
	const sessionId = await makeSession(sandbox, event);
	const ofSession = () =>
		operate(sandbox, 'session.getCalendarFile', { sessionId: byId(sessionId) });
	const [{ google_calendar_link: google, ...others } = {}] = (await ofSession()).records;
	const googleQuery = Object.fromEntries(new URL(text(google)).searchParams);
	const page = expect.stringMatching(/^https:.*\/e\//) as string;
	expect(googleQuery).toEqual({
		action: 'TEMPLATE',
		text: 'Q&A + Ω',
		dates: '20270301T090000Z/20270301T094500Z',
		details: expect.stringMatching(/^More: https:/) as string,
		location: page,
	});
	for (const name of ['outlook_link', 'office365_link']) {
		expect(Object.fromEntries(new URL(text(others[name])).searchParams)).toMatchObject({
			subject: 'Q&A + Ω',
			startdt: '2027-03-01T09:00:00Z',
			enddt: '2027-03-01T09:45:00Z',
			location: page,
		});
		// Outlook shows a "+" as it is.
		expect(others[name]).toContain('subject=Q%26A%20%2B%20%CE%A9&');
	}
	sandbox.platform.store.update('sessions', sessionId, { canceled_at: 1_700_000_000 });
	expect((await ofSession()).records).toMatchObject([
		{ google_calendar_link: null, outlook_link: null, office365_link: null },
	]);
});

test('each person gets an own file, for one request for the session', async () => {
	const items = [{ link }, { link: `${link}2` }, { link: null }, {}];
	const outcome = await calendarFile(
		{ joinLink: '={{ $json.link }}', binaryPropertyName: 'invitation' },
		{ items },
	);
	const places = items.map((_, index) => entryIn(outcome, 'invitation', index).location);
	const page = expect.stringMatching(/\/e\//) as string;
	expect(places).toEqual([link, `${link}2`, page, page]);
	const hasLink = outcome.records.map((record) => record.has_join_link);
	expect(hasLink).toEqual([true, true, false, false]);
	expect(outcome.hints).toEqual([expect.stringMatching(/^'Join Link' was empty for some items/)]);
	expect(outcome.sent).toHaveLength(1);
	// The link stands in the file, and in the links to calendars of that person, which were asked for with it.
	const withoutLinks = outcome.records.map((record) =>
		Object.fromEntries(Object.entries(record).filter(([name]) => !name.endsWith('_link'))),
	);
	expect(JSON.stringify(withoutLinks)).not.toContain('s3cret');
	expect(outcome.records.map(personalLinkIn)).toEqual([link, `${link}2`, page, page]);
	for (const request of outcome.sent) expect(request).not.toContain('s3cret');
});

test('a column that the items do not have gives a hint, as an empty one does', async () => {
	const { hints } = await calendarFile({ joinLink: '={{ $json.join_link }}' });
	expect(hints).toEqual([expect.stringMatching(/^'Join Link' was empty for some items/)]);
});

test.each(['s3cret', 'javascript:s3cret', 'ftp://x.example/s3cret', '{"a": "s3cret"}'])(
	'what is no web address is refused without being quoted: %s',
	async (joinLink) => {
		const { error } = await calendarFile({ joinLink });
		expect(error?.message).toBe("'Join Link' is not a web address");
		expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
	},
);

test('an expression that cannot be read for one item fails that item alone', async () => {
	const items = [{ link }, { link: 'broken' }];
	const joinLink = "={{ $json.link === 'broken' ? $('Nowhere').item.json.link : $json.link }}";
	const settings = { onError: 'continueRegularOutput' } as const;
	const { records } = await calendarFile({ joinLink }, { items, settings });
	expect(records.map((record) => record.has_join_link)).toEqual([true, undefined]);
});

test('the sentence and the reminder are those of the sender, and a file name has no underscore for a colon', async () => {
	const title = 'Tour: Herbst/Winter: 9:30';
	const named = await makeSession(sandbox, await makeEvent(sandbox, { title }));
	const description = 'Ihr persönlicher Link, nur für Sie:';
	const outcome = await operate(sandbox, 'session.getCalendarFile', {
		sessionId: byId(named),
		options: { description, joinLink: link, reminderMinutes: 60 },
	});
	const entry = entryIn(outcome);
	expect(entry.summary).toBe(title);
	expect(entry.description).toBe(`${description} ${link}`);
	const alarm = entry.component.getFirstSubcomponent('valarm');
	expect(String(alarm?.getFirstPropertyValue('trigger'))).toBe('-PT60M');
	const fileName = 'Tour – Herbst-Winter – 9.30.ics';
	expect(outcome.records[0]?.file_name).toBe(fileName);
	expect(outcome.items[0]?.binary?.data?.fileName).toBe(fileName);
});

test.each([-1, 1.5, 40_321, 'soon'])(
	'a reminder of %s minutes is an error',
	async (reminderMinutes) => {
		const { error } = await calendarFile({ reminderMinutes });
		expect(error?.message).toBe("'Reminder (Minutes)' must be a whole number from 0 to 40320");
	},
);

describe('one file of all items', () => {
	const oneFile = (scene: Partial<RunScene>, options: object = {}) =>
		operate(
			sandbox,
			'session.getCalendarFile',
			{ sessionId: '={{ $json.session }}', options: { oneFile: true, ...options } },
			scene,
		);
	let event: string;
	let later: string;
	let earlier: string;
	beforeAll(async () => {
		event = await makeEvent(sandbox, { title: 'Class' });
		later = await makeSession(sandbox, event, { estimated_started_at: '2027-03-08T10:00:00' });
		earlier = await makeSession(sandbox, event, { estimated_started_at: '2027-03-02T10:00:00' });
	});

	test('it has each session once, the earliest first, and belongs to all items', async () => {
		const items = [later, earlier, later].map((id) => ({ session: id }));
		const outcome = await oneFile({ items });
		expect(startsIn(outcome)).toEqual(['2027-03-02T09:00:00Z', '2027-03-08T09:00:00Z']);
		expect(outcome.records).toEqual([
			{
				session_count: 2,
				starts_at: expect.stringMatching(/^2027-03-02T/) as string,
				ends_at: expect.stringMatching(/^2027-03-08T/) as string,
				has_join_link: false,
				file_name: 'Class.ics',
			},
		]);
		expect(outcome.items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(calendarIn(outcome).getFirstPropertyValue('x-wr-calname')).toBe('Class');
		expect(outcome.sent).toHaveLength(2);
	});

	test('sessions of several events have a common name', async () => {
		const outcome = await oneFile({ items: [{ session: later }, { session }] });
		expect(outcome.records[0]?.file_name).toBe('Webinars.ics');
	});

	test('a session that cannot be read fails the calendar, instead of a part of it', async () => {
		const items = [{ session: later }, { session: 'gone' }];
		const { error, items: outputs } = await oneFile({ items });
		expect(error?.message).toBe('The platform cannot find the session (404)');
		expect(outputs).toEqual([]);
	});

	test.each([
		['one session', () => [later, later]],
		['different sessions', () => [later, earlier]],
	])('different personal links to %s never stand in one calendar', async (_, sessions) => {
		const [first, second] = sessions();
		const items = [
			{ session: first, link },
			{ session: second, link: `${link}2` },
		];
		const { error, items: outputs } = await oneFile({ items }, { joinLink: '={{ $json.link }}' });
		expect(error?.message).toBe("'One File' would put different personal links into one calendar");
		expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
		expect(outputs).toEqual([]);
	});

	test.each([[[null, link]], [[link, null]]])(
		'a personal link that only one of two items of a session has is refused: %j',
		async (links) => {
			const items = links.map((each) => ({ session: later, link: each }));
			const { error } = await oneFile({ items }, { joinLink: '={{ $json.link }}' });
			expect(error?.message).toBe(
				"'One File' would put different personal links into one calendar",
			);
		},
	);

	test('a personal link stands in the calendar of a person who has none for another session', async () => {
		const items = [{ session: later, link }, { session: earlier }];
		const outcome = await oneFile({ items }, { joinLink: '={{ $json.link }}' });
		expect(outcome.records[0]).toMatchObject({ session_count: 2, has_join_link: true });
	});

	test('items that differ in whether they share a file are an error, before anything is sent', async () => {
		const items = [{ session: later }, { session: earlier, own: true }];
		const outcome = await oneFile({ items }, { oneFile: '={{ !$json.own }}' });
		expect(outcome.error?.message).toBe('The options are not the same for all items');
		expect(outcome.sent).toEqual([]);
	});

	test('sessions without a date are left out and counted; where all are, it is an error', async () => {
		const undated = { event_id: 'e1', estimated_started_at: 0, started_at: 0 };
		const dated = { ...undated, estimated_started_at: 1_800_000_000 };
		const items = [{ session: 'a' }, { session: 'b' }];
		const some = await oneFile({ items, credential: await platformOf({ a: undated, b: dated }) });
		expect(startsIn(some)).toHaveLength(1);
		expect(some.hints).toEqual(['1 of 2 sessions have no date yet and are not in the calendar.']);
		const linked = await oneFile(
			{
				items: [{ ...items[0], link }, items[1] ?? {}],
				credential: await platformOf({ a: undated, b: dated }),
			},
			{ joinLink: '={{ $json.link }}' },
		);
		expect(linked.records[0]?.has_join_link).toBe(false);
		const none = await oneFile({ items, credential: await platformOf({ a: undated, b: undated }) });
		expect(none.error?.message).toBe('None of the sessions has a date yet');
	});
});

test('a session without a date is an error that says what to do', async () => {
	const attributes = { estimated_started_at: 0, started_at: 0, event_id: 'e1' };
	const { error } = await onPlatform(attributes);
	expect(error?.message).toBe('The session has no date yet');
});

test('a platform that does not show the event gives a file with the name of the session', async () => {
	const outcome = await onPlatform({ estimated_started_at: 1_800_000_000, name: 'Morning' });
	const entry = entryIn(outcome);
	expect([entry.summary, entry.location]).toEqual(['Morning', null]);
});

test.each([
	[503, /\(503\)/],
	[200, /./],
])(
	'a failure that passes gives no file without the title of the event: %i',
	async (status, message) => {
		const attributes = { estimated_started_at: 1_800_000_000, event_id: 'e1' };
		const { error, items } = await onPlatform(attributes, status);
		expect(error?.message).toMatch(message);
		expect(items).toEqual([]);
	},
);

async function onPlatform(attributes: object, statusOfEvent?: number): Promise<OperationRun> {
	const credential = await platformOf({ [session]: attributes }, statusOfEvent);
	return await calendarFile({}, { credential });
}

/** The credential of a platform that has these sessions, and shows no event. */
async function platformOf(sessions: Record<string, object>, statusOfEvent = 403) {
	const { baseUrl } = await startTestServer((response, { url = '' }) => {
		const [, id = ''] = /\/sessions\/([^?/]+)/.exec(url) ?? [];
		const attributes = sessions[id];
		response.statusCode = attributes ? 200 : statusOfEvent;
		response.end(attributes ? JSON.stringify({ data: { type: 'sessions', id, attributes } }) : '');
	});
	return tokenCredential({ ...sandbox, baseUrl });
}
