import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon, { type Result } from 'autocannon';
import { bulkOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { claim } from '../support/triggerScene';
import { WebhookHost } from '../support/webhooks';

const connections = 8;
/** Three thousand, so that each connection forges equally often in each of the three ways. */
const forged = connections * 3 * 125;
const genuine = 20;
/** Lookups in a minute, and in all: 480 at once and 9 more an hour. */
const cap = { perMinute: 120, inAll: 480 + 9 };

/** As long as the test may take. */
async function until(isSo: () => boolean): Promise<void> {
	while (!isSo()) await sleep(20);
}

async function registerInBulk(sandbox: TestSandbox, email: string): Promise<string> {
	const path = `/sessions/${upcomingSession}/people/bulk`;
	return (await sandbox.api.post<{ id: string }>(path, bulkOf([email]))).data.id;
}

/** How often the platform was asked about a delivery. */
async function lookups(sandbox: TestSandbox): Promise<number> {
	const requests = await sandbox.requests();
	return requests.filter(({ method, path }) => method === 'GET' && path !== '/v1/webhooks').length;
}

/** Sends all forgeries, as fast as they are answered, over connections that stay open. */
function forge({ origin, url }: WebhookHost, recordedJob: string): Promise<Result> {
	const path = url.slice(origin.length);
	const draws = [
		() => ({ path, body: claim(randomUUID()) }),
		() => ({ path: `${path}?key=${randomUUID()}`, body: claim(randomUUID()) }),
		// Somebody has recorded what the platform sent, but for the key.
		() => ({ path, body: claim(recordedJob) }),
	];
	const requests = draws.map((draw) => ({
		setupRequest() {
			const { path: to, body } = draw();
			const headers = { 'content-type': 'application/json' };
			return { method: 'POST', path: to, headers, body: JSON.stringify(body) };
		},
	}));
	return autocannon({ url: origin, connections, amount: forged, requests });
}

const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;

test(`${forged} forgeries over HTTP start nothing, cost no more than their cap, and hold up no genuine delivery`, async () => {
	const sandbox = await sandboxForTests({ taskMs: 0, rate: 2_000 });
	const host = await WebhookHost.start(sandbox);
	await host.activate();
	const jobs = [await registerInBulk(sandbox, 'recorded@example.org')];
	await until(() => host.runs.length === 1);

	const startedAt = Date.now();
	const flood = forge(host, jobs[0] ?? '');
	for (let n = 1; n <= genuine; n++) {
		await until(() => host.answers.length >= (n * forged) / (genuine + 1));
		jobs.push(await registerInBulk(sandbox, `g${n}@example.org`));
	}
	const { statusCodeStats, latency, errors } = await flood;
	const minutes = Math.ceil((Date.now() - startedAt) / 60_000);
	await until(() => host.runs.length >= jobs.length);

	expect(host.items.map(({ id }) => id).sort()).toEqual([...jobs].sort());
	// The wrong key is refused, a repetition ignored; the others are looked up as far as the cap goes.
	const counted = (status: number) => statusCodeStats[status]?.count ?? 0;
	const lookedUp = counted(401) - forged / 3;
	expect(errors).toBe(0);
	expect(counted(200)).toBe(forged / 3);
	expect(counted(401) + counted(503)).toBe((2 * forged) / 3);
	expect(lookedUp).toBeGreaterThan(0);
	expect(lookedUp).toBeLessThanOrEqual(Math.min(cap.perMinute * minutes, cap.inAll));
	expect(await lookups(sandbox)).toBe(lookedUp);

	interface Sent {
		attempts: { status: number; durationMs: number }[];
	}
	const { data: deliveries } = await sandbox.web.get<Sent[]>('/_sandbox/deliveries');
	expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(jobs.map(() => 1));
	const genuineTimes = deliveries.flatMap(({ attempts }) => attempts[0]?.durationMs ?? []);
	expect(middle(genuineTimes)).toBeLessThan(4 * latency.p50);
}, 900_000);
