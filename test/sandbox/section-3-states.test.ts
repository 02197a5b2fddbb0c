import { openReceiver } from '../support/receiver';
import { until } from '../support/sandbox';
import { partnerApp } from './oauthClient';
import {
	type ApiRecord,
	closeAfterwards,
	crowd,
	finishedJob,
	openSandbox,
	startJob,
	untilOver,
	type Visitor,
	detailOf,
} from './visitor';

describe('3.1 job', () => {
	let visitor: Visitor;
	let sessionId: string;
	beforeAll(async () => {
		visitor = await openSandbox({ taskMs: 20 });
		sessionId = await visitor.sessionId();
	});

	test('the counts move on while the job is processing', async () => {
		const { id } = await startJob(visitor.api, sessionId, crowd(50, 'moving'));
		const seen = await untilOver(visitor.api, id);
		const processed = seen.map(({ attributes }) => Number(attributes['total_processed_items']));
		expect(processed).toEqual([...processed].sort((one, other) => one - other));
		expect(new Set(processed).size).toBeGreaterThan(2);
		for (const { attributes } of seen) {
			const { total_fail, total_success, total_processed_items, total_items, status } = attributes;
			expect(Number(total_fail) + Number(total_success)).toBe(total_processed_items);
			expect(status === 'processing').toBe(Number(total_processed_items) < Number(total_items));
		}
	});

	test('when all failed, it has failed too', async () => {
		const { attributes } = await finishedJob(visitor.api, sessionId, [
			{ email: '' },
			{ email: 'x' },
		]);
		expect(attributes).toMatchObject({ status: 'failed', total_success: 0, total_fail: 2 });
	});

	test('a job that is over does not change any more', async () => {
		const job = await finishedJob(visitor.api, sessionId, crowd(1, 'final'));
		expect((await visitor.api.get<ApiRecord>(`/v1/jobs/${job.id}`)).data).toEqual(job);
	});

	test.each([
		['ended', crowd(2, 'told')],
		['failed', [...crowd(2, 'told-too'), { email: '' }]],
	])('job.ended is triggered when a job has %s, with its final payload', async (status, people) => {
		const receiver = await openReceiver();
		closeAfterwards(receiver.close);
		await visitor.api.post('/v1/webhooks', {
			data: { type: 'webhooks', attributes: { url: receiver.url, event: 'job.ended' } },
		});
		const job = await finishedJob(visitor.api, sessionId, people);
		await until(() => receiver.deliveries.length > 0);
		expect(job.attributes['status']).toBe(status);
		expect(receiver.deliveries.map(({ body }) => body)).toEqual([job]);
	});
});

describe('3.2 token', () => {
	test('an access token works until its time is over, and a refresh brings a new one', async () => {
		const visitor = await openSandbox({ tokenTtl: 1 });
		const app = partnerApp(visitor.sandbox);
		const { data: token } = await app.exchange(await app.code());
		expect(token.expires_in).toBe(1);
		const api = visitor.as(`Bearer ${token.access_token}`);
		await until(async () => (await api.get('/v1/events')).status === 401);
		expect(Date.now() / 1000).toBeGreaterThanOrEqual(token.created_at + token.expires_in);
		expect(detailOf(await api.get('/v1/events'))).toMatch(/expired/);

		const { data: next } = await app.refresh(token.refresh_token);
		expect((await visitor.as(`Bearer ${next.access_token}`).get('/v1/events')).status).toBe(200);
	});
});
