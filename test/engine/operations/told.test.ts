import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { anyServer } from '../../support/anyServer';
import { bulkRegister, crowd } from '../../support/bulk';
import { sandboxForTests, until, type TestSandbox } from '../../support/sandbox';
import { fresh, makeRegistration, makeSession } from './making';
import { byId, mapped, operate } from './operate';

/** What people are told of a run, beside its output. */

let sandbox: TestSandbox;
/** The same platform, except that it keeps no company. */
let forgetful: TestSandbox;
/** Its form asks for the email and the names. */
let session: string;

beforeAll(async () => {
	sandbox = await sandboxForTests({ rate: 0 });
	const { baseUrl } = await anyServer((response, { method, url, headers }, body) => {
		const { authorization = '', 'content-type': type = '' } = headers;
		const asked = { method, headers: { authorization, ...(type && { 'content-type': type }) } };
		void fetch(`${sandbox.baseUrl}${url}`, { ...asked, ...(body && { body }) })
			.then((answer) => answer.text())
			.then((text) => response.end(text.replace(/,\{"id":"company"[^{}]*\}/g, '')));
	});
	forgetful = { ...sandbox, baseUrl };
});

beforeEach(async () => {
	session = await makeSession(sandbox);
});

/** Columns of another event, which asks for a company. */
const values = {
	email: '={{ $json.email }}',
	first_name: '={{ $json.name }}',
	last_name: 'Lovelace',
	company: '={{ $json.company }}',
};
const schema = Object.keys(values).map((id) => ({ id, displayName: id, type: 'string' }));

test('answers that the platform keeps are not called lost', async () => {
	expect((await register('register', people('Engines'))).hints).toEqual([]);
});

function register(operation: string, items: IDataObject[], on = sandbox) {
	const of = { sessionId: byId(session), fields: mapped(values, schema) };
	return operate(on, `registration.${operation}`, of, { items });
}

function people(...companies: string[]): IDataObject[] {
	const email = () => `${fresh('told')}@example.com`;
	return companies.map((company) => ({ email: email(), name: 'Ada', company }));
}

const notAsked = (which: string) =>
	`The registration form of the session does not ask for ${which}. These answers are sent all the same, and the platform may drop or refuse them. Check that the columns of the node belong to this session.`;

const notKept = (which: string) =>
	`Sent, but not kept by the platform: ${which}. The registration form of the session does not seem to ask for it.`;

describe('answers that the platform does not keep, because the session is of another event,', () => {
	test('are named by Register, at no request more', async () => {
		const { hints, sent } = await register('register', people('Engines'), forgetful);
		expect(hints).toEqual([notKept("'company'")]);
		expect(sent).toHaveLength(1);
	});

	test('are named by Bulk Register below the counts, with how many people gave them', async () => {
		const list = people('Engines', '', 'Looms');
		const { hints, sent } = await register('bulkRegister', list, forgetful);
		expect(hints).toEqual([
			expect.stringMatching(/^3 registered/),
			notAsked("'company' (2 people)"),
			notKept("'company' (2 people)"),
		]);
		// The form of the session, the people, and their results.
		expect(sent).toHaveLength(3);
	});

	test('are named by Sync, of those whom it added', async () => {
		const email = `${fresh('known')}@example.com`;
		await makeRegistration(sandbox, session, email);
		const list = [{ email, name: 'Ada' }, ...people('Engines')];
		expect((await register('sync', list, forgetful)).hints).toContain(notKept("'company'"));
	});
});

test('Stop ends a run at once, and the log has the counts and why it ended', async () => {
	const logged: string[] = [];
	const info = jest
		.spyOn(Container.get(Logger), 'info')
		.mockImplementation((message) => void logged.push(message));
	const cancel = new Promise<void>((stop) => setTimeout(stop, 1_000));
	const slow = await sandboxForTests({ rate: 5 });
	await bulkRegister(slow, crowd(2_000), { cancel });
	// n8n does not wait for a node that it has stopped.
	const last = () => logged.find((line) => line.includes('ended early'));
	await until(() => last() !== undefined);
	info.mockRestore();
	// Those that were under way; all of them would be forty for the jobs alone.
	expect((await slow.requests()).length).toBeLessThan(20);
	expect(last()).toMatch(
		/^Bulk registration: .*\d+ failed.*\. The run ended early\. The run was cancelled\.$/,
	);
});
