import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { mapped } from '../support/n8n/operation';
import { byId } from '../support/n8n/locators';
import { fresh, makeRegistration, makeSession } from '../support/platform/platformRecords';
import { tokenCredential } from '../support/n8n/engineConsent';
import { seededEvent } from '../support/platform/seededIds';
import { rewrittenSandbox } from '../support/platform/rewrittenSandbox';
import { sandboxOfFile } from '../support/platform/sandbox';
import { bulkRegister, statusesOf } from '../support/runs/bulkScene';

/** People of a list who are registered already. */

const sandbox = sandboxOfFile({ rate: 0 });
let session: string;

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
	const outcome = await bulkRegister(
		sandbox,
		emails.map((email) => ({ email })),
		{ parameters: { sessionId: byId(session), ...parameters }, ...more },
	);
	const lookups = outcome.sent.filter((request) => /^GET \/sessions\/[^/]+\/people/.test(request));
	return { ...outcome, lookups };
}

const newcomer = () => `${fresh('new')}@example.com`;

test('the same list after a correction costs two requests', async () => {
	const { emails } = await present(49);
	const { records, lookups, sent } = await run([...emails, newcomer()]);
	expect(records.map(({ status }) => status)).toEqual([
		...emails.map(() => 'already_registered'),
		'registered',
	]);
	expect(records[0]).toMatchObject({ reason: null, code: null, person_id: null });
	expect(lookups).toEqual([]);
	expect(sent).toHaveLength(2);
});

test('with Include Join Link they have their IDs, from one page of the list of each session', async () => {
	const otherSession = await makeSession(sandbox);
	const [here, there] = [await present(12), await present(2, otherSession)];
	const sessionId = byId('={{ $json.session }}');
	const items = [
		...here.emails.map((email) => ({ email, session })),
		...there.emails.map((email) => ({ email, session: otherSession })),
	];
	const parameters = { sessionId, options: { includeJoinLink: true } };
	const { records, lookups } = await run([], parameters, { items });
	expect(records.map(({ person_id }) => person_id)).toEqual([
		...here.ids.values(),
		...there.ids.values(),
	]);
	expect(lookups).toHaveLength(3);
});

test('one page tells them from others who are refused, also where the platform does not say how long a list is', async () => {
	const { emails } = await present(15);
	const refused = emails.map((_, index) => `ada${index}@my_company.example`);
	const uncounted = await rewrittenSandbox(sandbox, {
		answer: (text) => text && JSON.stringify({ ...JSON.parse(text), meta: undefined }),
	});
	const credential = tokenCredential(uncounted);
	const { records, lookups } = await run([...refused, ...emails], {}, { credential });
	expect(statusesOf(records)).toEqual({ failed: 15, already_registered: 15 });
	expect(lookups).toHaveLength(1);
});

test('nobody gets the result of another where the platform ignores for whom it is asked, and one of the two is on a later page', async () => {
	session = await makeSession(sandbox, seededEvent);
	const { emails } = await present(21);
	const ignoring = await rewrittenSandbox(sandbox, {
		url: (url) => url.replace(/filter(?:\[|%5B)email[^&]*/, ''),
	});
	const refused = { email: emails[0], team_size: 'Many' };
	const { records, lookups } = await run(
		[],
		{ fields: mapped({ email: '={{ $json.email }}', team_size: '={{ $json.team_size }}' }) },
		{ items: [{ email: emails.at(-1) }, refused], credential: tokenCredential(ignoring) },
	);
	expect(records.map(({ code }) => code)).toEqual(['not_assignable', 'not_assignable']);
	expect(lookups).toHaveLength(2);
});
