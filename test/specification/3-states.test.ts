import '../support/time/fasterClock';
import { startTestServer } from '../support/platform/testServer';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow } from '../support/n8n/engine';
import { operate } from '../support/n8n/operation';
import { guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { answering, connectedApp, exactPlatform, registerInBulk } from './scene';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';

describe('3.1 States of a job', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await exactPlatform({ taskMs: 20 });
	});

	/** A job as Job → Wait gives it. */
	async function waitedFor(emails: string[]) {
		const jobId = await sandbox.startJob(emails);
		return (await operate(sandbox, 'job.wait', { jobId })).records[0];
	}

	test('A valid bulk registration makes a processing job, answered 202', async () => {
		const options = { waitForCompletion: false };
		const people = [{ email: 'accepted@example.org' }];
		const { records, requests } = await registerInBulk(sandbox, people, { options });
		expect(requests).toMatchObject([{ status: 202 }]);
		expect(records).toMatchObject([{ status: 'processing', total_items: 1 }]);
	});

	test('When every task has succeeded, the job is ended', async () => {
		expect(await waitedFor(guestAddresses(2, 'everyone'))).toMatchObject({ status: 'ended' });
	});

	test('When a task has failed, the job is failed', async () => {
		const job = await waitedFor([...guestAddresses(2, 'not-all'), '']);
		expect(job).toMatchObject({ status: 'failed', total_success: 2, total_fail: 1 });
	});

	test('A failed job is as final as an ended one', async () => {
		expect(await waitedFor(guestAddresses(1, 'final'))).toMatchObject({ timed_out: false });
		expect(await waitedFor([''])).toMatchObject({ status: 'failed', timed_out: false });
		for (const status of ['ended', 'failed']) {
			// Whatever its counters say, or where it has none.
			const body = { type: 'jobs', id: 'j1', attributes: { status } };
			const { credential } = await answering(() => ({ body }));
			const asked = { jobId: 'j1' };
			const { records } = await operate(sandbox, 'job.wait', asked, { credential });
			expect(records).toMatchObject([{ status, timed_out: false }]);
		}
	});

	test('GET /jobs/:id gives how many tasks are processed, succeeded and failed so far', async () => {
		const counts = { total_items: 50, total_processed_items: 20 };
		const attributes = { status: 'processing', ...counts, total_success: 17, total_fail: 3 };
		const job = JSON.stringify({ type: 'jobs', id: 'half', attributes });
		const { baseUrl } = await startTestServer((response) => response.end(job));
		const credential = tokenCredential({ ...sandbox, baseUrl });
		const { records } = await operate(sandbox, 'job.get', { jobId: 'half' }, { credential });
		expect(records).toEqual([{ id: 'half', ...attributes }]);
	});
});

describe('3.2 Other states', () => {
	// n8n refreshes after a 401, not before it.
	test.each([true, false])('It must then be refreshed (%j)', async (rotateRefresh) => {
		const { lists, storedTokens, expireToken } = await connectedApp({ rotateRefresh });
		const before = { ...storedTokens() };
		await expireToken();
		const { error, items } = await lists.run();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(storedTokens()['access_token']).not.toBe(before['access_token']);
		expect((await lists.run()).error).toBeUndefined();
	});

	test.each(['upcoming', 'on_demand', 'paused', 7, null])(
		'States of other resources are not specified: any is shown as it comes (%j)',
		async (status) => {
			const session = { id: 's1', type: 'sessions', attributes: { status, event_id: 'e1' } };
			const { baseUrl } = await startTestServer((response) =>
				response.end(JSON.stringify({ data: session })),
			);
			const sandbox = { baseUrl, apiToken: 'token' };
			const node = new EventPlatform();
			const parameters = {
				resource: 'session',
				operation: 'get',
				sessionId: byId('s1'),
				options: { fields: ['id', 'status', 'event_id'] },
			};
			const outcome = await runWorkflow({ node, credential: tokenCredential(sandbox), parameters });
			expect(outcome.items.map(({ json }) => json)).toEqual([{ id: 's1', status, event_id: 'e1' }]);
		},
	);
});
