import { bulkOfTasks } from '../support/sandbox';
import {
	type ApiRecord,
	bulk,
	crowd,
	detailOf,
	finishedJob,
	jsonApi,
	openSandbox,
	type Page,
	type TaskResult,
	untilOver,
	type Visitor,
} from './visitor';

let visitor: Visitor;
let sessionId: string;
let path: string;
beforeAll(async () => {
	visitor = await openSandbox({ taskMs: 10 });
	sessionId = await visitor.sessionId();
	path = `/v1/sessions/${sessionId}/people/bulk`;
});

test('bulk registration takes and gives application/vnd.api+json', async () => {
	const { status, headers } = await visitor.api.post(path, bulk(crowd(1, 'media')), jsonApi);
	expect(status).toBe(202);
	expect(headers['content-type']).toContain('application/vnd.api+json');
});

test('a client that accepts application/json is answered in it', async () => {
	const { headers } = await visitor.api.get('/v1/events', {
		headers: { Accept: 'application/json' },
	});
	expect(headers['content-type']).toContain('application/json');
});

test.each([
	['no data', {}, /data/],
	['data that is a list', { data: [] }, /data/],
	['no type', { data: { attributes: { tasks: [{ fields: [] }] } } }, /type/],
	['another type', { data: { type: 'people', attributes: { tasks: [{ fields: [] }] } } }, /type/],
	['no attributes', { data: { type: 'jobs' } }, /attributes/],
	['tasks beside the attributes', { data: { type: 'jobs', tasks: [] } }, /attributes/],
	['tasks that are missing', { data: { type: 'jobs', attributes: {} } }, /tasks/],
	['tasks that are no list', bulkOfTasks({ fields: [] }), /tasks.*array/],
	['no task', bulkOfTasks([]), /is empty/],
	['a task that is null', bulkOfTasks([null]), /tasks/],
	['a task in attributes', bulkOfTasks([{ attributes: { fields: [] } }]), /directly on the task/],
	['a task without fields', bulkOfTasks([{}]), /'fields'/],
	['a number as value', bulkOfTasks([{ fields: [{ id: 'email', value: 7 }] }]), /string/],
	['51 tasks', bulk(crowd(51)), /51 tasks.*most 50/],
])('%s is a 400 that says where', async (_, body, where) => {
	const answer = await visitor.api.post(path, body, jsonApi);
	expect(answer.status).toBe(400);
	expect(detailOf(answer)).toMatch(where);
});

test('without a token it is a 401', async () => {
	expect((await visitor.as().post(path, bulk(crowd(1)), jsonApi)).status).toBe(401);
});

test('a blocked workspace is a 403, for everything', async () => {
	await visitor.control('workspace', { blocked: true });
	const post = await visitor.api.post(path, bulk(crowd(1)), jsonApi);
	const get = await visitor.api.get('/v1/events');
	await visitor.control('workspace', { blocked: false });
	expect([post.status, get.status]).toEqual([403, 403]);
	expect(detailOf(post)).toMatch(/blocked/);
});

test('a session that does not exist is a 404', async () => {
	const answer = await visitor.api.post('/v1/sessions/none/people/bulk', bulk(crowd(1)), jsonApi);
	expect(answer.status).toBe(404);
	expect(detailOf(answer)).toContain('none');
});

test('the three steps: post, poll until it is over, read the results of every task', async () => {
	const people = [...crowd(30, 'steps'), { email: '' }];
	const posted = await visitor.api.post<ApiRecord>(path, bulk(people), jsonApi);
	expect(posted.data.attributes['status']).toBe('processing');
	const seen = await untilOver(visitor.api, posted.data.id);
	expect(seen[0]?.attributes['status']).toBe('processing');
	expect(seen[seen.length - 1]?.attributes['status']).toBe('failed');

	const results: TaskResult[] = [];
	for (let page: number | null = 0; page !== null;) {
		const params: object = { 'page[number]': page };
		const read = await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${posted.data.id}/tasks`, {
			params,
		});
		expect(read.status).toBe(207);
		results.push(...read.data.data);
		page = read.data.meta.next_page;
	}
	expect(results.map(({ status }) => status)).toEqual([
		...Array<string>(30).fill('succeeded'),
		'failed',
	]);
});

test('those whom the job registered are people of the session', async () => {
	const id = await visitor.sessionId();
	const people = crowd(3, 'there');
	await finishedJob(visitor.api, id, people);
	const { data } = await visitor.api.get<Page>(`/v1/sessions/${id}/people`);
	expect(data.data.map(({ attributes }) => attributes['email']).sort()).toEqual(
		people.map(({ email }) => email),
	);
	const session = await visitor.api.get<{ data: ApiRecord }>(`/v1/sessions/${id}`);
	expect(session.data.data.attributes['registrants_count']).toBe(3);
});
