import { bulkOfTasks } from '../support/sandbox';
import { partnerApp } from './oauthClient';
import {
	crowd,
	openSandbox,
	startJob,
	type Visitor,
	detailOf,
	fieldsOf,
	finishedJob,
	type Page,
	type TaskResult,
	type ApiRecord,
	untilOver,
	type Fields,
	type Meta,
	type One,
} from './visitor';

describe('2.1 job', () => {
	let visitor: Visitor;
	let sessionId: string;
	beforeAll(async () => {
		visitor = await openSandbox({ taskMs: 10 });
		sessionId = await visitor.sessionId();
	});

	test('a new job is flat: type, id and attributes stand at the top, without data', async () => {
		const job = await startJob(visitor.api, sessionId, crowd(3, 'flat'));
		expect(Object.keys(job).sort()).toEqual(['attributes', 'id', 'type']);
		expect(job.type).toBe('jobs');
		expect(job.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
	});

	test('a new job is processing, with nothing processed, failed or succeeded', async () => {
		const { attributes } = await startJob(visitor.api, sessionId, crowd(2, 'new'));
		expect(attributes).toEqual({
			status: 'processing',
			total_items: 2,
			total_processed_items: 0,
			total_fail: 0,
			total_success: 0,
		});
	});
});

describe('2.2 task', () => {
	let visitor: Visitor;
	let sessionId: string;
	beforeAll(async () => {
		visitor = await openSandbox();
		sessionId = await visitor.sessionId();
	});

	const post = (tasks: unknown) =>
		visitor.api.post<ApiRecord>(`/v1/sessions/${sessionId}/people/bulk`, bulkOfTasks(tasks));

	async function resultsOf(tasks: unknown) {
		const { data } = await post(tasks);
		await untilOver(visitor.api, data.id);
		return (await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${data.id}/tasks`)).data.data;
	}

	test.each([
		['inside attributes', { attributes: { fields: fieldsOf({ email: 'a@example.org' }) } }],
		['missing', { referrer: 'x' }],
		['an object', { fields: { email: 'a@example.org' } }],
		['a text', { fields: 'email' }],
		['a list of texts', { fields: ['email'] }],
	])('fields that are %s are a 400', async (_, task) => {
		const answer = await post([task]);
		expect(answer.status).toBe(400);
		expect(detailOf(answer)).toMatch(/tasks|fields/);
	});

	test.each([
		['without an id', { value: 'a@example.org' }],
		['without a value', { id: 'email' }],
		['with a number for an id', { id: 1, value: 'a@example.org' }],
		['with a number for a value', { id: 'email', value: 7 }],
		['with null for a value', { id: 'email', value: null }],
	])('a field %s is a 400', async (_, field) => {
		expect((await post([{ fields: [field] }])).status).toBe(400);
	});

	test('only the email is mandatory', async () => {
		const [alone] = await resultsOf([{ fields: fieldsOf({ email: 'alone@example.org' }) }]);
		expect(alone?.status).toBe('succeeded');
		const [without] = await resultsOf([{ fields: fieldsOf({ first_name: 'Ada' }) }]);
		expect(without?.status).toBe('failed');
		expect(without?.errors[0]?.message).toMatch(/email/);
	});

	test('first name, last name and email are attributes of a person', async () => {
		const names = { email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' };
		const [result] = await resultsOf([{ fields: fieldsOf(names) }]);
		expect(result?.data?.attributes).toMatchObject(names);
	});

	test('referrer and UTM parameters are taken along', async () => {
		const origin = {
			referrer: 'https://example.org/',
			utm_source: 'newsletter',
			utm_medium: 'mail',
			utm_campaign: 'autumn',
			utm_term: 'term',
			utm_content: 'content',
		};
		const [result] = await resultsOf([
			{ fields: fieldsOf({ email: 'utm@example.org' }), ...origin },
		]);
		expect(result?.data?.attributes['registrant_detail']).toMatchObject(origin);
	});

	test('the attributes are the same as those of a single registration', async () => {
		const { data } = await visitor.api.get<Page>('/v1/people_attributes', {
			params: { 'page[size]': 50 },
		});
		const texts = data.data
			.filter(({ attributes }) => attributes['type'] === 'text')
			.map(({ attributes }) => String(attributes['slug']));
		expect(texts).toEqual(expect.arrayContaining(['first_name', 'last_name']));
		const values = Object.fromEntries(texts.map((slug) => [slug, 'x']));
		const job = await finishedJob(visitor.api, sessionId, [
			{ ...values, email: 'same@example.org' },
		]);
		expect(job.attributes['status']).toBe('ended');
	});
});

describe('2.3 result of a task', () => {
	let visitor: Visitor;
	let sessionId: string;
	beforeAll(async () => {
		visitor = await openSandbox();
		sessionId = await visitor.sessionId();
	});

	async function resultsOf(people: Fields[]) {
		const { id } = await finishedJob(visitor.api, sessionId, people);
		const answer = await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${id}/tasks`, {
			params: { 'page[size]': 50 },
		});
		return answer.data.data;
	}

	test('a succeeded task has no errors and the record of the person', async () => {
		const [result] = await resultsOf([{ email: 'Ada@example.org', first_name: 'Ada' }]);
		expect(result).toMatchObject({ status: 'succeeded', errors: [], data: { type: 'people' } });
		expect(result?.data?.attributes).toMatchObject({ email: 'Ada@example.org', first_name: 'Ada' });
	});

	test('a failed task has errors with code and message, and no record', async () => {
		const people = crowd(1, 'twice');
		await resultsOf(people);
		const [result] = await resultsOf(people);
		expect(Object.keys(result ?? {}).sort()).toEqual(['errors', 'status']);
		expect(result?.status).toBe('failed');
		expect(result?.errors[0]?.code).toBe('already_registered');
		expect(result?.errors[0]?.message).not.toBe('');
	});
});

describe('2.4 pages', () => {
	let visitor: Visitor;
	let path: string;
	const people = crowd(45);
	beforeAll(async () => {
		visitor = await openSandbox();
		const id = await visitor.sessionId();
		await finishedJob(visitor.api, id, people);
		path = `/v1/sessions/${id}/people`;
	});

	async function metaOf(number?: number, size?: number): Promise<Meta> {
		const params = { 'page[number]': number, 'page[size]': size };
		return (await visitor.api.get<Page>(path, { params })).data.meta;
	}

	test('the first page counts as 0 and has no page before it', async () => {
		expect(await metaOf()).toEqual({
			current_page: 0,
			previous_page: null,
			next_page: 1,
			record_count: 45,
			page_count: 3,
			items_per_page: 20,
		});
	});

	test('the last page has none after it', async () => {
		expect(await metaOf(2)).toMatchObject({ current_page: 2, previous_page: 1, next_page: null });
	});

	test.each([
		[1, 45],
		[9, 5],
		[44, 2],
		[45, 1],
		[46, 1],
		[50, 1],
	])('of pages of %i there are %i', async (size, pages) => {
		const meta = await metaOf(0, size);
		expect(meta).toMatchObject({ page_count: pages, items_per_page: size, record_count: 45 });
		expect(meta.next_page).toBe(pages === 1 ? null : 1);
		expect(await metaOf(pages - 1, size)).toMatchObject({ next_page: null });
	});

	test('the counts are of what the filters let through', async () => {
		const params = { 'filter[email]': people[7]?.['email'] };
		const { data } = await visitor.api.get<Page>(path, { params });
		expect(data.meta).toMatchObject({ record_count: 1, page_count: 1, next_page: null });
	});

	test('the pages together are the whole list, each record once', async () => {
		const seen: unknown[] = [];
		for (let page: number | null = 0; page !== null;) {
			const params: object = { 'page[number]': page, 'page[size]': 7 };
			const { data } = await visitor.api.get<Page>(path, { params });
			seen.push(...data.data.map(({ attributes }) => attributes['email']));
			page = data.meta.next_page;
		}
		expect(seen.sort()).toEqual(people.map(({ email }) => email).sort());
	});
});

describe('2.5 token', () => {
	let visitor: Visitor;
	let app: ReturnType<typeof partnerApp>;
	beforeAll(async () => {
		visitor = await openSandbox();
		app = partnerApp(visitor.sandbox);
	});

	test('a token tells its type, lifetime, scope and time of creation, and nothing else', async () => {
		const before = Math.floor(Date.now() / 1000);
		const { status, data, headers } = await app.exchange(await app.code());
		const after = Math.ceil(Date.now() / 1000);
		expect(status).toBe(200);
		expect(data).toEqual({
			access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
			token_type: 'Bearer',
			expires_in: 7200,
			refresh_token: expect.stringMatching(/^[\w-]{43}$/) as string,
			scope: 'events:write webhooks:write',
			created_at: expect.any(Number) as number,
		});
		expect(Number.isInteger(data.created_at)).toBe(true);
		expect(data.created_at).toBeGreaterThanOrEqual(before);
		expect(data.created_at).toBeLessThanOrEqual(after);
		expect(headers['cache-control']).toBe('no-store');
		const statusWith = async (token: string) =>
			(await visitor.as(`Bearer ${token}`).get('/v1/events')).status;
		expect(await statusWith(data.access_token)).toBe(200);
		expect(await statusWith(data.refresh_token)).toBe(401);
	});
});

describe('2.6 other records', () => {
	let visitor: Visitor;
	let held: string;
	beforeAll(async () => {
		visitor = await openSandbox({ seedPeople: 30 });
		const { data } = await visitor.api.get<Page>('/v1/sessions', {
			params: { 'page[size]': 50, 'filter[status]': 'past' },
		});
		held = data.data[0]?.id ?? '';
	});

	// The fields of each are checked by the contract, against which the visitor holds every answer.
	test.each([
		['events', () => '/v1/events'],
		['sessions', () => '/v1/sessions'],
		['people', () => '/v1/people'],
		['people_attributes', () => '/v1/people_attributes'],
		['questions', () => `/v1/sessions/${held}/questions`],
		['recordings', () => `/v1/sessions/${held}/recordings`],
		['chat_messages', () => `/v1/sessions/${held}/chat_messages`],
		['users', () => '/v1/users'],
	])('%s exist, as records of that type', async (type, path) => {
		const { data } = await visitor.api.get<Page>(path());
		expect(data.data.length).toBeGreaterThan(0);
		expect(new Set(data.data.map((record) => record.type))).toEqual(new Set([type]));
		expect(new Set(data.data.map(({ id }) => id)).size).toBe(data.data.length);
	});

	test('an organization exists', async () => {
		const { data } = await visitor.api.get<One>('/v1/organization');
		expect(data.data.type).toBe('organizations');
	});

	test('me is whoever stands behind an access token', async () => {
		const { data } = await visitor.as(await visitor.bearer('identity:read')).get<One>('/v1/me');
		expect(['users', 'organizations']).toContain(data.data.type);
	});

	test('webhooks and tags can be made', async () => {
		const webhook = await visitor.api.post<One>('/v1/webhooks', {
			data: { type: 'webhooks', attributes: { url: 'https://example.org/', event: 'job.ended' } },
		});
		expect([webhook.status, webhook.data.data.type]).toEqual([201, 'webhooks']);
		const { data: events } = await visitor.api.get<Page>('/v1/events');
		const tag = await visitor.api.post<One>(`/v1/events/${events.data[0]?.id}/tags`, {
			data: { type: 'tags', attributes: { title: 'customers' } },
		});
		expect([tag.status, tag.data.data.type]).toEqual([201, 'tags']);
	});
});
