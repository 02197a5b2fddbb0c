import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { connectThroughConsent } from '../support/engine';
import { bulkOf, sandboxForTests, until, upcomingSession } from '../support/sandbox';
import { WebhookHost } from '../support/webhooks';

const genuine = 60;
const interrupted = 15;
const repeated = 40;
const forged = 60;

test('deliveries, forged, repeated and interrupted, start one run per real event', async () => {
	const sandbox = await sandboxForTests({ rate: 2_000, webhookRetryFactor: 0.01, taskMs: 500 });
	// A token of its own, so that its pace is not disturbed by the requests of this test.
	const { credential } = await connectThroughConsent(sandbox);
	const host = await WebhookHost.start(sandbox, {
		credential,
		parameters: { verify: 'api', options: { confirmationsPerMinute: 5_000 } },
		databaseMs: 5,
	});
	await host.activate();

	interface Sent {
		id: string;
		status: string;
	}
	const deliveries = async () => (await sandbox.web.get<Sent[]>('/_sandbox/deliveries')).data;
	const deliveriesWhen = (isSo: (all: Sent[]) => boolean) =>
		until(async () => {
			// A long list: reading it all the time would slow everything down.
			await new Promise((done) => setTimeout(done, 200));
			return isSo(await deliveries());
		});

	// A quarter of the confirmations fail the first time, in every way there is.
	const jobs: string[] = [];
	const path = `/sessions/${upcomingSession}/people/bulk`;
	const deeds = ['429', '500', 'html-502', 'reset-before', 'truncate'] as const;
	for (let job = 0; job < genuine; job++) {
		const { data } = await sandbox.api.post<{ id: string }>(path, bulkOf([`p${job}@example.org`]));
		jobs.push(data.id);
		if (job % (genuine / interrupted) === 0) {
			const match = { method: 'GET', path: `/v1/jobs/${data.id}` };
			const deed = deeds[job % deeds.length] ?? '500';
			await sandbox.faults([{ match, times: 1, do: deed, retryAfter: 0 }]);
		}
	}

	const sender = axios.create({ validateStatus: () => true, proxy: false });
	const refusals: number[] = [];
	let forgeries = 0;
	const forge = async () => {
		while (forgeries++ < forged) {
			const body = { type: 'jobs', id: randomUUID(), attributes: { status: 'ended' } };
			const { status } = await sender.post(host.url, body);
			refusals.push(status);
		}
	};
	const forgers = Promise.all(Array.from({ length: 5 }, forge));

	await deliveriesWhen((all) => all.length === genuine);
	for (const { id } of (await deliveries()).slice(0, repeated)) {
		await sandbox.web.post(`/_sandbox/deliveries/${id}/redeliver`, {});
	}
	await forgers;
	await deliveriesWhen(
		(all) => all.length === genuine + repeated && all.every(({ status }) => status === 'delivered'),
	);

	expect(refusals).toEqual(Array.from({ length: forged }, () => 401));
	expect(host.items.map(({ id }) => id).sort()).toEqual([...jobs].sort());
	expect(host.runs).toHaveLength(genuine);
	expect(host.failedRuns).toEqual([]);
	expect(host.answers.filter((status) => status === 503).length).toBeGreaterThanOrEqual(
		interrupted,
	);
	const { webhooks } = (await sandbox.state()) as { webhooks: { disabled_at: number }[] };
	expect(webhooks).toMatchObject([{ disabled_at: 0 }]);
	const confirmations = (await sandbox.requests()).filter(({ path: asked }) =>
		/^\/v1\/jobs\/[^/]+$/.test(asked),
	);
	expect(confirmations.length).toBeLessThanOrEqual(host.answers.length);
}, 180_000);
