import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import type { SandboxOptions } from '../../sandbox/options';
import { startTestServer } from '../support/platform/testServer';
import { tokenCredential } from '../support/n8n/engineConsent';
import { mapped, operate } from '../support/n8n/operation';
import { detailOf, getAs, resultsOf, type Page } from '../support/platform/requests';
import {
	bulkOf,
	bulkOfTasks,
	guestAddresses,
	type JobAnswer,
	type TestSandbox,
} from '../support/platform/sandbox';
import { partnerApp } from './partnerApp';
import {
	answering,
	connectedApp,
	exactPlatform,
	heldSession,
	postBulk,
	registerInBulk,
	registerOne,
	tasksSent,
	uuid,
	wholePlatform,
} from './scene';
import { forEach, statement } from './statement';
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

	const answer = async () => (await sandbox.api.get<JobAnswer>(`/jobs/${jobId}`)).data;
	const newJob = async () => (await postBulk(slow, bulkOf(guestAddresses(2, 'new')))).data;

	statement(
		'A job has the type `jobs`, an id like a UUID, a status, and counts of its tasks: all, processed, failed, succeeded',
		{
			async platform() {
				const id = expect.stringMatching(uuid) as string;
				expect(await answer()).toEqual({
					type: 'jobs',
					id,
					attributes: { status: 'failed', ...counts },
				});
			},
			async client() {
				const { records } = await operate(sandbox, 'job.get', { jobId });
				expect(records).toEqual([{ id: jobId, status: 'failed', ...counts }]);
				const whole = await operate(sandbox, 'job.get', { jobId, simplify: false });
				expect(whole.records).toMatchObject([{ type: 'jobs', id: jobId }]);
			},
		},
	);

	statement(
		'The status of a job is processing, ended or failed',
		{
			async platform() {
				const ended = await sandbox.jobEnd(await sandbox.startJob(guestAddresses(1, 'status')));
				const statuses = [(await newJob()).attributes.status, ended.attributes.status];
				expect([...statuses, (await answer()).attributes.status]).toEqual([
					'processing',
					'ended',
					'failed',
				]);
			},
			client: forEach(['processing', 'ended', 'failed'], async (status) => {
				const job = { type: 'jobs', id: '1', attributes: { status, total_items: 1 } };
				const { baseUrl } = await startTestServer((response) => response.end(JSON.stringify(job)));
				const credential = tokenCredential({ ...sandbox, baseUrl });
				const { records } = await operate(sandbox, 'job.get', { jobId: '1' }, { credential });
				expect(records).toMatchObject([{ id: '1', status, total_items: 1 }]);
			}),
		},
		{ note: 'Any other status is taken as final once every task is processed.' },
	);

	statement('A new job is flat, without `data`, and has nothing processed, failed or succeeded', {
		async platform() {
			const nothingYet = { total_processed_items: 0, total_fail: 0, total_success: 0 };
			expect(await newJob()).toEqual({
				type: 'jobs',
				id: expect.stringMatching(uuid) as string,
				attributes: { status: 'processing', total_items: 2, ...nothingYet },
			});
		},
		async client() {
			const options = { waitForCompletion: false };
			const { records } = await registerInBulk(slow, [{ email: 'flat@example.org' }], { options });
			expect(records).toMatchObject([{ job_id: expect.stringMatching(uuid) as string }]);
		},
	});
});

describe('2.2 Task of a bulk registration', () => {
	/** Its records show what was sent. */
	let telling: TestSandbox;
	beforeAll(async () => {
		telling = await exactPlatform({ recordFields: 'all' });
	});
	const email = { id: 'email', value: 'a@example.org' };

	/** Sends this body, and gives the status and the reason of the refusal. */
	async function refused(body: unknown): Promise<string> {
		const answer = await postBulk<unknown>(sandbox, body);
		return `${answer.status} ${detailOf(answer)}`;
	}

	async function resultOf(values: Record<string, string>, origin: object = {}) {
		const fields = Object.entries(values).map(([id, value]) => ({ id, value }));
		const tasks = bulkOfTasks([{ fields, ...origin }]);
		const { data } = await postBulk(telling, tasks);
		await telling.jobEnd(data.id);
		return (await resultsOf(telling, data.id))[0];
	}

	const taskOf = async (person: IDataObject, parameters: object = {}) =>
		tasksSent((await registerInBulk(sandbox, [person], parameters)).requests)[0];

	statement('A task has its fields directly on it, in a list, never inside `attributes`', {
		async platform() {
			expect(await refused(bulkOfTasks([{ attributes: { fields: [email] } }]))).toMatch(
				/^400.*on the task/,
			);
			expect(await refused(bulkOfTasks([{ fields: email }]))).toMatch(/^400.*fields/);
			expect(await refused(bulkOfTasks([{}]))).toMatch(/^400.*fields/);
		},
		async client() {
			const task = await taskOf({ email: 'direct@example.org' });
			expect(task).toEqual({ fields: [{ id: 'email', value: 'direct@example.org' }] });
		},
	});

	statement('Each field has an id', {
		async platform() {
			expect(await refused(bulkOfTasks([{ fields: [{ value: 'x' }] }]))).toMatch(/^400.*id/);
		},
		async client() {
			const task = await taskOf({ email: 'ids@example.org', company: 'Acme' });
			expect(task).toMatchObject({ fields: [{ id: 'email' }, { id: 'company' }] });
		},
	});

	statement('Each field has a value, a text', {
		async platform() {
			expect(await refused(bulkOfTasks([{ fields: [{ id: 'email' }] }]))).toMatch(/^400.*value/);
			const number = { id: 'email', value: 7 };
			expect(await refused(bulkOfTasks([{ fields: [number] }]))).toMatch(/^400.*string/);
		},
		async client() {
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
		},
	});

	statement('The ids are those of a single registration', {
		async platform() {
			const { data } = await telling.api.get<Page>('/people_attributes?page[size]=50');
			const slugs = data.data
				.filter(({ attributes }) => attributes['type'] === 'text')
				.map(({ attributes }) => String(attributes['slug']));
			expect(slugs.length).toBeGreaterThan(3);
			const values = Object.fromEntries(slugs.map((slug) => [slug, 'x']));
			const result = await resultOf({ ...values, email: 'same@example.org' });
			expect(result?.status).toBe('succeeded');
		},
		async client() {
			const answers = { email: 'one@example.org', company: 'Acme', job_title: 'Engineer' };
			const { requests } = await registerOne(sandbox, answers);
			const single = requests.find(({ method }) => method === 'POST')?.body;
			const task = await taskOf({ ...answers, email: 'many@example.org' });
			const { fields } = (single as { data: { attributes: { fields: object[] } } }).data.attributes;
			const ids = (list: object[]) => list.map((field) => 'id' in field && field.id);
			expect(ids((task as { fields: object[] }).fields)).toEqual(ids(fields));
		},
	});

	statement('`first_name`, `last_name` and `email` are such ids', {
		async platform() {
			const names = { email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' };
			const result = await resultOf(names);
			expect(result?.data?.attributes).toMatchObject(names);
		},
		async client() {
			const names = { email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' };
			const fields = Object.entries(names).map(([id, value]) => ({ id, value }));
			expect(await taskOf(names)).toEqual({ fields });
			// An address is sent as it was entered: whether the platform tells its capitals apart is not specified.
			expect(await taskOf({ email: 'Grace.Hopper@Example.org' })).toEqual({
				fields: [{ id: 'email', value: 'Grace.Hopper@Example.org' }],
			});
		},
	});

	statement('A task may have a referrer', {
		async platform() {
			const referrer = 'https://example.org/';
			const result = await resultOf({ email: 'from@example.org' }, { referrer });
			expect(result?.data?.attributes).toMatchObject({ registrant_detail: { referrer } });
		},
		async client() {
			const additionalFields = { referrer: 'https://example.org/' };
			const task = await taskOf({ email: 'referred@example.org' }, { additionalFields });
			expect(task).toMatchObject({ referrer: 'https://example.org/' });
		},
	});

	statement('A task may have a UTM source', {
		async platform() {
			const origin = { utm_source: 'mail' };
			const result = await resultOf({ email: 'utm@example.org' }, origin);
			expect(result?.data?.attributes).toMatchObject({ registrant_detail: origin });
		},
		async client() {
			const additionalFields = { utmSource: 'mail' };
			const task = await taskOf({ email: 'mailed@example.org' }, { additionalFields });
			expect(task).toMatchObject({ utm_source: 'mail' });
		},
	});

	statement('Only the email is mandatory', {
		async platform() {
			expect((await resultOf({ email: 'alone@example.org' }))?.status).toBe('succeeded');
			const errors = [{ message: expect.stringMatching(/email/) as string }];
			expect(await resultOf({ first_name: 'Ada' })).toMatchObject({ status: 'failed', errors });
		},
		async client() {
			const people = [{ email: 'only@example.org' }, { first_name: 'Nobody' }];
			const { records, requests } = await registerInBulk(sandbox, people);
			expect(records.map(({ status }) => status)).toEqual(['registered', 'invalid']);
			expect(tasksSent(requests)).toHaveLength(1);
		},
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

	statement('A result is succeeded or failed', {
		async platform() {
			expect((await results()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
		},
		async client() {
			expect((await tasksRead()).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
		},
	});

	statement('A succeeded result has no errors', {
		async platform() {
			expect((await results())[0]?.errors).toEqual([]);
		},
		async client() {
			expect((await tasksRead())[0]).toMatchObject({ status: 'succeeded', reason: null });
		},
	});

	statement('A failed result has errors, each with a code and a message', {
		async platform() {
			const text = expect.stringMatching(/./) as string;
			expect((await results())[1]?.errors).toEqual([{ code: text, message: text }]);
		},
		async client() {
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
		},
	});

	statement('A succeeded result has the record of the person in `data`', {
		async platform() {
			const attributes = { email: 'result@example.org' };
			expect((await results())[0]?.data).toMatchObject({ type: 'people', attributes });
		},
		async client() {
			const options = { includeDetails: true };
			const people = [{ email: 'record@example.org' }];
			const { records } = await registerInBulk(sandbox, people, { options });
			expect(records).toMatchObject([{ person: { email: 'record@example.org', type: 'people' } }]);
			expect((await tasksRead())[0]).toMatchObject({ person: { email: 'result@example.org' } });
		},
	});

	statement('A failed result has no `data`', {
		async platform() {
			expect((await results())[1]).not.toHaveProperty('data');
		},
		async client() {
			expect((await tasksRead())[1]).toMatchObject({ status: 'failed', person: null });
		},
	});
});

describe('2.4 Pages', () => {
	let many: TestSandbox;
	beforeAll(async () => {
		many = await exactPlatform({ seedEvents: 101 });
	});

	type Meta = Record<string, number | null>;
	const metaOf = async (query: string) =>
		(await many.api.get<{ meta: Meta }>(`/events?${query}`)).data.meta;
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

	statement('`current_page` counts from 0', {
		async platform() {
			expect((await metaOf('page[number]=0'))['current_page']).toBe(0);
			expect((await metaOf('page[number]=2'))['current_page']).toBe(2);
		},
		async client() {
			const { requests } = await list();
			const numbers = requests.map(({ query }) => query['page[number]']);
			expect(numbers.sort()).toEqual(['0', '1', '2']);
		},
	});

	statement(
		'`previous_page` is null on the first page',
		{
			async platform() {
				expect((await metaOf('page[number]=0'))['previous_page']).toBeNull();
				expect((await metaOf('page[number]=1'))['previous_page']).toBe(0);
			},
		},
		{ note: 'The connector reads forwards and does not use it.' },
	);

	statement('`next_page` is null on the last page', {
		async platform() {
			expect((await metaOf('page[size]=50&page[number]=1'))['next_page']).toBe(2);
			expect((await metaOf('page[size]=50&page[number]=2'))['next_page']).toBeNull();
		},
		async client() {
			const meta = { current_page: 0, next_page: null, page_count: 4 };
			const read = await listOf([{ data: [event('a')], meta }]);
			expect(read).toEqual({ ids: ['a'], requests: 1 });
		},
	});

	statement('`record_count` counts what the filters let through', {
		async platform() {
			expect((await metaOf(''))['record_count']).toBe(101);
		},
		async client() {
			const { hints } = await list({ limit: 1 });
			expect(hints).toEqual([expect.stringMatching(/^Showing 1 of 101\./)]);
		},
	});

	statement('`page_count` counts the pages of what the filters let through', {
		async platform() {
			expect((await metaOf(''))['page_count']).toBe(6);
			expect((await metaOf('page[size]=50'))['page_count']).toBe(3);
		},
		async client() {
			const meta = (current_page: number) => ({ current_page, page_count: 2 });
			const pages = [
				{ data: [event('a')], meta: meta(0) },
				{ data: [event('b')], meta: meta(1) },
			];
			expect(await listOf(pages)).toEqual({ ids: ['a', 'b'], requests: 2 });
		},
	});

	statement(
		'`items_per_page` is the size of a page, 20 unless asked otherwise',
		{
			async platform() {
				expect((await metaOf(''))['items_per_page']).toBe(20);
				expect((await metaOf('page[size]=7'))['items_per_page']).toBe(7);
			},
		},
		{ note: 'The connector counts the records of the first page instead.' },
	);
});

describe('2.5 OAuth token', () => {
	type Token = Record<string, unknown> & { access_token: string; refresh_token: string };
	let partner: TestSandbox;
	let token: Token;
	let issuedSince: number;
	beforeAll(async () => {
		partner = await exactPlatform();
		const app = partnerApp(partner);
		issuedSince = Math.floor(Date.now() / 1000);
		token = (await app.exchange(await app.code())).data as unknown as Token;
	});

	statement('The answer of the token endpoint has an access token', {
		async platform() {
			expect((await getAs(partner, `Bearer ${token.access_token}`)).status).toBe(200);
		},
		async client() {
			const { sandbox: platform, credential } = await connectedApp();
			const { requests } = await operate(platform, 'event.getAll', {}, { credential });
			expect(requests).toMatchObject([{ tokenKind: 'access_token', status: 200 }]);
		},
	});

	statement(
		'Its type is Bearer',
		{
			platform() {
				expect(token['token_type']).toBe('Bearer');
			},
		},
		{ note: 'n8n stores what the answer says; the connector has no code for it.' },
	);

	statement('It lives for `expires_in` seconds, 7,200', {
		platform() {
			expect(token['expires_in']).toBe(7200);
		},
	});

	statement('It comes with a refresh token', {
		async platform() {
			const refreshed = await partnerApp(partner).refresh(token.refresh_token);
			expect(refreshed.status).toBe(200);
			expect((await getAs(partner, `Bearer ${token.refresh_token}`)).status).toBe(401);
		},
		async client() {
			const { credential } = await connectedApp();
			const { refresh_token } = credential.data.oauthTokenData as Token;
			expect(refresh_token).toMatch(/./);
		},
	});

	statement('It names the granted scopes, separated by blanks', {
		platform() {
			expect(token['scope']).toBe('events:write webhooks:write');
		},
	});

	statement('It has the time of its creation in Unix seconds', {
		platform() {
			expect(token['created_at']).toBeGreaterThanOrEqual(issuedSince);
			expect(token['created_at']).toBeLessThanOrEqual(Date.now() / 1000);
		},
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

	statement(
		'There are events, sessions, people, people_attributes, questions, recordings, chat_messages, users, an organization, me, webhooks and tags',
		{
			platform: forEach(
				[
					'events',
					'sessions',
					'people',
					'people_attributes',
					'users',
					'webhooks',
					'organization',
					'me',
					'questions',
					'recordings',
					'chat_messages',
				],
				async (kind) => {
					const isOfSession = ['questions', 'recordings', 'chat_messages'].includes(kind);
					const path = isOfSession ? `/sessions/${heldSession}/${kind}` : `/${kind}`;
					expect((await whole.api.get(path)).status).toBe(200);
				},
			),
			client: forEach(Object.keys(lists), async (kind) => {
				const [operation, parameters] = lists[kind] ?? ['', {}];
				const { records, error } = await operate(whole, operation, parameters);
				expect(error).toBeUndefined();
				expect(records[0]).toMatchObject({ type: kind });
			}),
		},
	);

	statement('Their fields are not specified: nothing in a record is required', {
		client: forEach(
			[
				{ id: 'p1', type: 'people' },
				{ id: 'p1', type: 'people', attributes: null },
				{ id: 'p1', type: 'people', attributes: { email: null } },
				{ id: 1 },
			],
			async (record) => {
				expect(await shownOf(record)).toMatchObject({ id: record.id });
			},
		),
	});

	statement('Their fields are not specified: what a record has is shown, whatever it is', {
		async client() {
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
		},
	});

	statement('Ids of the form beyond the three are not specified: any is sent as it is named', {
		client: forEach(['company', 'Team Size', '7b0c6c1e', 'ß'], async (id) => {
			const value = { email: '={{ $json.email }}', [id]: 'x' };
			const people = [{ email: 'any@example.org' }];
			const { requests } = await registerInBulk(sandbox, people, { fields: mapped(value) });
			expect(tasksSent(requests)).toMatchObject([
				{ fields: [{ id: 'email' }, { id, value: 'x' }] },
			]);
		}),
	});

	const personShapes: Array<SandboxOptions['personShape']> = [
		'attributes',
		'flat',
		'fields',
		'bare',
	];
	statement(
		'The record in a succeeded result is not specified: nobody is told what became of another',
		{
			client: forEach(personShapes, async (personShape) => {
				const shaped = await exactPlatform({ personShape, resultsOrder: 'shuffled' });
				const people = [...guestAddresses(4, 'shape'), 'refused@a_host.example'].map((email) => ({
					email,
				}));
				const { records } = await registerInBulk(shaped, people);
				const truth = ['registered', 'registered', 'registered', 'registered', 'failed'];
				// Where neither the order nor the records tell whose a result is, it is said that it is not known.
				const statuses = personShape === 'bare' ? truth.map(() => 'unknown') : truth;
				expect(records.map(({ status }) => status)).toEqual(statuses);
			}),
		},
	);

	statement('Where everybody of a job was registered, their records need not name them', {
		client: forEach(personShapes, async (personShape) => {
			const shaped = await exactPlatform({ personShape, resultsOrder: 'shuffled' });
			const people = guestAddresses(3, 'all').map((email) => ({ email }));
			const { records } = await registerInBulk(shaped, people);
			expect(records).toMatchObject(people.map(({ email }) => ({ email, status: 'registered' })));
		}),
	});
});
