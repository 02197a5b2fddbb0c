import {
	bulkOf,
	type JobAnswer,
	sandboxForTests,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';

let sandbox: TestSandbox;

async function post(emails: readonly string[], session = upcomingSession) {
	return sandbox.api.post<JobAnswer>(`/sessions/${session}/people/bulk`, bulkOf(emails));
}

describe('a job that is processed at once', () => {
	beforeAll(async () => {
		sandbox = await sandboxForTests();
	});

	test('ends as ended when every task succeeded', async () => {
		const { status, data } = await post(['one@example.com', 'two@example.com']);
		expect(status).toBe(202);
		expect(data).toEqual({
			type: 'jobs',
			id: expect.any(String),
			attributes: {
				status: 'processing',
				total_items: 2,
				total_processed_items: 0,
				total_fail: 0,
				total_success: 0,
			},
		});
		expect((await sandbox.jobEnd(data.id)).attributes).toEqual({
			status: 'ended',
			total_items: 2,
			total_processed_items: 2,
			total_fail: 0,
			total_success: 2,
		});
	});
});
