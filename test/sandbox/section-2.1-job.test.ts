import { type ApiRecord, bulk, crowd, openSandbox, startJob, type Visitor } from './visitor';

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

test('jobs have different ids', async () => {
	const one = await startJob(visitor.api, sessionId, crowd(1, 'one'));
	const other = await startJob(visitor.api, sessionId, crowd(1, 'other'));
	expect(one.id).not.toBe(other.id);
});

test('told so, the sandbox wraps the job in data, as one client has seen it', async () => {
	const wrapped = await openSandbox({ jobShape: 'wrapped' });
	const path = `/v1/sessions/${await wrapped.sessionId()}/people/bulk`;
	const { data } = await wrapped.api.post<{ data: ApiRecord }>(path, bulk(crowd(1)));
	const read = await wrapped.api.get<{ data: ApiRecord }>(`/v1/jobs/${data.data.id}`);
	expect(data.data.type).toBe('jobs');
	expect(read.data.data).toMatchObject({ type: 'jobs', id: data.data.id });
});
