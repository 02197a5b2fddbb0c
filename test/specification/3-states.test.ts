import '../support/time/fasterClock';
import { startTestServer } from '../support/platform/testServer';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow } from '../support/n8n/engine';
import { operate } from '../support/n8n/operation';
import { partnerApp } from './partnerApp';
import { finishedJob, getAs } from '../support/platform/requests';
import {
	bulkOf,
	guestAddresses,
	type JobAnswer,
	type TestSandbox,
} from '../support/platform/sandbox';
import { answering, connectedApp, exactPlatform, postBulk, registerInBulk } from './scene';
import { forEach, statement } from './statement';
import { tokenCredential } from '../support/n8n/engineConsent';
import { byId } from '../support/n8n/locators';
import { eventually } from '../support/time/eventually';

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

	statement('A valid bulk registration makes a processing job, answered 202', {
		async platform() {
			const answer = await postBulk(sandbox, bulkOf(guestAddresses(1, 'valid')));
			expect(answer.status).toBe(202);
			expect(answer.data.attributes.status).toBe('processing');
		},
		async client() {
			const options = { waitForCompletion: false };
			const people = [{ email: 'accepted@example.org' }];
			const { records, requests } = await registerInBulk(sandbox, people, { options });
			expect(requests).toMatchObject([{ status: 202 }]);
			expect(records).toMatchObject([{ status: 'processing', total_items: 1 }]);
		},
	});

	statement('When every task has succeeded, the job is ended', {
		async platform() {
			expect((await finishedJob(sandbox, guestAddresses(2, 'all'))).attributes.status).toBe(
				'ended',
			);
		},
		async client() {
			expect(await waitedFor(guestAddresses(2, 'everyone'))).toMatchObject({ status: 'ended' });
		},
	});

	statement('When a task has failed, the job is failed', {
		async platform() {
			const job = await finishedJob(sandbox, [...guestAddresses(2, 'some'), '']);
			expect(job.attributes.status).toBe('failed');
		},
		async client() {
			const job = await waitedFor([...guestAddresses(2, 'not-all'), '']);
			expect(job).toMatchObject({ status: 'failed', total_success: 2, total_fail: 1 });
		},
	});

	statement('A failed job is as final as an ended one', {
		async client() {
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
		},
	});

	statement('GET /jobs/:id gives how many tasks are processed, succeeded and failed so far', {
		async platform() {
			const id = await sandbox.startJob(guestAddresses(50, 'moving'));
			const seen: Array<JobAnswer['attributes']> = [];
			await eventually(async () => {
				seen.push((await sandbox.api.get<JobAnswer>(`/jobs/${id}`)).data.attributes);
				return seen.at(-1)?.status !== 'processing';
			});
			const processed = seen.map(({ total_processed_items }) => total_processed_items);
			expect(processed).toEqual(processed.toSorted((earlier, later) => earlier - later));
			expect(new Set(processed).size).toBeGreaterThan(2);
			for (const counts of seen) {
				expect(counts.total_fail + counts.total_success).toBe(counts.total_processed_items);
				expect(counts.status === 'processing').toBe(
					counts.total_processed_items < counts.total_items,
				);
			}
		},
		async client() {
			const counts = { total_items: 50, total_processed_items: 20 };
			const attributes = { status: 'processing', ...counts, total_success: 17, total_fail: 3 };
			const job = JSON.stringify({ type: 'jobs', id: 'half', attributes });
			const { baseUrl } = await startTestServer((response) => response.end(job));
			const credential = tokenCredential({ ...sandbox, baseUrl });
			const { records } = await operate(sandbox, 'job.get', { jobId: 'half' }, { credential });
			expect(records).toEqual([{ id: 'half', ...attributes }]);
		},
	});
});

describe('3.2 Other states', () => {
	statement(
		'An access token works for 7,200 seconds',
		{
			async platform() {
				const sandbox = await exactPlatform();
				const app = partnerApp(sandbox);
				const { data: token } = await app.exchange(await app.code());
				const bearer = `Bearer ${token.access_token}`;
				const after = async (seconds: number) => {
					jest.spyOn(sandbox.platform, 'now').mockReturnValue((token.created_at + seconds) * 1000);
					return (await getAs(sandbox, bearer)).status;
				};
				expect(await after(7_199)).toBe(200);
				expect(await after(7_202)).toBe(401);
			},
		},
		{ note: 'n8n keeps no time of its own: it uses a token until the platform refuses it.' },
	);

	statement('After that it no longer works', {
		async platform() {
			const sandbox = await exactPlatform({ tokenTtl: 1 });
			const app = partnerApp(sandbox);
			const { data: token } = await app.exchange(await app.code());
			const bearer = `Bearer ${token.access_token}`;
			await eventually(async () => (await getAs(sandbox, bearer)).status === 401);
			const { headers } = await getAs(sandbox, bearer);
			expect(headers['www-authenticate']).toMatch(/error="invalid_token".*expired/);
		},
	});

	statement(
		'It must then be refreshed',
		{
			async platform() {
				const sandbox = await exactPlatform();
				const app = partnerApp(sandbox);
				const { data: token } = await app.exchange(await app.code());
				const { data: next } = await app.refresh(token.refresh_token);
				expect((await getAs(sandbox, `Bearer ${next.access_token}`)).status).toBe(200);
			},
			client: forEach([true, false], async (rotateRefresh) => {
				const { lists, storedTokens, expireToken } = await connectedApp({ rotateRefresh });
				const before = { ...storedTokens() };
				await expireToken();
				const { error, items } = await lists.run();
				expect(error).toBeUndefined();
				expect(items).toHaveLength(1);
				expect(storedTokens()['access_token']).not.toBe(before['access_token']);
				expect((await lists.run()).error).toBeUndefined();
			}),
		},
		{ note: 'n8n refreshes after a 401, not before it.' },
	);

	statement('States of other resources are not specified: any is shown as it comes', {
		client: forEach(['upcoming', 'on_demand', 'paused', 7, null], async (status) => {
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
		}),
	});
});
