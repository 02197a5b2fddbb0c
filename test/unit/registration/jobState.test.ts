import {
	jobRecord,
	readJobState,
} from '../../../nodes/EventPlatform/core/registration/jobRequests';
import { fakePlatform } from '../../support/platform/fakePlatform';

test('the state of a job is asked for by its ID, and read whatever its counters are called', async () => {
	const job = { id: 'j1', status: 'processing', total_tasks: 5, total_processed_tasks: 2 };
	const { ask, asked } = fakePlatform(() => ({ data: job }));
	expect(await readJobState(ask, 'j1', 'never')).toMatchObject({ total: 5, processed: 2 });
	expect(asked).toEqual([{ method: 'GET', path: '/jobs/j1', retry: 'never' }]);
});

test('a response that is no job is a failure', async () => {
	const { ask } = fakePlatform(() => ({ ok: true }));
	await expect(readJobState(ask, 'j1')).rejects.toMatchObject({ cause: 'unexpected_shape' });
});

test('the record of a job has the names of the specification, and null where nothing is told', () => {
	expect(
		jobRecord({ id: 'j1', status: 'ended', total: 3, processed: 3, succeeded: 2, failed: 1 }),
	).toEqual({
		id: 'j1',
		status: 'ended',
		total_items: 3,
		total_processed_items: 3,
		total_success: 2,
		total_fail: 1,
	});
	expect(jobRecord({ id: 'j1', status: 'processing' })).toMatchObject({
		total_items: null,
		total_processed_items: null,
		total_success: null,
		total_fail: null,
	});
});
