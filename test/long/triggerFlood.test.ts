import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { claim } from '../support/n8n/triggerScene';
import { WebhookHost } from '../support/n8n/webhookHost';

const connections = 8;
/** Three thousand, so that each connection forges equally often in each of the three ways. */
const forged = connections * 3 * 125;
const genuine = 20;
/** Lookups in a minute, and in a day. */
const cap = { perMinute: 120, inAll: 240 };

/** Waits until this is so, as long as the test may take. */
async function waitUntil(isSo: () => boolean): Promise<void> {
	while (!isSo()) await sleep(20);
}

/** How often the platform was asked about a delivery. */
async function lookups(sandbox: TestSandbox): Promise<number> {
	const requests = await sandbox.requests();
	return requests.filter(({ method, path }) => method === 'GET' && path !== '/v1/webhooks').length;
}

/** Sends all forgeries, as fast as they are answered: the milliseconds that each took, by the status of its answer. */
async function forge({ url }: WebhookHost, recordedJob: string): Promise<Map<number, number[]>> {
	const draws = [
		() => ({ to: url, body: claim(randomUUID()) }),
		() => ({ to: `${url}?key=${randomUUID()}`, body: claim(randomUUID()) }),
		// Somebody has recorded what the platform sent, but for the key.
		() => ({ to: url, body: claim(recordedJob) }),
	];
	const headers = { 'content-type': 'application/json' };
	const took = new Map<number, number[]>();
	const inTurn = async () => {
		for (let round = 0; round < forged / connections / draws.length; round++) {
			for (const draw of draws) {
				const { to, body } = draw();
				const sentAt = performance.now();
				const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
				await answer.arrayBuffer();
				const earlier = took.get(answer.status) ?? [];
				took.set(answer.status, [...earlier, performance.now() - sentAt]);
			}
		}
	};
	await Promise.all(Array.from({ length: connections }, inTurn));
	return took;
}

const middle = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1] ?? NaN;

test(`${forged} forgeries over HTTP start nothing, cost no more than their cap, and hold up no genuine delivery`, async () => {
	const sandbox = await sandboxForTests({ taskMs: 0, rate: 2_000 });
	const host = await WebhookHost.start(sandbox);
	await host.activate();
	const jobs = [await sandbox.startJob(['recorded@example.org'])];
	await waitUntil(() => host.runs.length === 1);

	const startedAt = Date.now();
	const flood = forge(host, jobs[0] ?? '');
	for (let n = 1; n <= genuine; n++) {
		await waitUntil(() => host.answers.length >= (n * forged) / (genuine + 1));
		jobs.push(await sandbox.startJob([`g${n}@example.org`]));
	}
	const took = await flood;
	const minutes = Math.ceil((Date.now() - startedAt) / 60_000);
	await waitUntil(() => host.runs.length >= jobs.length);

	expect(host.items.map(({ id }) => id).sort()).toEqual([...jobs].sort());
	// The wrong key is refused, a repetition ignored; the others are looked up as far as the cap goes.
	const counted = (status: number) => took.get(status)?.length ?? 0;
	const lookedUp = counted(401) - forged / 3;
	expect(counted(200)).toBe(forged / 3);
	expect(counted(401) + counted(503)).toBe((2 * forged) / 3);
	expect(lookedUp).toBeGreaterThan(0);
	expect(lookedUp).toBeLessThanOrEqual(Math.min(cap.perMinute * minutes, cap.inAll));
	expect(await lookups(sandbox)).toBe(lookedUp);

	const deliveries = await sandbox.deliveries();
	expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(jobs.map(() => 1));
	const genuineTimes = deliveries.flatMap(({ attempts }) => attempts[0]?.durationMs ?? []);
	expect(middle(genuineTimes)).toBeLessThan(4 * middle([...took.values()].flat()));
}, 900_000);
