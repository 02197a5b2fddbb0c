import { crowd, openSandbox, startJob, type Visitor } from './visitor';

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
