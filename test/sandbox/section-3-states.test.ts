import { openReceiver } from '../support/receiver';
import {
	crowd,
	sandboxForTests,
	until,
	type JobAnswer,
	type TestSandbox,
} from '../support/sandbox';
import { partnerApp } from '../support/partnerApp';
import { finishedJob, getAs } from '../support/requests';

describe('3.1 job', () => {
	let sandbox: TestSandbox;
	beforeAll(async () => {
		sandbox = await sandboxForTests({ taskMs: 20 });
	});

	test('the counts move on while the job is processing', async () => {
		const id = await sandbox.startJob(crowd(50, 'moving'));
		const seen: Array<JobAnswer['attributes']> = [];
		await until(async () => {
			seen.push((await sandbox.api.get<JobAnswer>(`/jobs/${id}`)).data.attributes);
			return seen.at(-1)?.status !== 'processing';
		});
		const processed = seen.map(({ total_processed_items }) => total_processed_items);
		expect(processed).toEqual(processed.toSorted((one, other) => one - other));
		expect(new Set(processed).size).toBeGreaterThan(2);
		for (const one of seen) {
			expect(one.total_fail + one.total_success).toBe(one.total_processed_items);
			expect(one.status === 'processing').toBe(one.total_processed_items < one.total_items);
		}
	});

	test.each([
		['ended', crowd(2, 'told')],
		['failed', [...crowd(2, 'told-too'), '']],
	])('job.ended is triggered when a job has %s, with its final payload', async (status, people) => {
		const { url, deliveries } = await openReceiver();
		await sandbox.subscribe(url, 'job.ended');
		const job = await finishedJob(sandbox, people);
		await until(() => deliveries.length > 0);
		expect(job.attributes.status).toBe(status);
		expect(deliveries.map(({ body }) => body)).toEqual([job]);
	});
});

test('3.2: an access token works until its time is over, and a refresh brings a new one', async () => {
	const sandbox = await sandboxForTests({ tokenTtl: 1 });
	const app = partnerApp(sandbox);
	const { data: token } = await app.exchange(await app.code());
	expect(token.expires_in).toBe(1);
	const bearer = `Bearer ${token.access_token}`;
	await until(async () => (await getAs(sandbox, bearer)).status === 401);
	expect(Date.now() / 1000).toBeGreaterThanOrEqual(token.created_at + token.expires_in);
	const { headers } = await getAs(sandbox, bearer);
	expect(headers['www-authenticate']).toMatch(/error="invalid_token".*expired/);

	const { data: next } = await app.refresh(token.refresh_token);
	expect((await getAs(sandbox, `Bearer ${next.access_token}`)).status).toBe(200);
});
