import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { describeRequest, mapped } from '../support/n8n/operation';
import { byId } from '../support/n8n/locators';
import { tokenCredential } from '../support/n8n/engineConsent';
import { fresh, makeRegistration, makeSession } from '../support/platform/platformRecords';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { bulkRegister } from '../support/runs/bulkScene';
import { startTestServer } from '../support/platform/testServer';

/** People of a list who are registered already. */

let sandbox: TestSandbox;
let session: string;

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 0 });
});

beforeEach(async () => {
	session = await makeSession(sandbox);
});

/** Registers so many people; gives their emails and IDs. */
async function present(count: number, sessionId = session) {
	const emails = Array.from({ length: count }, () => `${fresh('present')}@example.com`);
	const ids = new Map<string, string>();
	for (const email of emails) ids.set(email, await makeRegistration(sandbox, sessionId, email));
	return { emails, ids };
}

async function run(emails: readonly string[], parameters: IDataObject = {}, more = {}) {
	const before = (await sandbox.requests()).length;
	const outcome = await bulkRegister(
		sandbox,
		emails.map((email) => ({ email })),
		{ parameters: { sessionId: byId(session), ...parameters }, ...more },
	);
	const requests = (await sandbox.requests()).slice(before).map(describeRequest);
	const lookups = requests.filter((request) => /^GET \/sessions\/[^/]+\/people/.test(request));
	return { ...outcome, records: outcome.items.map(({ json }) => json), lookups };
}

const newcomer = () => `${fresh('new')}@example.com`;

test('one of them is asked for by email, and has the ID and nothing that repeats the status', async () => {
	const { emails, ids } = await present(1);
	const [email = ''] = emails;
	const { records, lookups } = await run([newcomer(), email.toUpperCase()]);
	expect(lookups).toEqual([`GET /sessions/${session}/people?filter[email]=${email}`]);
	expect(records[1]).toMatchObject({
		email: email.toUpperCase(),
		status: 'already_registered',
		reason: null,
		code: null,
		name: 'Ada Lovelace',
		person_id: ids.get(email),
	});
});

test('several have their IDs from one page of the list, each session its own', async () => {
	const otherSession = await makeSession(sandbox);
	const [here, there] = [await present(12), await present(2, otherSession)];
	const sessionId = byId('={{ $json.session }}');
	const items = [
		...here.emails.map((email) => ({ email, session })),
		...there.emails.map((email) => ({ email, session: otherSession })),
	];
	const { records, lookups } = await run([], { sessionId }, { scene: { items } });
	expect(records.map(({ person_id }) => person_id)).toEqual([
		...here.ids.values(),
		...there.ids.values(),
	]);
	const page = 'people?page[number]=0&page[size]=50';
	expect(lookups).toEqual([
		`GET /sessions/${session}/${page}`,
		`GET /sessions/${otherSession}/${page}`,
	]);
});

test('several of a session that fills more than a page are not asked for, and a single one still is', async () => {
	const { emails, ids } = await present(51);
	// The session was read for its form, so its number of people is known.
	const byColumns = { fields: mapped(null) };
	const many = await run([newcomer(), ...emails.slice(0, 3)], byColumns);
	expect(many.lookups).toEqual([]);
	expect(many.records.slice(1)).toMatchObject(
		emails.slice(0, 3).map((email) => ({ email, status: 'already_registered', person_id: null })),
	);
	const [email = ''] = emails;
	const single = await run([email], byColumns);
	expect(single.records).toMatchObject([{ person_id: ids.get(email) }]);
	expect(single.lookups).toHaveLength(1);
});

test('of a session whose size is not known one page is tried, and everybody or nobody has an ID', async () => {
	const { emails, ids } = await present(51);
	const [first = '', second = ''] = emails;
	const onPage = await run([first, second]);
	expect(onPage.records.map(({ person_id }) => person_id)).toEqual([
		ids.get(first),
		ids.get(second),
	]);
	const beyond = await run([first, emails.at(-1) ?? '']);
	expect(beyond.records.map(({ person_id }) => person_id)).toEqual([null, null]);
	expect([onPage.lookups.length, beyond.lookups.length]).toEqual([1, 1]);
});

test.each([
	['only people not registered', { output: 'failed' }],
	['a summary', { output: 'summary' }],
	['a dry run', { options: { validateOnly: true } }],
	['a run that waits for nobody', { options: { waitForCompletion: false } }],
])('%s has no use for their IDs, and does not ask', async (_, parameters) => {
	const { emails } = await present(1);
	expect((await run(emails, parameters)).lookups).toEqual([]);
});

test('without one of them nothing is asked', async () => {
	await present(1);
	expect((await run([newcomer(), 'nobody'])).lookups).toEqual([]);
});

test('where the platform does not show the list, the run is as good without', async () => {
	const { emails } = await present(2);
	const { baseUrl } = await startTestServer((response, { method, url = '', headers }, body) => {
		if (/\/people\?/.test(url)) {
			response.statusCode = 403;
			response.end();
			return;
		}
		const { authorization = '', 'content-type': type = '' } = headers;
		const asked = { method, headers: { authorization, ...(type && { 'content-type': type }) } };
		void fetch(`${sandbox.baseUrl}${url}`, { ...asked, ...(body && { body }) }).then(
			async (answer) => {
				response.statusCode = answer.status;
				response.end(await answer.text());
			},
		);
	});
	const credential = tokenCredential({ ...sandbox, baseUrl });
	const { records, error } = await run(emails, {}, { scene: { credential } });
	expect(error).toBeUndefined();
	expect(records).toMatchObject(
		emails.map((email) => ({ email, status: 'already_registered', person_id: null })),
	);
});
