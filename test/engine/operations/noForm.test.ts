import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { EventPlatform } from '../../../nodes/EventPlatform/EventPlatform.node';
import { Engine } from '../../support/n8n/engine';
import { sandboxForTests, type TestSandbox } from '../../support/platform/sandbox';
import { fresh } from '../../support/platform/platformRecords';
import { rewrittenSandbox } from '../../support/platform/rewrittenSandbox';
import { mapped, operate } from '../../support/n8n/operation';
import { tokenCredential } from '../../support/n8n/engineConsent';
import { upcomingSession, unknownId } from '../../support/platform/seededIds';
import { byId } from '../../support/n8n/locators';

/** A platform that shows no session, and attributes of people, or refuses them to this token. */

const node = new EventPlatform();

function platform(): Promise<TestSandbox> {
	return sandboxForTests({ world: 'exact' });
}

async function platformWithoutForm(): Promise<TestSandbox> {
	const sandbox = await platform();
	const match = { method: 'GET', path: '/v1/people_attributes' };
	await sandbox.faults([{ match, do: 'empty-403', times: 1_000 }]);
	return sandbox;
}

/** A row of a list as n8n items are: with columns that are no answers. */
function row(more: IDataObject = {}): IDataObject {
	const email = `${fresh('row')}@example.com`;
	return { Email: email, first_name: 'Ada', company: 'Engines', team_size: '1-10', ...more };
}

async function columns(sandbox: TestSandbox, parameters: object = {}): Promise<string[]> {
	const placed = { sessionId: byId(upcomingSession), ...parameters };
	const credential = tokenCredential(sandbox);
	const context = new Engine({ node, credential, parameters: placed }).editorContext();
	const { fields } = await node.methods.resourceMapping.registrationForm.call(context);
	return fields.map(({ id }) => id);
}

/** The answers of each person that was sent. */
function answersSent(requests: ReadonlyArray<{ method: string; body?: unknown }>): string[][] {
	interface Task {
		fields: Array<{ id: string }>;
	}
	interface Body {
		data: { attributes: { tasks: Task[] } };
	}
	const sent = requests.filter(({ method }) => method === 'POST');
	const tasks = sent.flatMap(({ body }) => (body as Body).data.attributes.tasks);
	return tasks.map(({ fields }) => fields.map(({ id }) => id));
}

test('the attributes of people are the columns of the editor, and tell which columns of a list are answers', async () => {
	const sandbox = await platform();
	const ids = await columns(sandbox);
	expect(ids.slice(0, 3)).toEqual(['email', 'first_name', 'last_name']);
	expect(ids).toEqual(expect.arrayContaining(['company', 'job_title', 'team_size']));
	const of = { sessionId: byId(upcomingSession), fields: mapped(null) };
	const items = [row({ id: 7 }), row({ created_at: '2026-11-21' })];
	const { records, hints, requests } = await operate(sandbox, 'registration.bulkRegister', of, {
		items,
	});
	expect(records.map(({ status }) => status)).toEqual(['registered', 'registered']);
	expect(answersSent(requests)[0]?.sort()).toEqual(['company', 'email', 'first_name', 'team_size']);
	expect(hints.join()).toContain('therefore ignored');
});

describe('where no form can be read, because of a 403,', () => {
	let sandbox: TestSandbox;

	beforeAll(async () => {
		sandbox = await platformWithoutForm();
	});

	test('every column of a list is sent but objects, and a hint names both', async () => {
		const items = [row({ meta: { a: 1 } }), row({ rows: [{ b: 2 }], team_size: '' })];
		const of = { sessionId: byId(upcomingSession), fields: mapped(null) };
		const { records, hints, requests } = await operate(sandbox, 'registration.bulkRegister', of, {
			items,
		});
		expect(records.map(({ status, reason }) => [status, reason])).toEqual([
			['registered', null],
			['registered', null],
		]);
		expect(answersSent(requests)).toEqual([
			['email', 'first_name', 'company', 'team_size'],
			['email', 'first_name', 'company'],
		]);
		expect(hints).toContain(
			"The platform shows no registration form. These columns are sent as they are, but objects are left out, and it decides: 'company' (2 people), 'team_size', 'meta', 'rows'. Remove columns that are no answers from the items.",
		);
	});

	test('the editor offers the three fields of every session, and keeps what was mapped besides', async () => {
		expect(await columns(sandbox)).toEqual(['email', 'first_name', 'last_name']);
		const fields = mapped({ email: '={{ $json.email }}', company: null }, [
			{ id: 'company', displayName: 'Company' },
		]);
		expect(await columns(sandbox, { fields })).toContain('company');
	});

	test('an answer is given by the ID of its question', async () => {
		const answer = [
			{ id: 'company', value: '={{ $json.firm }}' },
			{ id: 'interests', value: '={{ [] }}' },
		];
		const of = {
			sessionId: byId(upcomingSession),
			fields: mapped({ email: '={{ $json.Email }}' }, [{ id: 'email' }]),
			additionalFields: { furtherAnswers: { answer }, utmSource: 'list' },
		};
		const items = [row({ firm: 'Looms' }), row({ firm: '' })];
		const { requests } = await operate(sandbox, 'registration.bulkRegister', of, { items });
		expect(answersSent(requests)).toEqual([['email', 'company'], ['email']]);
	});
});

test.each(['bulkRegister', 'sync'])(
	'rows of a session that the platform calls invalid (422) are invalid, and the others are done: %s',
	async (operation) => {
		const sandbox = await sandboxForTests();
		const notValid = { errors: [{ title: 'id is not valid' }] };
		const refusing = await rewrittenSandbox(sandbox, {
			instead: (url) => (url.includes(unknownId) ? { status: 422, body: notValid } : undefined),
		});
		const rowOf = (session: string) => row({ session });
		const items = [unknownId, upcomingSession, unknownId].map(rowOf);
		const of = { sessionId: byId('={{ $json.session }}'), fields: mapped(null) };
		const { records, error, sent } = await operate(sandbox, `registration.${operation}`, of, {
			items,
			credential: tokenCredential(refusing),
		});
		expect(error).toBeUndefined();
		const done = operation === 'sync' ? 'added' : 'registered';
		const statuses = ['invalid', done, 'invalid'];
		expect(records.map(({ status }) => status)).toEqual(statuses);
		expect(records[0]?.reason).toMatch(/id is not valid/);
		expect(records[0]?.email).toBe(items[0]?.Email);
		expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1);
	},
);

describe('Validate Only, where the platform does not show the session,', () => {
	const validated = (sandbox: TestSandbox, items: IDataObject[], session = upcomingSession) =>
		operate(
			sandbox,
			'registration.bulkRegister',
			{ sessionId: byId(session), fields: mapped(null), options: { validateOnly: true } },
			{ items },
		);

	test('calls nobody invalid, and says what was not checked', async () => {
		const { records, hints, sent } = await validated(await platform(), [row(), row()]);
		expect(records.map(({ status }) => status)).toEqual(['valid', 'valid']);
		expect(hints).toContain(
			`Not checked: whether the session ${upcomingSession} exists and is open. The platform does not show it (404).`,
		);
		expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
	});

	test('names several such sessions at once', async () => {
		const sandbox = await platform();
		const of = { sessionId: byId('={{ $json.session }}'), options: { validateOnly: true } };
		const items = [1, 2, 3, 4, 5, 6].map((at) => row({ session: `s${at}` }));
		const fields = mapped({ email: '={{ $json.Email }}' });
		const { records, hints } = await operate(
			sandbox,
			'registration.bulkRegister',
			{ ...of, fields },
			{ items },
		);
		expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['valid']));
		expect(hints).toContain(
			'Not checked: whether these sessions exist and are open: s1, s2, s3, s4, s5 and 1 more. The platform does not show them (404).',
		);
	});

	test('still calls people of a session that does not exist invalid, where the platform shows others', async () => {
		const sandbox = await sandboxForTests();
		const { records, hints } = await validated(sandbox, [row()], unknownId);
		expect(records).toEqual([
			expect.objectContaining({
				status: 'invalid',
				reason: expect.stringContaining('cannot find the session (404)') as string,
			}),
		]);
		expect(hints.join()).not.toContain('Not checked');
	});
});
