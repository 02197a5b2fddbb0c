import '../../support/time/fasterClock';
import { anyServer } from '../../support/platform/anyServer';
import { tokenCredential } from '../../support/n8n/engine';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { fresh, makeRegistration, makeSession } from '../../support/platform/platformRecords';
import { byId, mapped, operate } from '../../support/n8n/operation';

let sandbox: TestSandbox;
let session: string;

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 10_000 });
});

beforeEach(async () => {
	session = await makeSession(sandbox);
});

const withLink = { options: { includeJoinLink: true } };
/** As the sandbox makes them: with the email and the key of the person. */
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

test('registering somebody gives the join link where it is asked for, and only there', async () => {
	const email = `${fresh('link')}@example.com`;
	const { records, hints } = await register(email);
	expect(records).toMatchObject([{ status: 'registered', email, join_link: linkOf(email) }]);
	expect(hints.filter((hint) => hint.includes('join link'))).toEqual([]);
	const again = await register(email);
	expect(again.records).toMatchObject([{ status: 'already_registered', join_link: linkOf(email) }]);
	const without = await register(`${fresh('link')}@example.com`, {});
	expect(JSON.stringify(without.records)).not.toMatch(/join_link|key=/);
});

test('a registration and the people of a session have the join link, simplified, by field and as sent', async () => {
	const email = `${fresh('link')}@example.com`;
	await makeRegistration(sandbox, session, email);
	const find = { sessionId: byId(session), by: 'email', email };
	const get = await operate(sandbox, 'registration.get', { ...find, ...withLink });
	expect(get.records).toMatchObject([{ email, join_link: linkOf(email) }]);

	const of = { sessionId: byId(session) };
	const listed = (more: object) => operate(sandbox, 'session.getPeople', { ...of, ...more });
	const isListed = ({ email: address }: { email?: unknown }) => address === email;
	const { records, sent } = await listed(withLink);
	expect(records.filter(isListed)).toMatchObject([{ join_link: linkOf(email) }]);
	expect(sent.join()).not.toMatch(/join/i);
	const fields = await listed({ options: { includeJoinLink: true, fields: ['email'] } });
	expect(Object.keys(fields.records[0] ?? {})).toEqual(['id', 'email', 'join_link']);
	const raw = await listed({ ...withLink, simplify: false });
	expect(raw.records).toContainEqual(expect.objectContaining({ join_link: linkOf(email) }));
	for (const off of [{}, { options: { includeJoinLink: false } }]) {
		expect(JSON.stringify((await listed(off)).records)).not.toMatch(/join_link|key=/);
	}
});

test('a field named join_link points at the option', async () => {
	await makeRegistration(sandbox, session);
	const of = { sessionId: byId(session), options: { fields: ['email', 'join_link'] } };
	const { records, hints } = await operate(sandbox, 'session.getPeople', of);
	expect(JSON.stringify(records)).not.toContain('key=');
	expect(hints).toEqual([expect.stringContaining("option 'Include Join Link'")]);
});

describe('bulk registration with join links', () => {
	test('gives one for each person, those included who were registered before', async () => {
		const known = `${fresh('Known')}@example.com`;
		await makeRegistration(sandbox, session, known);
		const added = `${fresh('new')}@example.com`;
		const { records, sent } = await bulk([added, known, 'nobody', added]);
		const rows = records.map(({ email, status, join_link }) => ({ email, status, join_link }));
		expect(rows).toEqual([
			{ email: added, status: 'registered', join_link: linkOf(added) },
			{ email: known, status: 'already_registered', join_link: linkOf(known) },
			{ email: 'nobody', status: 'invalid', join_link: null },
			{ email: added, status: 'duplicate', join_link: null },
		]);
		// The results of a job do not have the link of somebody who was registered before.
		expect(sent.filter((request) => request.includes('filter[email]'))).toHaveLength(1);
		expect(records[1]?.person_id).toEqual(expect.any(String));
	});

	test('keeps the record of the details free of it, and has it once', async () => {
		const email = `${fresh('link')}@example.com`;
		const options = { includeJoinLink: true, includeDetails: true };
		const { records } = await bulk([email], { options });
		expect(records).toMatchObject([{ join_link: linkOf(email), person: { email } }]);
		expect(JSON.stringify(records).match(/key=/g)).toHaveLength(1);
		const without = await bulk([`${fresh('link')}@example.com`], {
			options: { includeDetails: true },
		});
		expect(JSON.stringify(without.records)).not.toMatch(/join_link|key=/);
	});

	test('costs nothing more for a summary, a rehearsal, or where nobody waits', async () => {
		const known = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, known);
		const runs = [
			bulk([known], { ...withLink, output: 'summary' }),
			bulk([known], { options: { includeJoinLink: true, validateOnly: true } }),
			bulk([known], { options: { includeJoinLink: true, waitForCompletion: false } }),
		];
		for (const { sent, records } of await Promise.all(runs)) {
			expect(sent.join()).not.toContain('filter[email]');
			expect(JSON.stringify(records)).not.toContain('key=');
		}
	});

	test('says how many people have none, and registers them nevertheless', async () => {
		const person = { type: 'people', id: 'p1', attributes: { email: 'ada@example.com' } };
		const { baseUrl } = await anyServer((response, { method, url = '' }) => {
			const task = { status: 'succeeded', errors: [], data: person };
			const job = { type: 'jobs', id: 'j1', attributes: { status: 'ended' } };
			response.statusCode = method === 'POST' ? 202 : 200;
			if (method !== 'POST' && !url.includes('/tasks')) response.statusCode = 404;
			response.end(JSON.stringify(method === 'POST' ? job : { data: [task] }));
		});
		const of = { sessionId: byId(session), fields: mapped({ email: 'ada@example.com' }) };
		const { records, hints } = await operate(
			sandbox,
			'registration.bulkRegister',
			{ ...of, ...withLink },
			{ credential: tokenCredential({ ...sandbox, baseUrl }) },
		);
		expect(records).toMatchObject([{ status: 'registered', join_link: null }]);
		expect(hints).toContainEqual(expect.stringMatching(/^1 person has no join link: /));
	});
});

test('no error has a join link, even where the platform writes it into its words', async () => {
	const link = 'https://events.example.com/live?email=a%40b.io&key=s3cret&s=1';
	const { baseUrl } = await anyServer((response) => {
		response.statusCode = 422;
		const detail = `Refused: join_link=${link}, connection_link: "${link}"`;
		response.end(JSON.stringify({ errors: [{ title: 'No', detail }] }));
	});
	const of = { sessionId: byId(session), fields: mapped({ email: 'ada@example.com' }) };
	const { error } = await operate(
		sandbox,
		'registration.register',
		{ ...of, ...withLink },
		{ credential: tokenCredential({ ...sandbox, baseUrl }) },
	);
	expect(error?.message).toBeDefined();
	expect(`${error?.message} ${error?.description}`).not.toContain('s3cret');
});
