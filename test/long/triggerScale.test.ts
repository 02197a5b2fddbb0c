import { setTimeout as sleep } from 'node:timers/promises';
import { connectThroughConsent } from '../support/engine';
import { bulkOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
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

test('each of many people starts two runs, and their deliveries cost no request', async () => {
	const people = 300;
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
	// One look at the subscriptions, one request to make each, and one for the titles of the session
	expect((await spent(sandbox)).sort()).toEqual([
		`GET /v1/sessions/${upcomingSession}`,
		'GET /v1/webhooks',
		...kinds.map(() => 'POST /v1/webhooks'),
	]);
}, 900_000);
