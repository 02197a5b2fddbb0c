import { jobRecord } from '../../../nodes/EventPlatform/core/jobs/jobRequests';
import { readJob } from '../../../nodes/EventPlatform/core/dialect/jobs';

const job = (attributes: object) => ({ type: 'jobs', id: 'j1', attributes });
const items = {
	status: 'failed',
	total_items: 5,
	total_processed_items: 5,
	total_success: 4,
	total_fail: 1,
};
const tasks = {
	status: 'failed',
	total_tasks: 5,
	total_processed_tasks: 5,
	total_succeeded: 4,
	total_failed: 1,
};

test.each([
	['flat, as specified', job(items)],
	['wrapped, with the other family', { data: job(tasks) }],
	['with its attributes beside the id', { id: 'j1', ...items }],
])('a job is read %s', (_, body) => {
	const read = readJob(body);
	expect(read).toMatchObject({ id: 'j1', isFinal: true, total: 5, succeeded: 4, failed: 1 });
	expect(read && jobRecord(read)).toEqual({ id: 'j1', ...items });
});

test.each([
	['processing', false],
	['ended', true],
	['failed', true],
	['completed', true],
	['paused', false],
])('a job that is %s is final: %s', (status, isFinal) => {
	expect(readJob(job({ status }))?.isFinal).toBe(isFinal);
});

test.each([undefined, null, 7])('a job with the status %p is under way', (status) => {
	const read = readJob(job({ ...items, status }));
	expect(read).toMatchObject({ status: 'processing', isFinal: false });
});

test.each([[undefined], [''], ['<html>'], [[]], [{}], [{ data: null }], [{ data: { id: null } }]])(
	'%j is no job',
	(body) => expect(readJob(body)).toBeUndefined(),
);
