import type { SandboxOptions } from '../../sandbox/options';
import {
	bulkOfTasks,
	guestAddresses,
	personOf,
	sandboxForTests,
	type TestSandbox,
} from '../support/platform/sandbox';
import { bulkPath, detailOf, type Page, resultsOf } from '../support/platform/requests';
import { heldSession, seededEvent, upcomingSession } from '../support/platform/seededIds';
import { openReceiver } from '../support/platform/webhookReceiver';
import { eventually } from '../support/time/eventually';

/* Tests of the nodes turn these traits. One that did nothing would leave them green. */

let sandbox: TestSandbox;
/** Its jobs do not end while the tests go on. */
let slow: TestSandbox;
beforeAll(async () => {
	[sandbox, slow] = await Promise.all([
		sandboxForTests({ world: 'exact' }),
		sandboxForTests({ world: 'exact', jobMs: 60_000 }),
	]);
});
beforeEach(() => sandbox.reset());

const people = `/sessions/${upcomingSession}/people`;
const email = 'ada@example.org';

const send = (method: string, url: string, data?: unknown) =>
	sandbox.api.request<unknown>({ method, url, data });
const read = (url: string) => send('GET', url);
const register = () => send('POST', people, personOf(email));

test.each([
	['GET', '/events', 200],
	['GET', `/sessions/${heldSession}/questions`, 200],
	['GET', '/me', 404],
	['GET', '/sessions', 404],
	['GET', people, 404],
	['POST', '/webhooks', 404],
	['DELETE', `${people}?filter[email]=${email}`, 404],
])('endpoints: as specified, %s %s is a %i', async (method, path, status) => {
	expect((await send(method, path, method === 'GET' ? undefined : {})).status).toBe(status);
});

describe('strict: what the specification does not name is a 400', () => {
	test.each([
		['/events?include=sessions', /no query parameter 'include'/],
		['/events?filter[title]=x', /no query parameter 'filter\[title\]'/],
	])('in the query of %s', async (path, why) => {
		const refused = await read(path);
		expect([refused.status, detailOf(refused)]).toEqual([400, expect.stringMatching(why)]);
	});

	const fields = [{ id: 'email', value: email }];
	test.each([
		['a UTM parameter', { fields, utm_medium: 'mail' }, /utm_medium/],
		['a list', { fields: [...fields, { id: 'interests', value: ['Product'] }] }, /must be a text/],
	])('%s, in a task as for one person', async (_, task, why) => {
		const jsonApi = { headers: { 'Content-Type': 'application/vnd.api+json' } };
		const inBulk = await sandbox.api.post<unknown>(bulkPath, bulkOfTasks([task]), jsonApi);
		const alone = await send('POST', people, { data: { type: 'people', attributes: task } });
		for (const refused of [inBulk, alone]) {
			expect([refused.status, detailOf(refused)]).toEqual([400, expect.stringMatching(why)]);
		}
	});
});

test('recordFields: a record shows one field, none or all', async () => {
	const shown = async (recordFields: SandboxOptions['recordFields']) => {
		await sandbox.changeWorld({ recordFields });
		const [record] = ((await read('/events')).data as Page).data;
		return Object.keys(record?.attributes ?? {});
	};
	expect(await shown('few')).toEqual(['title']);
	expect(await shown('none')).toEqual([]);
	expect((await shown('all')).length).toBeGreaterThan(4);
});

test.each([
	['404', 404],
	['partial', 207],
	['empty', 207],
] as const)('earlyResults: %s is a %i before the end of a job', async (earlyResults, status) => {
	await slow.changeWorld({ earlyResults });
	const jobId = await slow.startJob(guestAddresses(2));
	const early = await slow.api.get<Page>(`/jobs/${jobId}/tasks`);
	expect(early.status).toBe(status);
	if (status === 207) expect(early.data.data).toEqual([]);
});

test('emptyPage: page 0 of nothing is a 400, and page 0 of something is not', async () => {
	await sandbox.changeWorld({ emptyPage: '400' });
	expect((await read(`/sessions/${upcomingSession}/questions`)).status).toBe(400);
	expect((await read(`/sessions/${heldSession}/questions`)).status).toBe(200);
});

const id = expect.any(String) as string;
const names = { first_name: null, last_name: null };
const record = { id, type: 'people', attributes: { email, ...names } };

test.each([
	['wrapped', { data: record }],
	['record', record],
] as const)('registrationAnswer: %s', async (registrationAnswer, body) => {
	await sandbox.changeWorld({ registrationAnswer });
	expect(await register()).toMatchObject({ status: 201, data: body });
});

test.each([
	['200', false],
	['204', true],
] as const)('registrationStatus: with %s the body is left out: %j', async (status, isEmpty) => {
	await sandbox.changeWorld({ registrationStatus: status });
	const answer = await register();
	expect([answer.status, answer.data === '']).toEqual([Number(status), isEmpty]);
});

test.each([
	['attributes', record],
	['flat', { id, type: 'people', email, ...names }],
] as const)('personShape: %s, in a result as after a registration', async (personShape, data) => {
	await sandbox.changeWorld({ personShape });
	expect((await register()).data).toEqual({ data });
	const jobId = await sandbox.startJob(['grace@example.org']);
	await sandbox.jobEnd(jobId);
	const [result] = await resultsOf(sandbox, jobId);
	expect(Object.keys(result?.data ?? {})).toEqual(Object.keys(data));
});

const detail = "There is no job with the id 'none'.";
test.each([
	['message', { code: 'not_found', message: detail }],
	['error', { error: detail }],
	['text', detail],
	['empty', ''],
] as const)('errorShape: %s', async (errorShape, data) => {
	await sandbox.changeWorld({ errorShape });
	expect(await read('/jobs/none')).toMatchObject({ status: 404, data });
});

test('publicEvent: an address is made up each time, and the form asks for none', async () => {
	await sandbox.changeWorld({ publicEvent: true });
	const registered = async () => {
		const { data } = (await register()).data as { data: typeof record };
		return data.attributes.email;
	};
	const [first, second] = [await registered(), await registered()];
	for (const made of [first, second]) {
		expect(made).toMatch(/^\d+\+[0-9a-f-]{36}@unknown\.livestorm\.co$/);
	}
	expect(first).not.toBe(second);
	await sandbox.changeWorld({ recordFields: 'all', endpoints: 'all', strict: false });
	const event = (await read(`/events/${seededEvent}`)).data as {
		data: { attributes: { fields: Array<{ id: string }> } };
	};
	expect(event.data.attributes.fields.map((question) => question.id)).not.toContain('email');
});

test('nulls: sessions have no name, and forms do not say what is required', async () => {
	await sandbox.changeWorld({ world: 'specification', nulls: true });
	const attributesOf = async (path: string) =>
		((await read(path)).data as { data: { attributes: object } }).data.attributes;
	expect(await attributesOf(`/sessions/${heldSession}`)).not.toHaveProperty('name');
	const { fields } = (await attributesOf(`/events/${seededEvent}`)) as {
		fields: Array<{ required: unknown }>;
	};
	expect(new Set(fields.map(({ required }) => required))).toEqual(new Set([null]));
});

test('who subscribed in the account is told of the end of a job, and of others without meta', async () => {
	const { url, deliveries } = await openReceiver();
	await sandbox.subscribeByHand(url, 'job.ended');
	await sandbox.subscribeByHand(url, 'people.registered');
	const job = await sandbox.jobEnd(await sandbox.startJob([email]));
	await eventually(() => deliveries.length >= 2);
	const bodies = deliveries.map(({ body }) => body);
	expect(bodies).toContainEqual(job);
	expect(bodies).toContainEqual({ data: record });
});
