import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAttempt } from '../../sandbox/webhooks/schedule';
import { sandboxForTests, until } from '../support/sandbox';
import { receiver, register, shown, subscribe } from './webhookSubscriber';

// Retries wait, and machines are slow.
test('what fails is tried after 30 s, 1 m, 2.5 m, 6 m and 12 m, and then no more', () => {
	const failed = { status: 500, error: null } as const;
	const waits = [1, 2, 3, 4, 5].map((attempt) => afterAttempt(failed, attempt, 1));
	expect(waits).toEqual([30, 60, 150, 360, 720].map((s) => ({ retryInMs: s * 1000 })));
	expect(afterAttempt(failed, 6, 1)).toBe('failed');
	expect(afterAttempt(failed, 1, 0.01)).toEqual({ retryInMs: 300 });
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
