import type { Child } from '../../host/child';
import { executionsOf } from '../../host/execution';
import { until } from '../../host/until';
import { sign } from '../../sandbox/webhooks/signature';
import { startQueueN8n, type QueueN8n } from './queue';
import {
	addresses,
	endedExecutions,
	platformFor,
	published,
	publishedAt,
	registeredAt,
	startExecution,
} from './queueWorkflows';
import { upcomingSession } from '../support/platform/seededIds';
import { bulkRegister, eventPlatform, eventPlatformTrigger } from '../support/n8n/workflows';

jest.setTimeout(10 * 60_000);

let n8n: QueueN8n;
let workers: Child[];

beforeAll(async () => {
	n8n = await startQueueN8n();
	workers = [await n8n.startWorker(), await n8n.startWorker()];
});

afterAll(() => n8n?.close());

test('rotating refresh tokens under load never disconnect the credential', async () => {
	const { sandbox, credential } = await platformFor(n8n, {
		rotateRefresh: true,
		tokenTtl: 2,
	});
	const ping = eventPlatform('Ping', credential, { resource: 'account', operation: 'ping' });
	const read = await publishedAt(n8n, 'rotate', ping);
	const batch = { first: 1, count: 5, sessionId: upcomingSession };

	for (let round = 0; round < 4; round++) {
		await Promise.all(Array.from({ length: 10 }, () => startExecution(n8n, 'rotate', batch)));
		// Longer than a token lives, so that every round begins with an expired one.
		await new Promise((done) => setTimeout(done, 2_500));
	}
	const executions = await endedExecutions(n8n, read, 40);

	expect(executions.map(({ status, error }) => error ?? status)).toEqual(
		Array<string>(40).fill('success'),
	);
	const requests = await sandbox.requests();
	const refreshes = requests.filter(({ oauth }) => oauth?.grantType === 'refresh_token');
	expect(refreshes.length).toBeGreaterThanOrEqual(3);
	expect(refreshes.filter(({ status }) => status !== 200)).toEqual([]);
});

test('a worker killed midway and its execution run again: the platform has exactly the people of the list', async () => {
	const { sandbox, credential } = await platformFor(n8n, { rate: 10 });
	const bulk = bulkRegister(credential, upcomingSession);
	const register = await publishedAt(n8n, 'survive', bulk);
	const batch = { first: 1, count: 2_000, sessionId: upcomingSession };
	const registered = () => registeredAt(sandbox, upcomingSession);
	// One worker is left, so that there is no doubt which one has the execution.
	await workers.pop()?.stop();

	await startExecution(n8n, 'survive', batch);
	const isUnderWay = () => Promise.resolve(registered().length >= 300);
	await until('the platform to know some of the people', isUnderWay);
	workers.pop()?.kill();
	workers.push(await n8n.startWorker());
	expect(registered().length).toBeLessThan(2_000);

	await startExecution(n8n, 'survive', batch);
	const again = (await endedExecutions(n8n, register, 2)).at(-1);

	expect(again?.status).toBe('success');
	const statuses = again?.output('Register in bulk').map(({ status }) => status) ?? [];
	expect(statuses).toHaveLength(2_000);
	expect(new Set(statuses)).toEqual(new Set(['registered', 'already_registered']));
	expect(registered()).toEqual(addresses(2_000));
});

test('300 deliveries at once to the webhook process start each run once', async () => {
	const webhookSecret = 'known to both';
	const { credential } = await platformFor(n8n, {}, { webhookSecret });
	const parameters = { events: ['people.registered'], subscription: 'manual', verify: 'signature' };
	const trigger = eventPlatformTrigger(credential, parameters);
	const hear = await published(n8n, trigger);
	const url = `${n8n.webhookUrl}/webhook/${String(trigger.webhookId)}/webhook`;
	const isKnown = async () => (await fetch(url, { method: 'POST' })).status !== 404;
	await until('the webhook process to know the trigger', isKnown);

	const emails = addresses(300);
	const answers = await Promise.all(
		emails.map((email, index) => deliver(url, personRegistered(email, index), webhookSecret)),
	);

	expect(new Set(answers)).toEqual(new Set([200]));
	const ended = await endedExecutions(n8n, hear, 300);
	const heard = ended.flatMap((execution) => execution.output(trigger.name));
	expect(heard.map(({ email }) => String(email)).sort()).toEqual(emails);
	expect(await executionsOf(n8n.editor, hear)).toHaveLength(300);
});

function personRegistered(email: string, index: number) {
	return {
		data: {
			id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
			type: 'people',
			attributes: { email, role: 'participant', created_at: index + 1, updated_at: index + 1 },
			meta: { webhook: { event: 'people.registered', organization_id: 'sandbox' } },
		},
	};
}

async function deliver(url: string, body: object, secret: string): Promise<number> {
	const text = JSON.stringify(body);
	const signature = sign(secret, text, Date.now());
	const headers = { 'content-type': 'application/json', 'x-livestorm-signature': signature };
	return (await fetch(url, { method: 'POST', headers, body: text })).status;
}
