import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import { connectThroughConsent } from '../support/engine';
import { bulkOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { claim } from '../support/triggerScene';
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

/** As long as the test may take. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await sleep(20);
}

async function registerInBulk(sandbox: TestSandbox, emails: string[]): Promise<string> {
	const path = `/sessions/${upcomingSession}/people/bulk`;
	return (await sandbox.api.post<{ id: string }>(path, bulkOf(emails))).data.id;
}

const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;

test('five thousand people start ten thousand runs, and their deliveries cost no request', async () => {
	const people = 5_000;
	const sandbox = await sandboxForTests({ webhookRetryFactor: 1 });
	const kinds = ['people.registered', 'people.attended', 'people.not_attended'];
	const host = await listen(sandbox, kinds);
	const emails = Array.from({ length: people }, (_, n) => `p${n}@example.org`);
	for (let first = 0; first < people; first += 50) {
		await registerInBulk(sandbox, emails.slice(first, first + 50));
	}
	await until(() => host.answers.length >= people);
	for (const step of ['start', 'end']) {
		await sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/${step}`, {});
	}
	await until(() => host.answers.length >= 2 * people);
	expect(new Set(host.answers)).toEqual(new Set([200]));
	expect(host.runs).toHaveLength(2 * people);
	expect(new Set(host.items.map((item) => item.event_key)).size).toBe(2 * people);
	// One look at the subscriptions, and one request to make each
	expect((await spent(sandbox)).sort()).toEqual([
		'GET /v1/webhooks',
		...kinds.map(() => 'POST /v1/webhooks'),
	]);
}, 900_000);

test('a flood of forgeries starts nothing, costs no more than its cap, and holds up no genuine delivery', async () => {
	const forged = 3_000;
	const genuine = 60;
	const cap = 120;
	const sandbox = await sandboxForTests({ taskMs: 0, rate: 2_000 });
	const host = await listen(sandbox, ['job.ended']);
	const subscribing = (await spent(sandbox)).length;
	// Somebody has recorded what the platform sent, but for the key.
	const jobs = [await registerInBulk(sandbox, ['recorded@example.org'])];
	await until(() => host.runs.length === 1);

	const httpAgent = new Agent({ keepAlive: true });
	const forger = axios.create({ validateStatus: () => true, proxy: false, httpAgent });
	const forgeries = [
		() => forger.post(host.url, claim(randomUUID())),
		() => forger.post(`${host.url}?key=${randomUUID()}`, claim(randomUUID())),
		() => forger.post(host.url, claim(jobs[0] ?? '')),
	];
	const startedAt = Date.now();
	const answers: number[] = [];
	const times: number[] = [];
	let sent = 0;
	async function forge(): Promise<void> {
		while (sent < forged) {
			const sentAt = Date.now();
			const answer = await forgeries[sent++ % forgeries.length]?.();
			answers.push(answer?.status ?? 0);
			times.push(Date.now() - sentAt);
		}
	}
	const flood = Promise.all(Array.from({ length: 8 }, forge));
	for (let n = 1; n <= genuine; n++) {
		await until(() => answers.length >= (n * forged) / (genuine + 1));
		jobs.push(await registerInBulk(sandbox, [`g${n}@example.org`]));
	}
	await flood;
	await until(() => host.runs.length >= jobs.length);
	httpAgent.destroy();

	expect(host.items.map(({ id }) => id).sort()).toEqual([...jobs].sort());
	const counted = (status: number) => answers.filter((one) => one === status).length;
	// The wrong key is refused, a repetition ignored; the others are looked up as far as the cap goes.
	const minutes = Math.ceil((Date.now() - startedAt) / 60_000);
	expect(counted(200)).toBe(forged / 3);
	expect(counted(401)).toBeLessThanOrEqual(forged / 3 + cap * minutes);
	expect(counted(401) + counted(503)).toBe((2 * forged) / 3);
	expect((await spent(sandbox)).length - subscribing).toBe(counted(401) - forged / 3);

	interface Sent {
		attempts: { status: number; durationMs: number }[];
	}
	const { data: deliveries } = await sandbox.web.get<Sent[]>('/_sandbox/deliveries');
	expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(jobs.map(() => 1));
	const genuineTimes = deliveries.flatMap(({ attempts }) => attempts[0]?.durationMs ?? []);
	expect(middle(genuineTimes)).toBeLessThan(4 * middle(times));
}, 900_000);
