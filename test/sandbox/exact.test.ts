import type { AxiosResponse } from 'axios';
import type { ApiRecord } from '../../sandbox/platform';
import { seededId } from '../../sandbox/seed/ids';
import { openReceiver } from '../support/platform/webhookReceiver';
import {
	bulkOfTasks,
	guestAddresses,
	personOf,
	sandboxForTests,
	type TestSandbox,
} from '../support/platform/sandbox';
import {
	bulkPath,
	detailOf,
	finishedJob,
	type Page,
	resultsOf,
} from '../support/platform/requests';
import { upcomingSession } from '../support/platform/seededIds';
import { eventually } from '../support/time/eventually';

/* What the traits of the world `exact` do beyond the statements of the specification, which test/specification proves. */

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ world: 'exact' });
});
beforeEach(() => sandbox.reset());

const pastSession = seededId('session', 5);
const people = `/sessions/${upcomingSession}/people`;
const jsonApi = { headers: { 'Content-Type': 'application/vnd.api+json' } };

const send = (method: string, url: string, data?: unknown) =>
	sandbox.api.request<unknown>({ method, url, data });
const register = (email: string) => sandbox.api.post<unknown>(people, personOf(email));
const read = (url: string) => sandbox.api.get<unknown>(url);

describe('the endpoints of section 4.3, and no others', () => {
	test.each([
		['GET', '/events', 200],
		['GET', '/people_attributes', 200],
		['GET', `/sessions/${pastSession}/questions`, 200],
		['GET', `/sessions/${pastSession}/recordings`, 200],
		['GET', `/sessions/${pastSession}/chat_messages`, 200],
		['GET', '/ping', 404],
		['GET', '/me', 404],
		['GET', '/organization', 404],
		['GET', '/users', 404],
		['GET', '/webhooks', 404],
		['POST', '/webhooks', 404],
		['GET', '/people', 404],
		['POST', '/events', 404],
		['GET', `/events/${seededId('event', 1)}`, 404],
		['GET', '/sessions', 404],
		['GET', `/sessions/${upcomingSession}`, 404],
		['GET', people, 404],
		['DELETE', `${people}?filter[email]=a@example.org`, 404],
		['PATCH', `${people}/none`, 404],
	])('%s %s is a %i', async (method, path, status) => {
		expect((await send(method, path, method === 'GET' ? undefined : {})).status).toBe(status);
	});
});

describe('as strict as the text', () => {
	test.each([
		['/events?include=sessions', /no query parameter 'include'/],
		['/events?filter[title]=x', /no query parameter 'filter\[title\]'/],
		['/events?color=red', /no query parameter 'color'/],
		[`/sessions/${pastSession}/questions?include=asker`, /no query parameter 'include'/],
		[`/sessions/${pastSession}/recordings?url_expires_in=3600`, /'url_expires_in'/],
		['/people_attributes?sort=slug', /no query parameter 'sort'/],
	])('GET %s is a 400', async (path, why) => {
		const refused = await read(path);
		expect(refused.status).toBe(400);
		expect(detailOf(refused)).toMatch(why);
	});

	const fields = [{ id: 'email', value: 'a@example.org' }];
	const choices = [...fields, { id: 'interests', value: ['Product'] }];

	test.each([
		['a UTM parameter that 2.2 does not name', { fields, utm_medium: 'mail' }, /utm_medium/],
		['a value that is a list', { fields: choices }, /'interests' must be a text/],
	])('%s is a 400, in a task as for one person', async (_, task, why) => {
		const inBulk = await sandbox.api.post<unknown>(bulkPath, bulkOfTasks([task]), jsonApi);
		const alone = await sandbox.api.post<unknown>(people, {
			data: { type: 'people', attributes: task },
		});
		expect([inBulk.status, alone.status]).toEqual([400, 400]);
		for (const refused of [inBulk, alone]) expect(detailOf(refused)).toMatch(why);
	});

	test('a broken rule is a 400, because section 7 has no 422', async () => {
		const refused = await send('POST', `/sessions/${pastSession}/people`, personOf('a@b.example'));
		expect(refused.status).toBe(400);
		expect(detailOf(refused)).toMatch(/is over/);
	});

	test('no header tells of limits', async () => {
		expect(Object.keys((await read('/events')).headers).join()).not.toMatch(/ratelimit/);
	});
});

describe('fields of records', () => {
	const first = async (path: string) => ((await read(path)).data as Page).data[0];
	const lists: Array<[path: string, names: string[]]> = [
		['/events', ['title']],
		['/people_attributes', ['slug']],
		[`/sessions/${pastSession}/questions`, ['question']],
		[`/sessions/${pastSession}/recordings`, ['url']],
		[`/sessions/${pastSession}/chat_messages`, ['text_content']],
	];

	test.each(lists)('%s shows %j of a record, or nothing', async (path, names) => {
		const record = await first(path);
		expect(Object.keys(record ?? {}).sort()).toEqual(['attributes', 'id', 'type']);
		expect(Object.keys(record?.attributes ?? {})).toEqual(names);
		await sandbox.changeWorld({ recordFields: 'none' });
		expect(Object.keys((await first(path)) ?? {}).sort()).toEqual(['id', 'type']);
		await sandbox.changeWorld({ recordFields: 'all' });
		expect(Object.keys((await first(path))?.attributes ?? {}).length).toBeGreaterThan(4);
	});
});

describe('results before the end', () => {
	beforeAll(async () => {
		sandbox = await sandboxForTests({ world: 'exact', jobMs: 60_000 });
	});
	afterAll(async () => {
		sandbox = await sandboxForTests({ world: 'exact' });
	});

	const early = async () => read(`/jobs/${await sandbox.startJob(guestAddresses(2))}/tasks`);

	test.each(['404', '400', '409', '422', '425'] as const)('are a %s', async (earlyResults) => {
		await sandbox.changeWorld({ earlyResults });
		expect((await early()).status).toBe(Number(earlyResults));
	});

	test.each(['partial', 'empty'] as const)(
		'are a list without anything (%s), or a page that does not exist',
		async (earlyResults) => {
			await sandbox.changeWorld({ earlyResults });
			expect(await early()).toMatchObject({ status: 207, data: { data: [] } });
			await sandbox.changeWorld({ emptyPage: '400' });
			const refused = await early();
			expect(refused.status).toBe(400);
			expect(detailOf(refused)).toMatch(/this list has none/);
		},
	);
});

test('page 0 of nothing is a 400 everywhere, and page 0 of something is not', async () => {
	await sandbox.changeWorld({ emptyPage: '400' });
	expect((await read(`/sessions/${upcomingSession}/questions`)).status).toBe(400);
	expect((await read(`/sessions/${pastSession}/questions`)).status).toBe(200);
});

describe('the answer to a single registration', () => {
	const attributes = { email: 'ada@example.org', first_name: null, last_name: null };
	const person = { id: expect.any(String) as string, type: 'people', attributes };

	test.each([
		['wrapped', { data: person }],
		['record', person],
		['noId', { data: { type: 'people', attributes } }],
		['ok', { ok: true }],
		['empty', ''],
	] as const)('%s', async (registrationAnswer, body) => {
		await sandbox.changeWorld({ registrationAnswer });
		const { status, data } = await register('ada@example.org');
		expect([status, data]).toEqual([201, body]);
	});

	test.each(['201', '200', '202', '204'] as const)('with a %s', async (registrationStatus) => {
		await sandbox.changeWorld({ registrationStatus });
		const { status, data } = await register('ada@example.org');
		expect(status).toBe(Number(registrationStatus));
		expect(data === '').toBe(registrationStatus === '204');
		// It was made all the same.
		await sandbox.changeWorld({ endpoints: 'all', strict: false });
		expect(((await read(people)).data as Page).data).toHaveLength(1);
	});
});

describe('the person in a result and after a registration', () => {
	const id = expect.any(String) as string;
	const person = { id, type: 'people' };
	const names = { first_name: null, last_name: null };

	test.each([
		['attributes', { ...person, attributes: { email: 'ada@example.org', ...names } }],
		['flat', { ...person, email: 'ada@example.org', ...names }],
		['fields', { ...person, attributes: { fields: [{ id: 'email', value: 'ada@example.org' }] } }],
		['bare', person],
	] as const)('%s', async (personShape, record) => {
		await sandbox.changeWorld({ personShape });
		expect((await register('ada@example.org')).data).toEqual({ data: record });
		await sandbox.reset();
		await sandbox.changeWorld({ personShape });
		const { id: jobId } = await finishedJob(sandbox, ['ada@example.org', 'no address']);
		expect(await resultsOf(sandbox, jobId)).toEqual([
			{ status: 'succeeded', errors: [], data: record },
			{ status: 'failed', errors: [expect.objectContaining({ code: 'invalid_email' })] },
		]);
	});
});

describe('/people_attributes', () => {
	test.each([
		['slug', { data: { 1: { attributes: { slug: 'first_name' } } } }],
		['flat', { data: { 1: { slug: 'first_name' } }, meta: { record_count: 10 } }],
	] as const)('has the shape %s', async (attributesShape, entries) => {
		await sandbox.changeWorld({ attributesShape });
		const { status, data } = await read('/people_attributes');
		expect(status).toBe(200);
		expect(entriesOf(data)).toMatchObject(entries);
	});

	test.each(['404', '403'] as const)('is a %s', async (attributesShape) => {
		await sandbox.changeWorld({ attributesShape });
		expect((await read('/people_attributes')).status).toBe(Number(attributesShape));
	});
});

/** Lists as objects, so that one place of them can be looked at. */
function entriesOf(value: unknown): unknown {
	if (Array.isArray(value)) return Object.fromEntries(Object.entries(value));
	const { data } = value as { data?: unknown };
	return Array.isArray(data) ? { ...(value as object), data: entriesOf(data) } : value;
}

describe('errors', () => {
	const withoutIds = ({ status, data, headers }: AxiosResponse<unknown>) => ({
		status,
		data,
		isText: String(headers['content-type']).startsWith('text/plain'),
	});
	const detail = "There is no job with the id 'none'.";

	test.each([
		['message', { code: 'not_found', message: detail }, false],
		['error', { error: detail }, false],
		['text', detail, true],
		['empty', '', false],
	] as const)('have the shape %s', async (errorShape, data, isText) => {
		await sandbox.changeWorld({ errorShape });
		expect(withoutIds(await read('/jobs/none'))).toEqual({ status: 404, data, isText });
	});
});

describe('a public event', () => {
	const madeUp = /^\d+\+[0-9a-f-]{36}@unknown\.livestorm\.co$/;
	const emailOf = ({ data }: AxiosResponse<unknown>) =>
		(data as { data: ApiRecord }).data.attributes['email'];

	beforeEach(() => sandbox.changeWorld({ publicEvent: true }));

	test('asks for no email, and makes one up in the place of the one that was sent', async () => {
		expect(emailOf(await register('ada@example.org'))).toMatch(madeUp);
		await sandbox.changeWorld({ recordFields: 'all', endpoints: 'all', strict: false });
		const event = (await read(`/events/${seededId('event', 1)}`)).data as { data: ApiRecord };
		const form = event.data.attributes['fields'] as Array<{ id: string }>;
		expect(form.map(({ id }) => id).slice(0, 3)).toEqual(['first_name', 'last_name', 'company']);
		expect(JSON.stringify((await read(people)).data)).not.toContain('ada@example.org');
	});

	test('takes a registration without an email', async () => {
		const fields = [
			{ id: 'first_name', value: 'Ada' },
			{ id: 'company', value: 'Acme' },
		];
		const { status, data } = await send('POST', people, {
			data: { type: 'people', attributes: { fields } },
		});
		expect(status).toBe(201);
		expect(data).toMatchObject({
			data: { attributes: { first_name: 'Ada', email: expect.stringMatching(madeUp) as string } },
		});
	});

	test('takes the same person twice, as two people', async () => {
		const [first, second] = [await register('ada@example.org'), await register('ada@example.org')];
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(emailOf(first)).not.toBe(emailOf(second));
		const job = await finishedJob(sandbox, ['ada@example.org', 'ada@example.org']);
		expect(job.attributes).toMatchObject({ status: 'ended', total_success: 2 });
		for (const { data } of await resultsOf(sandbox, job.id)) {
			expect(data?.attributes['email']).toMatch(madeUp);
		}
	});
});

test('who subscribed in the account is told of the end of a job, and of others without meta', async () => {
	const { url, deliveries } = await openReceiver();
	await sandbox.subscribeByHand(url, 'job.ended');
	await sandbox.subscribeByHand(url, 'people.registered');
	const job = await finishedJob(sandbox, ['ada@example.org']);
	await eventually(() => deliveries.length >= 2);
	const bodies = deliveries.map(({ body }) => body);
	expect(bodies).toContainEqual(job);
	const attributes = { email: 'ada@example.org', first_name: null, last_name: null };
	expect(bodies).toContainEqual({
		data: { id: expect.any(String) as string, type: 'people', attributes },
	});
});
