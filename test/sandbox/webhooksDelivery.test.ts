import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from '../../sandbox/webhooks/signature';
import { afterAttempt } from '../../sandbox/webhooks/schedule';
import {
	bulkOf,
	personOf,
	sandboxForTests,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';
import { openReceiver } from './receiver';

interface Shown {
	id: string;
	event: string;
	status: string;
	attempts: Array<{ status: number | null; error: string | null; time: number }>;
	nextAttemptAt: number | null;
	body: unknown;
}

const closing: Array<() => Promise<void>> = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

async function receiver(...rest: Parameters<typeof openReceiver>) {
	const opened = await openReceiver(...rest);
	closing.push(opened.close);
	return opened;
}

const subscribe = async ({ api }: TestSandbox, url: string, event: string) => {
	const attributes = { url, event };
	const { data } = await api.post<{ data: { id: string } }>('/webhooks', {
		data: { type: 'webhooks', attributes },
	});
	return data.data.id;
};
const register = (sandbox: TestSandbox, email: string) =>
	sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf(email));
const shown = async ({ web }: TestSandbox) => (await web.get<Shown[]>('/_sandbox/deliveries')).data;

async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await happened())) await new Promise((done) => setTimeout(done, 5));
}

async function runJob({ api, jobEnd }: TestSandbox, emails: string[]) {
	const { data } = await api.post<{ id: string }>(
		`/sessions/${upcomingSession}/people/bulk`,
		bulkOf(emails),
	);
	return jobEnd(data.id);
}

test('job.ended has the same payload as GET /jobs/:id', async () => {
	const sandbox = await sandboxForTests();
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'job.ended');
	const job = await runJob(sandbox, ['a@example.com', 'b@example.com', 'nonsense']);
	await until(() => deliveries.length > 0);
	expect(deliveries[0]?.body).toEqual(job);
	expect(deliveries[0]?.body).toMatchObject({ attributes: { status: 'failed', total_fail: 1 } });
});

test('also where jobs come wrapped', async () => {
	const sandbox = await sandboxForTests({ jobShape: 'wrapped' });
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'job.ended');
	await sandbox.api.post(`/sessions/${upcomingSession}/people/bulk`, bulkOf(['a@example.com']));
	await until(() => deliveries.length > 0);
	const { id } = (deliveries[0]?.body as { data: { id: string } }).data;
	expect(deliveries[0]?.body).toEqual((await sandbox.api.get<unknown>(`/jobs/${id}`)).data);
});

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

test('the other kinds carry the record with what happened inside', async () => {
	const sandbox = await sandboxForTests();
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(() => deliveries.length > 0);
	expect(deliveries[0]?.headers['content-type']).toMatch(/json/);
	expect(deliveries[0]?.body).toMatchObject({
		data: {
			type: 'people',
			id: expect.any(String) as string,
			attributes: { email: 'ada@example.com' },
			meta: { webhook: { event: 'people.registered' } },
		},
	});
});

test('only those who subscribed to the kind hear of it, and each of them once', async () => {
	const sandbox = await sandboxForTests();
	const [people, jobs] = [await receiver(), await receiver()];
	await subscribe(sandbox, people.url, 'people.registered');
	await subscribe(sandbox, `${people.url}/second`, 'people.registered');
	await subscribe(sandbox, jobs.url, 'job.ended');
	await runJob(sandbox, ['a@example.com', 'b@example.com']);
	await until(() => people.deliveries.length >= 4 && jobs.deliveries.length >= 1);
	await until(async () => (await shown(sandbox)).every(({ status }) => status === 'delivered'));
	expect(people.deliveries).toHaveLength(4);
	expect(jobs.deliveries).toHaveLength(1);
});

test('with a secret every attempt is signed anew, over the body as it is sent', async () => {
	const secret = 'whsec-é-1';
	const sandbox = await sandboxForTests({ webhookSecret: secret });
	const { url, deliveries } = await receiver((_, nth) => (nth === 1 ? 500 : 200));
	await subscribe(sandbox, url, 'people.registered');
	await sandbox.api.post(
		`/sessions/${upcomingSession}/people`,
		personOf('ada@example.com', { first_name: 'Zoë "the" \\ 日本' }),
	);
	await until(() => deliveries.length === 2);
	for (const { headers, raw, at } of deliveries) {
		const signature = String(headers['x-livestorm-signature']);
		const [, timestamp = '', hex] = /^(\d{10}),([0-9a-f]{64})$/.exec(signature) ?? [];
		expect(hex).toBe(createHash('sha256').update(`${timestamp}${secret}${raw}`).digest('hex'));
		expect(Number(timestamp)).toBeLessThanOrEqual(at / 1000);
	}
	const page = (await sandbox.web.get<unknown>('/_sandbox/page')).data;
	const everything = [page, await shown(sandbox), await sandbox.state()];
	expect(JSON.stringify(everything)).not.toContain(secret);
});

test('without a secret there is no signature', async () => {
	const sandbox = await sandboxForTests();
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(() => deliveries.length > 0);
	expect(deliveries[0]?.headers).not.toHaveProperty('x-livestorm-signature');
});

test('the signature is a plain hash of timestamp, secret and body in this order', () => {
	expect(sign('secret', '{"a":1}', 1_700_000_000_999)).toBe(
		`1700000000,${createHash('sha256').update('1700000000secret{"a":1}').digest('hex')}`,
	);
});

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
	const server: Server = createServer((_request, response) => {
		response.writeHead(307, { location: target.url }).end();
	}).listen(0, '127.0.0.1');
	await new Promise((listening) => server.once('listening', listening));
	closing.push(() => new Promise((closed) => server.close(() => closed())));
	const { port } = server.address() as AddressInfo;
	await subscribe(sandbox, `http://127.0.0.1:${port}/`, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'dropped');
	expect(target.deliveries).toEqual([]);
});

test('an endless answer holds nothing up', async () => {
	const sandbox = await sandboxForTests();
	const server = createServer((_request, response) => {
		const flood = setInterval(() => response.write('x'.repeat(10_000)), 1);
		response.writeHead(200).on('close', () => clearInterval(flood));
	}).listen(0, '127.0.0.1');
	await new Promise((listening) => server.once('listening', listening));
	closing.push(() => new Promise((closed) => server.close(() => closed())));
	const { port } = server.address() as AddressInfo;
	await subscribe(sandbox, `http://127.0.0.1:${port}/`, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'delivered');
});

test('a slow receiver is never sent more than eight at a time, and gets everything in the end', async () => {
	const sandbox = await sandboxForTests();
	let atOnce = 0;
	let most = 0;
	let received = 0;
	const server = createServer((request, response) => {
		most = Math.max(most, ++atOnce);
		request.resume();
		setTimeout(() => {
			atOnce -= 1;
			received += 1;
			response.end();
		}, 20);
	}).listen(0, '127.0.0.1');
	await new Promise((listening) => server.once('listening', listening));
	closing.push(() => new Promise((closed) => server.close(() => closed())));
	const { port } = server.address() as AddressInfo;
	await subscribe(sandbox, `http://127.0.0.1:${port}/`, 'people.registered');
	await runJob(
		sandbox,
		Array.from({ length: 50 }, (_, n) => `person-${n}@example.com`),
	);
	await until(() => received === 50);
	expect(most).toBeGreaterThan(1);
	expect(most).toBeLessThanOrEqual(8);
});

test('what was delivered can be delivered again, with the same body', async () => {
	const sandbox = await sandboxForTests();
	const { url, deliveries } = await receiver();
	const id = await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(async () => (await shown(sandbox))[0]?.status === 'delivered');
	const [first] = await shown(sandbox);
	const again = () => sandbox.web.post(`/_sandbox/deliveries/${first?.id}/redeliver`, {});
	expect((await again()).status).toBe(202);
	await until(() => deliveries.length === 2);
	expect(deliveries[1]?.raw).toBe(deliveries[0]?.raw);
	await sandbox.api.delete(`/webhooks/${id}`);
	expect((await again()).status).toBe(409);
	expect((await sandbox.web.post('/_sandbox/deliveries/nothing/redeliver', {})).status).toBe(404);
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

test('the links that log a person in are delivered, but not shown', async () => {
	const sandbox = await sandboxForTests();
	const { url, deliveries } = await receiver();
	await subscribe(sandbox, url, 'people.registered');
	await register(sandbox, 'ada@example.com');
	await until(() => deliveries.length > 0);
	const sent = /"connection_link":"([^"]+)"/.exec(deliveries[0]?.raw ?? '')?.[1] ?? '';
	expect(sent).toMatch(/^https:/);
	expect(JSON.stringify(await shown(sandbox))).not.toContain(sent);
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
		const server = createServer((request, response) => {
			arrived.push(request.url ?? '');
			request.resume();
			if (arrived.length > 1) response.end();
		}).listen(0, '127.0.0.1');
		await new Promise((listening) => server.once('listening', listening));
		closing.push(() => new Promise((closed) => server.close(() => closed())));
		const { port } = server.address() as AddressInfo;
		const before = await sandboxForTests({ data });
		await subscribe(before, `http://127.0.0.1:${port}/`, 'people.registered');
		await register(before, 'ada@example.com');
		await until(() => arrived.length === 1);
		await before.close();
		const after = await sandboxForTests({ data });
		await until(async () => (await shown(after))[0]?.status === 'delivered');
		expect(arrived).toHaveLength(2);
	});
});

test('where only HTTPS is allowed, an HTTP subscription is refused', async () => {
	const sandbox = await sandboxForTests({ allowHttpWebhooks: false });
	const attributes = { url: 'http://127.0.0.1:1/', event: 'job.ended' };
	const body = { data: { type: 'webhooks', attributes } };
	expect((await sandbox.api.post('/webhooks', body)).status).toBe(422);
});

test('where HTTP is no longer allowed, an older HTTP subscription hears nothing', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-webhooks-'));
	const data = join(folder, 'http.db');
	const { url, deliveries } = await receiver();
	const before = await sandboxForTests({ data });
	await subscribe(before, url, 'people.registered');
	await before.close();
	const after = await sandboxForTests({ data, allowHttpWebhooks: false });
	await register(after, 'ada@example.com');
	await until(async () => (await shown(after))[0]?.status === 'cancelled');
	expect(deliveries).toEqual([]);
	await after.close();
	rmSync(folder, { recursive: true });
});
