import type { ApiRecord } from '../../sandbox/platform';
import { crowd, bulkOf, bulkOfTasks, sandboxForTests, type TestSandbox } from '../support/sandbox';
import { partnerApp } from './oauthApp';
import { bulkPath, detailOf, getAs, resultsOf, type Page } from './requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ taskMs: 10 });
});

test('2.1: a new job is flat and processing, with nothing processed, failed or succeeded', async () => {
	const counts = { total_processed_items: 0, total_fail: 0, total_success: 0 };
	expect((await sandbox.api.post(bulkPath, bulkOf(crowd(2, 'new')))).data).toEqual({
		type: 'jobs',
		id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
		attributes: { status: 'processing', total_items: 2, ...counts },
	});
});

test('4.3: bulk registration takes and gives application/vnd.api+json', async () => {
	const headers = { 'Content-Type': 'application/vnd.api+json' };
	const answer = await sandbox.api.post(bulkPath, bulkOf(crowd(1, 'media')), { headers });
	expect(answer.status).toBe(202);
	expect(answer.headers['content-type']).toContain(headers['Content-Type']);
});

describe('2.2 task', () => {
	const email = { id: 'email', value: 'a@example.org' };
	const jobs = (attributes: unknown) => ({ data: { type: 'jobs', attributes } });

	test.each([
		['no data', {}, /data/],
		['another type', { data: { type: 'people', attributes: { tasks: [{ fields: [] }] } } }, /type/],
		['tasks that are no list', jobs({ tasks: { fields: [] } }), /tasks.*array/],
		['no task', jobs({ tasks: [] }), /is empty/],
		['fields in attributes', bulkOfTasks([{ attributes: { fields: [email] } }]), /on the task/],
		['fields that are an object', bulkOfTasks([{ fields: email }]), /fields/],
		['a field without an id', bulkOfTasks([{ fields: [{ value: 'x' }] }]), /id/],
		['a field without a value', bulkOfTasks([{ fields: [{ id: 'email' }] }]), /value/],
		['a number as value', bulkOfTasks([{ fields: [{ id: 'email', value: 7 }] }]), /string/],
		['51 tasks', bulkOfTasks(Array(51).fill({ fields: [email] })), /51 tasks.*most 50/],
	])('%s is a 400 that says where', async (_, body, where) => {
		const answer = await sandbox.api.post<unknown>(bulkPath, body);
		expect(answer.status).toBe(400);
		expect(detailOf(answer)).toMatch(where);
	});

	async function resultOf(values: Record<string, string>, origin: object = {}) {
		const fields = Object.entries(values).map(([id, value]) => ({ id, value }));
		const tasks = bulkOfTasks([{ fields, ...origin }]);
		const { data } = await sandbox.api.post<ApiRecord>(bulkPath, tasks);
		await sandbox.jobEnd(data.id);
		return (await resultsOf(sandbox, data.id))[0];
	}

	test('only the email is mandatory', async () => {
		expect((await resultOf({ email: 'alone@example.org' }))?.status).toBe('succeeded');
		const errors = [{ message: expect.stringMatching(/email/) as string }];
		expect(await resultOf({ first_name: 'Ada' })).toMatchObject({ status: 'failed', errors });
	});

	test('the name, the referrer and the UTM parameters are those of the person', async () => {
		const names = { email: 'ada@example.org', first_name: 'Ada', last_name: 'Lovelace' };
		const origin = { referrer: 'https://example.org/', utm_source: 'mail', utm_term: 'term' };
		const result = await resultOf(names, origin);
		expect(result?.data?.attributes).toMatchObject({ ...names, registrant_detail: origin });
	});

	test('the attributes are the same as those of a single registration', async () => {
		const { data } = await sandbox.api.get<Page>('/people_attributes?page[size]=50');
		const slugs = data.data
			.filter(({ attributes }) => attributes['type'] === 'text')
			.map(({ attributes }) => String(attributes['slug']));
		expect(slugs).toEqual(expect.arrayContaining(['first_name', 'last_name']));
		const values = Object.fromEntries(slugs.map((slug) => [slug, 'x']));
		expect((await resultOf({ ...values, email: 'same@example.org' }))?.status).toBe('succeeded');
	});
});

test('2.5: a token tells its type, lifetime, scope and time of creation, and nothing else', async () => {
	const app = partnerApp(sandbox);
	const before = Math.floor(Date.now() / 1000);
	const { status, data, headers } = await app.exchange(await app.code());
	const secret = expect.stringMatching(/^[\w-]{43}$/) as string;
	expect(status).toBe(200);
	expect(data).toEqual({
		...{ access_token: secret, refresh_token: secret, token_type: 'Bearer', expires_in: 7200 },
		...{ scope: 'events:write webhooks:write', created_at: expect.any(Number) as number },
	});
	expect(data.created_at).toBeGreaterThanOrEqual(before);
	expect(data.created_at).toBeLessThanOrEqual(Date.now() / 1000);
	expect(headers['cache-control']).toBe('no-store');
	expect((await getAs(sandbox, `Bearer ${data.access_token}`)).status).toBe(200);
	expect((await getAs(sandbox, `Bearer ${data.refresh_token}`)).status).toBe(401);
});
