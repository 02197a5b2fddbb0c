import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAttempt } from '../../sandbox/webhooks/schedule';
import { sandboxForTests, until } from '../support/sandbox';
import { openReceiver } from '../support/receiver';
import { receiver, register, runJob, serve, shown, subscribe } from './webhookSubscriber';

// Retries wait, and machines are slow.
jest.setTimeout(30_000);

test('what fails is tried after 30 s, 1 m, 2.5 m, 6 m and 12 m, and then no more', () => {
	const failed = { status: 500, error: null } as const;
	const waits = [1, 2, 3, 4, 5].map((attempt) => afterAttempt(failed, attempt, 1));
	expect(waits).toEqual([30, 60, 150, 360, 720].map((s) => ({ retryInMs: s * 1000 })));
	expect(afterAttempt(failed, 6, 1)).toBe('failed');
	expect(afterAttempt(failed, 1, 0.01)).toEqual({ retryInMs: 300 });
});

test.each([
	[200, 'delivered'],
	[204, 'delivered'],
	[302, 'dropped'],
	[399, 'dropped'],
	[400, 'again'],
	[401, 'again'],
	[404, 'again'],
	[410, 'again'],
	[429, 'again'],
	[456, 'again'],
	[457, 'dropped'],
	[499, 'dropped'],
	[500, 'again'],
	[503, 'again'],
	[511, 'again'],
	[512, 'dropped'],
	[null, 'again'],
])('the status %p: %s', (status, verdict) => {
	const outcome = status === null ? { status, error: 'ECONNRESET' } : { status, error: null };
	const decided = afterAttempt(outcome, 1, 1);
	expect(typeof decided === 'object' ? 'again' : decided).toBe(verdict);
});

test('after the sixth failure the subscription is disabled, and what waits for it is cancelled', async () => {
	const sandbox = await sandboxForTests({ webhookRetryFactor: 0.0002 });
	const { url, deliveries } = await receiver(() => 503);
	const id = await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'failed');
	expect(deliveries).toHaveLength(6);
	expect(new Set(deliveries.map(({ raw }) => raw)).size).toBe(1);
	const [delivery] = await shown(sandbox);
	expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503]);
	expect(delivery?.nextAttemptAt).toBeNull();
	const gaps = (delivery?.attempts ?? []).map(({ time }, n, all) => time - (all[n - 1]?.time ?? 0));
	[6, 12, 30, 72, 144].forEach((wait, n) => expect(gaps[n + 1]).toBeGreaterThanOrEqual(wait));
	const { data } = await sandbox.api.get<{ data: unknown[] }>('/webhooks');
	expect(JSON.stringify(data.data)).not.toContain(id);
	await register(sandbox, 'grace@example.com');
	expect(await shown(sandbox)).toHaveLength(1);
});

test('one success on the way forgets the failures before it', async () => {
	const sandbox = await sandboxForTests({ webhookRetryFactor: 0.0002 });
	const { url, deliveries } = await receiver((_, nth) => (nth <= 5 ? 500 : 200));
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'delivered');
	expect(deliveries).toHaveLength(6);
	expect((await sandbox.api.get<{ data: unknown[] }>('/webhooks')).data.data).toHaveLength(1);
});

test('a receiver that is not there counts as a failure', async () => {
	const sandbox = await sandboxForTests({ webhookRetryFactor: 0.0002 });
	const gone = await openReceiver();
	await gone.close();
	await subscribe(sandbox, gone.url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'failed');
	const [delivery] = await shown(sandbox);
	expect(delivery?.attempts[0]).toMatchObject({ status: null, error: 'ECONNREFUSED' });
});

test('a redirect is not followed', async () => {
	const sandbox = await sandboxForTests();
	const target = await receiver();
	const url = await serve((_request, response) => {
		response.writeHead(307, { location: target.url }).end();
	});
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'dropped');
	expect(target.deliveries).toEqual([]);
});

test('an endless answer holds nothing up', async () => {
	const sandbox = await sandboxForTests();
	const url = await serve((_request, response) => {
		const flood = setInterval(() => response.write('x'.repeat(10_000)), 1);
		response.writeHead(200).on('close', () => clearInterval(flood));
	});
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'delivered');
});

test('a slow receiver is never sent more than eight at a time, and gets everything in the end', async () => {
	const sandbox = await sandboxForTests();
	let atOnce = 0;
	let most = 0;
	let received = 0;
	const url = await serve((request, response) => {
		most = Math.max(most, ++atOnce);
		request.resume();
		setTimeout(() => {
			atOnce -= 1;
			received += 1;
			response.end();
		}, 20);
	});
	await subscribe(sandbox, url, 'people.registered');
	await runJob(
		sandbox,
		Array.from({ length: 50 }, (_, n) => `person-${n}@example.com`),
	);
	await until(() => received === 50);
	expect(most).toBeGreaterThan(1);
	expect(most).toBeLessThanOrEqual(8);
});

test('after a subscription was deleted its retries stop', async () => {
	const sandbox = await sandboxForTests({ webhookRetryFactor: 0.005 });
	const { url, deliveries } = await receiver(() => 500);
	const id = await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(() => deliveries.length === 1);
	await sandbox.api.delete(`/webhooks/${id}`);
	await until(async () => (await shown(sandbox))[0]?.status === 'cancelled');
	expect(deliveries).toHaveLength(1);
});

describe('on a disk', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-webhooks-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('retries go on after a restart', async () => {
		const data = join(folder, 'retries.db');
		let works = false;
		const { url, deliveries } = await receiver(() => (works ? 200 : 500));
		const before = await sandboxForTests({ data, webhookRetryFactor: 0.01 });
		await subscribe(before, url, 'people.registered');
		await register(before, 'ada@example.com');
		await until(async () => (await shown(before))[0]?.attempts.length === 1);
		await before.close();
		works = true;
		const after = await sandboxForTests({ data, webhookRetryFactor: 0.01 });
		await until(async () => (await shown(after))[0]?.status === 'delivered');
		expect(deliveries).toHaveLength(2);
		expect((await shown(after))[0]?.attempts.map(({ status }) => status)).toEqual([500, 200]);
	});

	test('what was under way when the sandbox ended is sent again', async () => {
		const data = join(folder, 'underway.db');
		const arrived: string[] = [];
		const url = await serve((request, response) => {
			arrived.push(request.url ?? '');
			request.resume();
			if (arrived.length > 1) response.end();
		});
		const before = await sandboxForTests({ data });
		await subscribe(before, url, 'people.registered');
		await register(before, 'ada@example.com');
		await until(() => arrived.length === 1);
		await before.close();
		const after = await sandboxForTests({ data });
		await until(async () => (await shown(after))[0]?.status === 'delivered');
		expect(arrived).toHaveLength(2);
	});

	test('where HTTP is no longer allowed, an older HTTP subscription hears nothing', async () => {
		const data = join(folder, 'http.db');
		const { url, deliveries } = await receiver();
		const before = await sandboxForTests({ data });
		await subscribe(before, url, 'people.registered');
		await before.close();
		const after = await sandboxForTests({ data, allowHttpWebhooks: false });
		await register(after, 'ada@example.com');
		await until(async () => (await shown(after))[0]?.status === 'cancelled');
		expect(deliveries).toEqual([]);
	});
});

test('where only HTTPS is allowed, an HTTP subscription is refused', async () => {
	const sandbox = await sandboxForTests({ allowHttpWebhooks: false });
	const attributes = { url: 'http://127.0.0.1:1/', event: 'job.ended' };
	const body = { data: { type: 'webhooks', attributes } };
	expect((await sandbox.api.post('/webhooks', body)).status).toBe(422);
});
