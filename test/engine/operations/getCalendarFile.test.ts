import '../../support/time/fasterClock';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ICAL from 'ical.js';
import type { RunScene } from '../../support/n8n/engine';
import { storeFilesIn } from '../../support/n8n/engineFiles';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { makeEvent, makeSession } from '../../support/platform/platformRecords';
import { operate, type OperationRun } from '../../support/n8n/operation';
import { startTestServer } from '../../support/platform/testServer';
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

function entryIn({ items, error }: OperationRun, field = 'data', index = 0): ICAL.Event {
	if (error) throw error;
	const file = readFileSync(pathOf(items[index]?.binary?.[field]?.id ?? ''), 'utf8');
	const calendar = new ICAL.Component(ICAL.parse(file) as unknown[]);
	return new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined);
}

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

test('each person gets an own file, for one request for the session', async () => {
	const items = [{ link }, { link: `${link}2` }, { link: null }];
	const outcome = await calendarFile(
		{ joinLink: '={{ $json.link }}', binaryPropertyName: 'invitation' },
		{ items },
	);
	const places = items.map((_, index) => entryIn(outcome, 'invitation', index).location);
	expect(places).toEqual([link, `${link}2`, expect.stringMatching(/\/e\//)]);
	expect(outcome.records.map((record) => record.has_join_link)).toEqual([true, true, false]);
	expect(outcome.hints).toEqual([expect.stringMatching(/^'Join Link' was empty for some items/)]);
	expect(outcome.sent).toHaveLength(1);
	// The link stands in the file alone.
	expect(JSON.stringify(outcome.records)).not.toContain('s3cret');
	for (const request of outcome.sent) expect(request).not.toContain('s3cret');
});

test.each(['s3cret', 'javascript:s3cret', 'ftp://x.example/s3cret', '{"a": "s3cret"}'])(
	'what is no web address is refused without being quoted: %s',
	async (joinLink) => {
		const { error } = await calendarFile({ joinLink });
		expect(error?.message).toBe("'Join Link' is not a web address");
		expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
	},
);

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

async function onPlatform(attributes: object): Promise<OperationRun> {
	const { baseUrl } = await startTestServer((response, { url = '' }) => {
		response.statusCode = url.includes('/sessions/') ? 200 : 403;
		const data = { type: 'sessions', id: session, attributes };
		response.end(url.includes('/sessions/') ? JSON.stringify({ data }) : '');
	});
	return await calendarFile({}, { credential: tokenCredential({ ...sandbox, baseUrl }) });
}
