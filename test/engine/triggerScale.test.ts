import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import axios from 'axios';
import { connectThroughConsent } from '../support/engine';
import { bulkOf, sandboxForTests, until, upcomingSession, type TestSandbox } from '../support/sandbox';
import { WebhookHost } from '../support/webhooks';

/** A trigger with a token of its own, so that its requests are told from those of the test. */
async function listen(sandbox: TestSandbox, events: string[]): Promise<WebhookHost> {
	const { credential } = await connectThroughConsent(sandbox);
	const host = await WebhookHost.start(sandbox, { credential, parameters: { events } });
	await host.activate();
	return host;
}

/** What the trigger has spent of the quota. */
async function spent(sandbox: TestSandbox): Promise<string[]> {
	const requests = await sandbox.requests();
	return requests
		.filter(({ tokenKind }) => tokenKind === 'access_token')
		.map(({ method, path }) => `${method} ${path}`);
}

async function register(sandbox: TestSandbox, count: number): Promise<void> {
	const path = `/sessions/${upcomingSession}/people/bulk`;
	const all = Array.from({ length: count }, (_, n) => `p${n}@example.org`);
	for (let first = 0; first < count; first += 50) {
		await sandbox.api.post(path, bulkOf(all.slice(first, first + 50)));
	}
}

test('five thousand people who registered and attended, or did not, start ten thousand runs for nothing', async () => {
	const people = 5_000;
	const sandbox = await sandboxForTests({ webhookRetryFactor: 1 });
	const kinds = ['people.registered', 'people.attended', 'people.not_attended'];
	const host = await listen(sandbox, kinds);
	await register(sandbox, people);
	const t1 = Date.now();
	await until(() => host.runs.length >= people).catch(() => {});
	console.log(Date.now() - t1, host.runs.length);
	for (const step of ['start', 'end']) {
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/${step}`, {});
	}
	await until(() => host.runs.length >= 2 * people);
	expect(host.answers).toEqual(Array(2 * people).fill(200));
	expect(host.runs).toHaveLength(2 * people);
	const keys = new Set(host.items.map((item) => item.event_key));
	expect(keys.size).toBe(2 * people);
	// To look for subscriptions and to make them; none for a delivery
	const subscribing = ['GET /v1/webhooks', ...kinds.map(() => 'POST /v1/webhooks')];
	expect((await spent(sandbox)).sort()).toEqual(subscribing);
}, 300_000);

test('a flood starts nothing, costs no more than its cap, and holds up nobody', async () => {
	const forged = Number(process.env.FORGED ?? 3_000);
	const jobs = 100;
	const sandbox = await sandboxForTests({ taskMs: 0, rate: 2_000 });
	const host = await listen(sandbox, ['job.ended']);
	const before = (await spent(sandbox)).length;
	// A genuine delivery, as somebody may have recorded it, who does not know the key
	const path = `/sessions/${upcomingSession}/people/bulk`;
	const { data: recorded } = await sandbox.api.post<{ id: string }>(path, bulkOf(['a@example.org']));
	await until(() => host.runs.length === 1);

	const httpAgent = new Agent({ keepAlive: true });
	const forger = axios.create({ validateStatus: () => true, proxy: false, httpAgent });
	const job = (id: string) => ({ type: 'jobs', id, attributes: { status: 'ended' } });
	const forgeries = [
		() => forger.post(host.url, job(randomUUID())),
		() => forger.post(`${host.url}?key=${randomUUID()}`, job(randomUUID())),
		() => forger.post(host.url, job(recorded.id)),
	];
	const answered: number[] = [];
	const t0 = Date.now();
	let next = 0;
	async function forge(): Promise<void> {
		while (next < forged) {
			const { status } = (await forgeries[next++ % forgeries.length]?.()) ?? {};
			answered.push(status ?? 0);
		}
	}
	const flood = Promise.all(Array.from({ length: 8 }, forge));
	const order: string[] = [];
	for (let n = 1; n <= jobs; n++) {
		await until(() => answered.length >= (n * forged) / (jobs + 1));
		const { data } = await sandbox.api.post<{ id: string }>(path, bulkOf([`b${n}@example.org`]));
		order.push(data.id);
	}
	await flood;
	console.log(Date.now() - t0, forged);
	httpAgent.destroy();
	console.log(new Map(answered.map((s) => [s, answered.filter((o) => o === s).length])), (await spent(sandbox)).length, host.runs.length);
}, 600_000);
