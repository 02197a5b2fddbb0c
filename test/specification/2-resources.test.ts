import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import type { SandboxOptions } from '../../sandbox/options';
import { startTestServer } from '../support/platform/testServer';
import { tokenCredential } from '../support/n8n/engineConsent';
import { mapped, operate } from '../support/n8n/operation';
import { resultsOf } from '../support/platform/requests';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import {
	answering,
	connectedApp,
	exactPlatform,
	heldSession,
	registerInBulk,
	registerOne,
	tasksSent,
	uuid,
	wholePlatform,
} from './scene';
import { byId } from '../support/n8n/locators';
import { seededEvent, upcomingSession } from '../support/platform/seededIds';

let sandbox: TestSandbox;
/** Its jobs do not begin before an hour has passed. */
let slow: TestSandbox;
beforeAll(async () => {
	[sandbox, slow] = await Promise.all([exactPlatform(), exactPlatform({ jobMs: 3_600_000 })]);
});

describe('2.1 Job', () => {
	/** A job of three, of whom one has no address. */
	let jobId: string;
	const counts = { total_items: 3, total_processed_items: 3, total_fail: 1, total_success: 2 };
	beforeAll(async () => {
		jobId = await sandbox.startJob([...guestAddresses(2, 'job'), '']);
		await sandbox.jobEnd(jobId);
	});

	test('A job has the type `jobs`, an id like a UUID, a status, and counts of its tasks: all, processed, failed, succeeded', async () => {
		const { records } = await operate(sandbox, 'job.get', { jobId });
		expect(records).toEqual([{ id: jobId, status: 'failed', ...counts }]);
		const whole = await operate(sandbox, 'job.get', { jobId, simplify: false });
		expect(whole.records).toMatchObject([{ type: 'jobs', id: jobId }]);
	});

	// Any other status is taken as final once every task is processed.
	test.each(['processing', 'ended', 'failed'])(
		'The status of a job is processing, ended or failed (%j)',
		async (status) => {
			const job = { type: 'jobs', id: '1', attributes: { status, total_items: 1 } };
			const { baseUrl } = await startTestServer((response) => response.end(JSON.stringify(job)));
			const credential = tokenCredential({ ...sandbox, baseUrl });
			const { records } = await operate(sandbox, 'job.get', { jobId: '1' }, { credential });
			expect(records).toMatchObject([{ id: '1', status, total_items: 1 }]);
		},
	);

	test('A new job is flat, without `data`, and has nothing processed, failed or succeeded', async () => {
		const options = { waitForCompletion: false };
		const { records } = await registerInBulk(slow, [{ email: 'flat@example.org' }], { options });
		expect(records).toMatchObject([{ job_id: expect.stringMatching(uuid) as string }]);
	});
});

describe('2.2 Task of a bulk registration', () => {
	beforeAll(async () => {});

	const taskOf = async (person: IDataObject, parameters: object = {}) =>
		tasksSent((await registerInBulk(sandbox, [person], parameters)).requests)[0];

	test('A task has its fields directly on it, in a list, never inside `attributes`', async () => {
		const task = await taskOf({ email: 'direct@example.org' });
		expect(task).toEqual({ fields: [{ id: 'email', value: 'direct@example.org' }] });
	});

	test('Each field has an id', async () => {
		const task = await taskOf({ email: 'ids@example.org', company: 'Acme' });
		expect(task).toMatchObject({ fields: [{ id: 'email' }, { id: 'company' }] });
	});

	test('Each field has a value, a text', async () => {
		const valuesOfJson: Array<[sent: string | undefined, value: IDataObject[string]]> = [
			['a text', 'a text'],
			['7', 7],
			['0.5', 0.5],
			['0', 0],
			['true', true],
			['false', false],
			['A, 2, false', ['A', 2, false]],
			['A', ['A']],
			[undefined, null],
			[undefined, []],
			[undefined, ''],
		];
		const people = valuesOfJson.map(([, company], index) => ({
			email: `values${index}@example.org`,
			company,
		}));
		const { records, requests } = await registerInBulk(sandbox, people);
		const sentValues = tasksSent(requests).map((task) => {
			const { fields } = task as { fields: Array<{ id: string; value: unknown }> };
			return fields.find(({ id }) => id === 'company')?.value;
		});
		expect(sentValues).toEqual(valuesOfJson.map(([sent]) => sent));
		expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['registered']));
	});

	test('The ids are those of a single registration', async () => {
		const answers = { email: 'one@example.org', company: 'Acme', job_title: 'Engineer' };
		const { requests } = await registerOne(sandbox, answers);
		const single = requests.find(({ method }) => method === 'POST')?.body;
		const task = await taskOf({ ...answers, email: 'many@example.org' });
		const { fields } = (single as { data: { attributes: { fields: object[] } } }).data.attributes;
		const ids = (list: object[]) => list.map((field) => 'id' in field && field.id);
		expect(ids((task as { fields: object[] }).fields)).toEqual(ids(fields));
	});

	test('`first_name`, `last_name` and `email` are such ids', async () => {
		const names = { email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' };
		const fields = Object.entries(names).map(([id, value]) => ({ id, value }));
		expect(await taskOf(names)).toEqual({ fields });
		// An address is sent as it was entered: whether the platform tells its capitals apart is not specified.
		expect(await taskOf({ email: 'Grace.Hopper@Example.org' })).toEqual({
			fields: [{ id: 'email', value: 'Grace.Hopper@Example.org' }],
		});
	});

	test('A task may have a referrer', async () => {
		const additionalFields = { referrer: 'https://example.org/' };
		const task = await taskOf({ email: 'referred@example.org' }, { additionalFields });
		expect(task).toMatchObject({ referrer: 'https://example.org/' });
	});

	test('A task may have a UTM source', async () => {
		const additionalFields = { utmSource: 'mail' };
		const task = await taskOf({ email: 'mailed@example.org' }, { additionalFields });
		expect(task).toMatchObject({ utm_source: 'mail' });
	});

	test('Only the email is mandatory', async () => {
		const people = [{ email: 'only@example.org' }, { first_name: 'Nobody' }];
		const { records, requests } = await registerInBulk(sandbox, people);
		expect(records.map(({ status }) => status)).toEqual(['registered', 'invalid']);
		expect(tasksSent(requests)).toHaveLength(1);
	});
});

describe('2.3 Result of a task', () => {
	let jobId: string;
	beforeAll(async () => {
		jobId = await sandbox.startJob(['result@example.org', '']);
		await sandbox.jobEnd(jobId);
	});

	const results = async () => resultsOf(sandbox, jobId);
	const tasksRead = async (parameters: object = {}) =>
		(await operate(sandbox, 'job.getTasks', { jobId, returnAll: true, ...parameters })).records;

	test('A result is succeeded or failed', async () => {
		expect((await tasksRead()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
	});

	test('A succeeded result has no errors', async () => {
		expect((await tasksRead())[0]).toMatchObject({ status: 'succeeded', reason: null });
	});

	test('A failed result has errors, each with a code and a message', async () => {
		const [error] = (await results())[1]?.errors ?? [];
		const people = [{ email: 'refused@a_host.example' }, { email: 'fine@example.org' }];
		const { records } = await registerInBulk(sandbox, people);
		expect(records[0]).toMatchObject({ status: 'failed', code: 'invalid_email' });
		expect(records[0]?.reason).toContain('refused@a_host.example');
		const [, failed] = await tasksRead();
		expect(failed?.errors).toEqual([{ code: error?.code, message: error?.message }]);
		const reason = failed?.reason as string;
		expect(reason).toContain(error?.message.replace(/\.$/, ''));
		// A task may have several.
		const errors = [
			{ code: 'blank', message: 'First name is missing' },
			{ code: 'sold_out', message: 'Seats are sold out' },
		];
		const both = expect.stringMatching(/First name is missing.*Seats are sold out/s) as string;
		const { credential } = await answering(({ method, path }) => {
			const attributes = { status: 'failed', total_items: 1, total_processed_items: 1 };
			const job = { type: 'jobs', id: 'j1', attributes };
			if (!path.endsWith('/tasks')) return { status: method === 'POST' ? 202 : 200, body: job };
			return { status: 207, body: { data: [{ status: 'failed', errors }], meta: {} } };
		});
		const refused = [{ email: 'two@example.org' }];
		const settings = { onError: 'continueRegularOutput' } as const;
		const run = await registerInBulk(sandbox, refused, {}, { credential, settings });
		expect(run.records).toMatchObject([{ status: 'failed', reason: both }]);
		const read = await operate(sandbox, 'job.getTasks', { jobId: 'j1' }, { credential });
		expect(read.records).toMatchObject([{ status: 'failed', reason: both, errors }]);
	});

	test('A succeeded result has the record of the person in `data`', async () => {
		const options = { includeDetails: true };
		const people = [{ email: 'record@example.org' }];
		const { records } = await registerInBulk(sandbox, people, { options });
		expect(records).toMatchObject([{ person: { email: 'record@example.org', type: 'people' } }]);
		expect((await tasksRead())[0]).toMatchObject({ person: { email: 'result@example.org' } });
	});

	test('A failed result has no `data`', async () => {
		expect((await tasksRead())[1]).toMatchObject({ status: 'failed', person: null });
	});
});

describe('2.4 Pages', () => {
	let many: TestSandbox;
	beforeAll(async () => {
		many = await exactPlatform({ seedEvents: 101 });
	});

	const list = (parameters: object = { returnAll: true }) =>
		operate(many, 'event.getAll', parameters);

	/** Reads the events of a platform that answers with these pages, whatever size it is asked for. */
	async function listOf(pages: Array<{ data: object[]; meta: object }>) {
		const { baseUrl, seen } = await startTestServer((response, { url = '' }) => {
			const number = new URL(url, 'http://localhost').searchParams.get('page[number]');
			response.end(JSON.stringify(pages[Number(number)]));
		});
		const credential = tokenCredential({ ...sandbox, baseUrl });
		const { records, error } = await operate(
			many,
			'event.getAll',
			{ returnAll: true },
			{ credential },
		);
		expect(error).toBeUndefined();
		return { ids: records.map(({ id }) => id), requests: seen.length };
	}
	const event = (id: string) => ({ id, type: 'events', attributes: { title: id } });

	test('`current_page` counts from 0', async () => {
		const { requests } = await list();
		const numbers = requests.map(({ query }) => query['page[number]']);
		expect(numbers.sort()).toEqual(['0', '1', '2']);
	});

	test('`next_page` is null on the last page', async () => {
		const meta = { current_page: 0, next_page: null, page_count: 4 };
		const read = await listOf([{ data: [event('a')], meta }]);
		expect(read).toEqual({ ids: ['a'], requests: 1 });
	});

	test('`record_count` counts what the filters let through', async () => {
		const { hints } = await list({ limit: 1 });
		expect(hints).toEqual([expect.stringMatching(/^Showing 1 of 101\./)]);
	});

	test('`page_count` counts the pages of what the filters let through', async () => {
		const meta = (current_page: number) => ({ current_page, page_count: 2 });
		const pages = [
			{ data: [event('a')], meta: meta(0) },
			{ data: [event('b')], meta: meta(1) },
		];
		expect(await listOf(pages)).toEqual({ ids: ['a', 'b'], requests: 2 });
	});
});

describe('2.5 OAuth token', () => {
	type Token = Record<string, unknown> & { access_token: string; refresh_token: string };
	beforeAll(async () => {});

	test('The answer of the token endpoint has an access token', async () => {
		const { sandbox: platform, credential } = await connectedApp();
		const { requests } = await operate(platform, 'event.getAll', {}, { credential });
		expect(requests).toMatchObject([{ tokenKind: 'access_token', status: 200 }]);
	});

	test('It comes with a refresh token', async () => {
		const { credential } = await connectedApp();
		const { refresh_token } = credential.data.oauthTokenData as Token;
		expect(refresh_token).toMatch(/./);
	});
});

describe('2.6 Other records', () => {
	const lists: Record<string, [operation: string, parameters: object]> = {
		events: ['event.getAll', {}],
		sessions: ['session.getAll', {}],
		people: ['session.getPeople', { sessionId: byId(heldSession) }],
		people_attributes: ['personAttribute.getAll', {}],
		questions: ['session.getQuestions', { sessionId: byId(heldSession) }],
		recordings: ['session.getRecordings', { sessionId: byId(heldSession) }],
		chat_messages: ['session.getChatMessages', { sessionId: byId(heldSession) }],
		users: ['user.getAll', {}],
		organizations: ['account.getOrganization', {}],
		webhooks: ['webhook.getAll', {}],
		tags: ['event.addTag', { eventId: byId(seededEvent), tag: 'spring' }],
	};

	let whole: TestSandbox;
	beforeAll(async () => {
		whole = await wholePlatform();
		await whole.subscribe('http://127.0.0.1:9/hook', 'job.ended');
	});

	/** Lists the people of a session on a platform that has this one record. */
	async function shownOf(record: object, parameters: object = {}) {
		const body = JSON.stringify({ data: [record], meta: { current_page: 0, next_page: null } });
		const { baseUrl } = await startTestServer((response) => response.end(body));
		const credential = tokenCredential({ ...sandbox, baseUrl });
		const asked = { sessionId: byId(upcomingSession), ...parameters };
		const { records, error } = await operate(sandbox, 'session.getPeople', asked, { credential });
		expect(error).toBeUndefined();
		return records[0];
	}

	test.each(Object.keys(lists))(
		'There are events, sessions, people, people_attributes, questions, recordings, chat_messages, users, an organization, me, webhooks and tags (%j)',
		async (kind) => {
			const [operation, parameters] = lists[kind] ?? ['', {}];
			const { records, error } = await operate(whole, operation, parameters);
			expect(error).toBeUndefined();
			expect(records[0]).toMatchObject({ type: kind });
		},
	);

	test.each([
		{ id: 'p1', type: 'people' },
		{ id: 'p1', type: 'people', attributes: null },
		{ id: 'p1', type: 'people', attributes: { email: null } },
		{ id: 1 },
	])('Their fields are not specified: nothing in a record is required (%j)', async (record) => {
		expect(await shownOf(record)).toMatchObject({ id: record.id });
	});

	test('Their fields are not specified: what a record has is shown, whatever it is', async () => {
		const attributes = {
			email: 'ada@example.org',
			shoe_size: 38,
			tags: ['a', 'b'],
			empty: null,
			address: { city: 'London' },
			registrant_detail: { seat: 'A7', fields: [] },
		};
		const record = { id: 'p1', type: 'people', attributes, colour: 'red' };
		expect(await shownOf(record, { simplify: false })).toEqual(record);
		expect(await shownOf(record, { options: { fields: ['all'] } })).toEqual({
			id: 'p1',
			type: 'people',
			email: 'ada@example.org',
			shoe_size: 38,
			empty: null,
			tags: ['a', 'b'],
			address_city: 'London',
			seat: 'A7',
			colour: 'red',
		});
	});

	test.each(['company', 'Team Size', '7b0c6c1e', 'ß'])(
		'Ids of the form beyond the three are not specified: any is sent as it is named (%j)',
		async (id) => {
			const value = { email: '={{ $json.email }}', [id]: 'x' };
			const people = [{ email: 'any@example.org' }];
			const { requests } = await registerInBulk(sandbox, people, { fields: mapped(value) });
			expect(tasksSent(requests)).toMatchObject([
				{ fields: [{ id: 'email' }, { id, value: 'x' }] },
			]);
		},
	);

	const personShapes: Array<SandboxOptions['personShape']> = [
		'attributes',
		'flat',
		'fields',
		'bare',
	];
	test.each(personShapes)(
		'The record in a succeeded result is not specified: nobody is told what became of another (%j)',
		async (personShape) => {
			const shaped = await exactPlatform({ personShape, resultsOrder: 'shuffled' });
			const people = [...guestAddresses(4, 'shape'), 'refused@a_host.example'].map((email) => ({
				email,
			}));
			const { records } = await registerInBulk(shaped, people);
			const truth = ['registered', 'registered', 'registered', 'registered', 'failed'];
			// Where neither the order nor the records tell whose a result is, it is said that it is not known.
			const namesNobody = personShape === 'bare' || personShape === 'fields';
			const statuses = namesNobody ? truth.map(() => 'unknown') : truth;
			expect(records.map(({ status }) => status)).toEqual(statuses);
		},
	);

	test.each(personShapes)(
		'Where everybody of a job was registered, their records need not name them (%j)',
		async (personShape) => {
			const shaped = await exactPlatform({ personShape, resultsOrder: 'shuffled' });
			const people = guestAddresses(3, 'all').map((email) => ({ email }));
			const { records } = await registerInBulk(shaped, people);
			expect(records).toMatchObject(people.map(({ email }) => ({ email, status: 'registered' })));
		},
	);
});
