import { createHash } from 'node:crypto';
import { sandboxForTests, until } from '../support/sandbox';
import { receiver, register, runJob, shown, subscribe } from './webhookSubscriber';

test('job.ended can be sent like the other kinds, as an independent client has seen it', async () => {
	const sandbox = await sandboxForTests();
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'job.ended');
	await sandbox.web.post('/_sandbox/webhooks', { jobPayload: 'wrapped' });
	const job = await runJob(sandbox, ['a@example.com']);
	await until(() => deliveries.length > 0);
	expect(deliveries[0]?.body).toEqual({
		data: {
			...job,
			meta: { webhook: { event: 'job.ended', organization_id: expect.any(String) as string } },
		},
	});
	expect((await sandbox.web.post('/_sandbox/webhooks', { jobPayload: 'flat' })).status).toBe(400);
	await sandbox.reset();
	await subscribe(sandbox, url, 'job.ended');
	const next = await runJob(sandbox, ['a@example.com']);
	await until(() => deliveries.length > 1);
	expect(deliveries[1]?.body).toEqual(next);
});

test('with a secret every attempt is signed anew, over the body as it is sent', async () => {
	const secret = 'whsec-é-1';
	const sandbox = await sandboxForTests({ webhookSecret: secret });
	const { url, deliveries } = await receiver((_, nth) => (nth === 1 ? 500 : 200));
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com', { first_name: 'Zoë "the" \\ 日本' });
	await until(() => deliveries.length === 2);
	for (const { headers, raw, at } of deliveries) {
		const signature = String(headers['x-livestorm-signature']);
		const [, timestamp = '', hex] = /^(\d{10}),([0-9a-f]{64})$/.exec(signature) ?? [];
		expect(hex).toBe(createHash('sha256').update(`${timestamp}${secret}${raw}`).digest('hex'));
		expect(Number(timestamp)).toBeLessThanOrEqual(at / 1000);
		expect(Number(timestamp)).toBeGreaterThan(at / 1000 - 60);
	}
	const page = (await sandbox.web.get<unknown>('/_sandbox/page')).data;
	const everything = [page, await shown(sandbox), await sandbox.state()];
	expect(JSON.stringify(everything)).not.toContain(secret);
});
