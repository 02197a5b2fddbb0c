import '../support/time/fasterClock';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { text } from '../../nodes/EventPlatform/core/values/text';
import { upcomingSession } from '../support/platform/seededIds';
import { mapped } from '../support/n8n/operation';
import {
	fresh,
	makeEvent,
	makeRegistration,
	makeSession,
} from '../support/platform/platformRecords';
import { sandboxOfFile } from '../support/platform/sandbox';
import { bulkRegister } from '../support/runs/bulkScene';
import { byId } from '../support/n8n/locators';

/** These tests look at the fields that the output Summary of Bulk Register and of Sync has for each session. */

const sandbox = sandboxOfFile({ rate: 0 });
let session: string;
const title = 'Product Tour, November';

beforeAll(async () => {
	session = await makeSession(sandbox, await makeEvent(sandbox, { title }));
});

const emails = (count: number) =>
	Array.from({ length: count }, () => `${fresh('sum')}@example.com`);
const rows = (addresses: readonly string[]) => addresses.map((email) => ({ email }));

/** The parameters with the columns of the list, for which the form of the session is read. */
const byColumns = { fields: mapped(null) };

function summary(list: readonly IDataObject[], parameters: IDataObject = byColumns) {
	const of = { sessionId: byId(session), output: 'summary', ...parameters };
	return bulkRegister(sandbox, list, { parameters: of });
}

test('is flat: what people know the session by, then counts', async () => {
	const [registeredEmail = '', ...otherEmails] = emails(61);
	await makeRegistration(sandbox, session, registeredEmail);
	const { items } = await summary(rows([registeredEmail, ...otherEmails, 'nobody']));
	expect(items.map(({ json }) => Object.entries(json))).toEqual([
		Object.entries({
			session_id: session,
			title,
			session: null,
			start: '2027-03-01T04:00:00-05:00',
			start_text: '1 Mar 2027, 10:00 Paris',
			total: 62,
			registered: 60,
			already_registered: 1,
			failed: 0,
			invalid: 1,
			duplicate: 0,
			unknown: 0,
			jobs: 2,
			requests: expect.any(Number) as number,
			seconds: expect.any(Number) as number,
		}),
	]);
});

test('a list whose people are all registered already has no failure in words, nor in counts', async () => {
	const list = emails(3);
	for (const email of list) await makeRegistration(sandbox, session, email);
	const { records, hints, error } = await summary(rows(list));
	expect(error).toBeUndefined();
	expect(records[0]).toMatchObject({ already_registered: 3, failed: 0, jobs: 1 });
	expect(JSON.stringify([records, hints])).not.toMatch(
		/"failed":[^0]|[1-9]\d* failed|"failed"[^:]/,
	);
});

test('a session that nothing else needed is not read for its title', async () => {
	const fields = mapped({ email: '={{ $json.email }}' });
	const { records, requests } = await summary(rows(emails(1)), { fields });
	expect(records[0]).toMatchObject({
		title: null,
		session: null,
		start: null,
		start_text: null,
		registered: 1,
	});
	expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('a check, a run, its summary and its hint name one figure for what the run costs, as the page does', async () => {
	const list = rows(emails(50));
	const check = await summary(list, { ...byColumns, options: { validateOnly: true } });
	const run = await summary(list);
	expect([check, run].map(({ records: [record] }) => record?.requests)).toEqual([3, 3]);
	expect(check.hints[0]).toContain('It would take about 3 requests');
	expect(run.hints[0]).toContain('50 registered, 3 requests');
});

test('Sync has the same columns, and its dry run the jobs that a run would start', async () => {
	const more = { operation: 'sync', options: { dryRun: true }, ...byColumns };
	const { records } = await summary(rows(emails(51)), more);
	expect(records).toMatchObject([
		{ session_id: session, title, start: expect.any(String) as string, would_add: 51, jobs: 2 },
	]);
});

test('a session that is full takes one request, and everybody has that reason', async () => {
	await sandbox.web.post('/_sandbox/try/fill', {});
	const parameters: INodeParameters = { sessionId: byId(upcomingSession) };
	const { records, writes } = await bulkRegister(sandbox, rows(emails(60)), {
		parameters,
		settings: { onError: 'continueRegularOutput' },
	});
	await sandbox.web.post('/_sandbox/try/reset', {});
	const reasons = new Set(records.map(({ reason }) => text(reason)));
	expect([...reasons]).toEqual([expect.stringContaining('is full: nobody else can register')]);
	expect(writes).toEqual(['POST registerInBulk']);
});
