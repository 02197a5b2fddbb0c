import '../../support/time/fasterClock';
import { startPlatform } from '../../support/n8n/startPlatform';
import { sandboxOfFile } from '../../support/platform/sandbox';
import { fresh, makeRegistration, makeSession } from '../../support/platform/platformRecords';
import { mapped, operate } from '../../support/n8n/operation';
import { byId } from '../../support/n8n/locators';

const sandbox = sandboxOfFile({ rate: 10_000 });
let session: string;

beforeEach(async () => {
	session = await makeSession(sandbox);
});

const withLink = { options: { includeJoinLink: true } };
/** Matches the links that the sandbox makes, with the email and the key of the person. */
const linkOf = (email: string) =>
	expect.stringMatching(
		new RegExp(`^https://.*/live\\?email=${encodeURIComponent(email)}&key=\\w+&s=${session}$`),
	) as string;

const register = (email: string, more: object = withLink) => {
	const of = { sessionId: byId(session), fields: mapped({ email }), ...more };
	return operate(sandbox, 'registration.register', of);
};

const bulk = (emails: string[], more: object = withLink) => {
	const fields = mapped({ email: '={{ $json.email }}' });
	const of = { sessionId: byId(session), fields, ...more };
	const items = emails.map((email) => ({ email }));
	return operate(sandbox, 'registration.bulkRegister', of, { items });
};

test('registering somebody gives the join link where it is asked for, also of a person who was registered before', async () => {
	const email = `${fresh('link')}@example.com`;
	const first = await register(email);
	expect(first.records).toMatchObject([{ status: 'registered', email, join_link: linkOf(email) }]);
	expect(first.hints.join()).not.toContain('join link');
	const again = await register(email);
	expect(again.records).toMatchObject([{ status: 'already_registered', join_link: linkOf(email) }]);
	const without = await register(`${fresh('link')}@example.com`, {});
	expect(JSON.stringify(without.records)).not.toMatch(/join_link|key=/);
});

test('a registration has the join link where it is asked for', async () => {
	const email = `${fresh('link')}@example.com`;
	await makeRegistration(sandbox, session, email);
	const { records } = await operate(sandbox, 'registration.get', {
		sessionId: byId(session),
		by: 'email',
		email,
		...withLink,
	});
	expect(records).toMatchObject([{ email, join_link: linkOf(email) }]);
});

describe('the people of a session', () => {
	let email: string;
	const list = (parameters: object) =>
		operate(sandbox, 'session.getPeople', { sessionId: byId(session), ...parameters });

	beforeEach(async () => {
		email = `${fresh('link')}@example.com`;
		await makeRegistration(sandbox, session, email);
	});

	test('have the join link where it is asked for, without another request or parameter', async () => {
		const { records, sent } = await list(withLink);
		const person = records.find((record) => record.email === email);
		expect(person).toHaveProperty('join_link', linkOf(email));
		expect(sent).toEqual((await list({})).sent);
	});

	test('have the join link beside the fields that are chosen, and beside a record as it was sent', async () => {
		const chosen = await list({ options: { includeJoinLink: true, fields: ['email'] } });
		expect(Object.keys(chosen.records[0] ?? {})).toEqual(['id', 'email', 'join_link']);
		const whole = await list({ ...withLink, simplify: false });
		expect(whole.records).toContainEqual(expect.objectContaining({ join_link: linkOf(email) }));
	});

	test.each([
		['is not added', {}],
		['is turned off', { options: { includeJoinLink: false } }],
	])('have no join link where the option %s', async (_, parameters) => {
		const { records } = await list(parameters);
		expect(records).toContainEqual(expect.objectContaining({ email }));
		expect(JSON.stringify(records)).not.toMatch(/join_link|key=/);
	});

	test('show no link in a field of that name, and a hint points at the option', async () => {
		const { records, hints } = await list({ options: { fields: ['email', 'join_link'] } });
		expect(records).toContainEqual(expect.objectContaining({ email }));
		expect(JSON.stringify(records)).not.toContain('key=');
		expect(hints).toEqual([expect.stringContaining("option 'Include Join Link'")]);
	});
});

describe('bulk registration with join links', () => {
	test('gives one for each person of the session, and asks once more for somebody who was there', async () => {
		const before = `${fresh('Before')}@example.com`;
		const added = `${fresh('new')}@example.com`;
		await makeRegistration(sandbox, session, before);
		const { records, sent } = await bulk([added, before, 'nobody', added]);
		expect(records.map(({ status, join_link }) => ({ status, join_link }))).toEqual([
			{ status: 'registered', join_link: linkOf(added) },
			{ status: 'already_registered', join_link: linkOf(before) },
			{ status: 'invalid', join_link: null },
			{ status: 'duplicate', join_link: null },
		]);
		expect(records[1]?.person_id).toEqual(expect.any(String));
		expect(sent.filter((request) => request.includes('filter[email]'))).toHaveLength(1);
	});

	test('has the link once, beside the record of the details', async () => {
		const email = `${fresh('link')}@example.com`;
		const options = { includeJoinLink: true, includeDetails: true };
		const { records } = await bulk([email], { options });
		expect(records).toMatchObject([{ join_link: linkOf(email), person: { email } }]);
		expect(JSON.stringify(records).match(/key=/g)).toHaveLength(1);
	});

	test('has no link in the record of the details where nobody asks for it', async () => {
		const email = `${fresh('link')}@example.com`;
		const { records } = await bulk([email], { options: { includeDetails: true } });
		expect(records).toMatchObject([{ person: { email } }]);
		expect(JSON.stringify(records)).not.toMatch(/join_link|key=/);
	});

	test.each([
		['a summary', { ...withLink, output: 'summary' }],
		['a dry run', { options: { includeJoinLink: true, validateOnly: true } }],
		['a run that does not wait', { options: { includeJoinLink: true, waitForCompletion: false } }],
	])('costs nothing more for %s, which has no links', async (_, parameters) => {
		const before = `${fresh('before')}@example.com`;
		await makeRegistration(sandbox, session, before);
		const { sent, records } = await bulk([before], parameters);
		expect(sent.join()).not.toContain('filter[email]');
		expect(records).toHaveLength(1);
		expect(JSON.stringify(records)).not.toContain('key=');
	});

	test('says how many people have none, and registers them nevertheless', async () => {
		const person = { type: 'people', id: 'p1', attributes: { email: 'ada@example.com' } };
		const platform = await startPlatform((response, { method, url = '' }) => {
			const task = { status: 'succeeded', errors: [], data: person };
			const job = { type: 'jobs', id: 'j1', attributes: { status: 'ended' } };
			response.statusCode = method === 'POST' ? 202 : 200;
			if (method !== 'POST' && !url.includes('/tasks')) response.statusCode = 404;
			response.end(JSON.stringify(method === 'POST' ? job : { data: [task] }));
		});
		const of = { sessionId: byId(session), fields: mapped({ email: 'ada@example.com' }) };
		const parameters = { ...of, ...withLink };
		const { records, hints } = await operate(platform, 'registration.bulkRegister', parameters);
		expect(records).toMatchObject([{ status: 'registered', join_link: null }]);
		expect(hints).toContainEqual(
			expect.stringMatching(/^1 person has no join link: the run did not get it\./),
		);
	});
});

test('no error has a join link, even where the platform writes it into its words', async () => {
	const link = 'https://events.example.com/live?email=a%40b.io&key=s3cret&s=1';
	const platform = await startPlatform((response) => {
		response.statusCode = 422;
		const detail = `Refused: join_link=${link}, connection_link: "${link}"`;
		response.end(JSON.stringify({ errors: [{ title: 'No', detail }] }));
	});
	const of = { sessionId: byId(session), fields: mapped({ email: 'ada@example.com' }) };
	const { error } = await operate(platform, 'registration.register', { ...of, ...withLink });
	expect(error?.message).toMatch(/^Refused: /);
	expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
});
