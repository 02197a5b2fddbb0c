import type { Child } from '../../host/child';
import { connect } from '../../host/connect';
import type { SavedCredential, Workflow } from '../../host/editor';
import { until } from '../../host/editor';
import { executionEnd, executionsOf } from '../../host/execution';
import { ensureCredential, oAuthType } from '../../host/provision';
import type { SandboxOptions } from '../../sandbox/options';
import { sign } from '../../sandbox/webhooks/signature';
import { startQueueN8n, type QueueN8n } from '../support/queue';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import {
	bulkRegister,
	eventPlatform,
	eventPlatformTrigger,
	node,
	workflowOf,
} from '../support/workflows';

jest.setTimeout(10 * 60_000);

const ping = { resource: 'account', operation: 'ping' };
/** What the platform allows a token. */
const ratePerSecond = 5;

let n8n: QueueN8n;
let workers: Child[];

beforeAll(async () => {
	n8n = await startQueueN8n();
	workers = [await n8n.startWorker(), await n8n.startWorker()];
});

afterAll(() => n8n?.close());

test('two workers share one token: 10,000 people in 20 executions, all right and close to the limit', async () => {
	// Other work on the machine spoils a measurement and never betters it: the best of up to three
	// counts. That everybody is registered must hold each time.
	let best = { share429: 1, useOfLimit: 0 };
	for (let attempt = 1; attempt <= 3 && !isClose(best); attempt++) {
		const measured = await shareToken(`share-${attempt}`);
		process.stdout.write(
			`Two workers on one token: ${percent(measured.share429)} refused, ${percent(measured.useOfLimit)} of the limit used.\n`,
		);
		if (isClose(measured) || measured.useOfLimit > best.useOfLimit) best = measured;
	}
	expect(best.share429).toBeLessThan(0.03);
	expect(best.useOfLimit).toBeGreaterThanOrEqual(0.9);
});

function isClose({ share429, useOfLimit }: { share429: number; useOfLimit: number }) {
	return share429 < 0.03 && useOfLimit >= 0.9;
}

async function shareToken(path: string) {
	const sandbox = await platform({ rate: ratePerSecond });
	const credential = await connected(sandbox);
	const register = await published(
		workflowOf(
			`Share the token (${path})`,
			webhook(path),
			listed(500),
			bulkRegister(credential, upcomingSession),
		),
	);

	await Promise.all(batches(20).map((batch) => start(path, { first: batch * 500 })));
	const executions = await ended(register, 20);

	const people = executions.flatMap((execution) => execution.output('Register in bulk'));
	expect(people).toHaveLength(10_000);
	expect(new Set(people.map(({ status }) => status))).toEqual(new Set(['registered']));
	expect(await addressesAt(sandbox)).toEqual(addresses(10_000));
	return await traffic(sandbox);
}

test('rotating refresh tokens under load never disconnect the credential', async () => {
	const sandbox = await platform({ rotateRefresh: true, tokenTtl: 2 });
	const credential = await connected(sandbox);
	const read = await published(
		workflowOf('Rotate', webhook('rotate'), listed(5), eventPlatform('Read', credential, ping)),
	);

	for (let round = 0; round < 4; round++) {
		await Promise.all(batches(10).map(() => start('rotate', { first: 0 })));
		// Longer than a token lives, so that every round begins with an expired one.
		await new Promise((done) => setTimeout(done, 2_500));
	}
	const executions = await ended(read, 40);

	expect(executions.map(({ status, error }) => error ?? status)).toEqual(
		Array<string>(40).fill('success'),
	);
	const refreshes = (await sandbox.requests()).filter(
		({ oauth }) => oauth?.grantType === 'refresh_token',
	);
	expect(refreshes.length).toBeGreaterThanOrEqual(3);
	expect(refreshes.filter(({ status }) => status !== 200)).toEqual([]);
});

test('a worker killed midway and its execution run again: the platform has exactly the people of the list', async () => {
	const sandbox = await platform({ rate: 10 });
	const credential = await connected(sandbox);
	const register = await published(
		workflowOf(
			'Survive',
			webhook('survive'),
			listed(2_000),
			bulkRegister(credential, upcomingSession),
		),
	);
	// One worker is left, so that there is no doubt which one has the execution.
	await workers.pop()?.stop();

	await start('survive', { first: 0 });
	await until('the platform to know some of the people', async () =>
		(await registered(sandbox)) >= 300 ? true : undefined,
	);
	workers.pop()?.kill();
	workers.push(await n8n.startWorker());
	const afterKill = await registered(sandbox);
	expect(afterKill).toBeLessThan(2_000);

	await start('survive', { first: 0 });
	const again = (await ended(register, 2)).at(-1);

	expect(again?.status).toBe('success');
	const statuses = again?.output('Register in bulk').map(({ status }) => status) ?? [];
	expect(statuses).toHaveLength(2_000);
	expect(new Set(statuses)).toEqual(new Set(['registered', 'already_registered']));
	expect(await addressesAt(sandbox)).toEqual(addresses(2_000));
});

test('300 deliveries at once to the webhook process start each run once', async () => {
	const webhookSecret = 'known to both';
	const sandbox = await platform({});
	const credential = await connected(sandbox, { webhookSecret });
	const trigger = eventPlatformTrigger(credential, {
		events: ['people.registered'],
		subscription: 'manual',
		verify: 'signature',
	});
	const hear = await published(workflowOf('Hear of people', trigger));
	const url = `${n8n.webhookUrl}/webhook/${String(trigger.webhookId)}/webhook`;
	await until('the webhook process to know the trigger', async () =>
		(await fetch(url, { method: 'POST' })).status === 404 ? undefined : true,
	);

	const emails = addresses(300);
	const answers = await Promise.all(
		emails.map((email, index) => deliver(url, personRegistered(email, index), webhookSecret)),
	);

	expect(new Set(answers)).toEqual(new Set([200]));
	const heard = (await ended(hear, 300)).flatMap((execution) => execution.output(trigger.name));
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
	const answer = await fetch(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/json',
			'x-livestorm-signature': sign(secret, text, Date.now()),
		},
		body: text,
	});
	return answer.status;
}

function platform(options: Partial<SandboxOptions>): Promise<TestSandbox> {
	return sandboxForTests({ redirectUri: n8n.redirectUri, ...options });
}

async function connected(
	{ baseUrl, authServerUrl, clientId, clientSecret }: TestSandbox,
	more: Record<string, string> = {},
): Promise<SavedCredential> {
	const credential = await ensureCredential(n8n.editor, {
		name: `Platform at ${baseUrl}`,
		type: oAuthType,
		data: { baseUrl, authServerUrl, clientId, clientSecret, ...more },
	});
	await connect(n8n.editor, credential.id);
	return credential;
}

async function published(workflow: Workflow): Promise<string> {
	const { id, versionId } = await n8n.editor.post<{ id: string; versionId: string }>(
		'/rest/workflows',
		workflow,
	);
	await n8n.editor.post(`/rest/workflows/${id}/activate`, { versionId });
	return id;
}

function webhook(path: string) {
	return {
		...node('Start', 'n8n-nodes-base.webhook', { httpMethod: 'POST', path, options: {} }, 2),
		webhookId: path,
	};
}

/** `count` people from the number that started the execution. */
function listed(count: number) {
	const jsCode = `const { first } = $input.first().json.body;
return Array.from({ length: ${count} }, (_, index) => ({ json: { email: \`person\${first + index + 1}@example.com\` } }));`;
	return node('People', 'n8n-nodes-base.code', { jsCode }, 2);
}

async function start(path: string, body: object) {
	// The webhook process learns of a workflow a moment after it was published.
	const status = await until(`the webhook "${path}"`, async () => {
		const answer = await fetch(`${n8n.webhookUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return answer.status === 404 ? undefined : answer.status;
	});
	expect(status).toBe(200);
}

async function ended(workflowId: string, count: number) {
	const ids = await until(
		`${count} executions`,
		async () => {
			const found = await executionsOf(n8n.editor, workflowId);
			return found.length >= count ? found : undefined;
		},
		180_000,
	);
	return Promise.all(ids.map((id) => executionEnd(n8n.editor, id, 300_000)));
}

async function registered(sandbox: TestSandbox): Promise<number> {
	return (await addressesAt(sandbox)).length;
}

/** Read past the API, so that looking does not count against the limit. */
function addressesAt({ platform: { store } }: TestSandbox): Promise<string[]> {
	const rows = store.all(
		'SELECT p.email FROM registrations r JOIN people p ON p.id = r.person_id WHERE r.session_id = ? ORDER BY p.email',
		upcomingSession,
	);
	return Promise.resolve(rows.map(({ email }) => String(email)));
}

function addresses(count: number) {
	return batches(count)
		.map((index) => `person${index + 1}@example.com`)
		.sort();
}

/** From the first to the last request of the API that was answered. */
async function traffic(sandbox: TestSandbox) {
	const requests = (await sandbox.requests()).filter(({ path }) => path.startsWith('/v1/'));
	const refused = requests.filter(({ status }) => status === 429).length;
	const times = requests.map(({ time }) => time);
	const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
	return {
		share429: refused / requests.length,
		useOfLimit: (requests.length - refused) / (seconds * ratePerSecond),
	};
}

function percent(share: number) {
	return `${(share * 100).toFixed(1)} %`;
}

function batches(count: number) {
	return Array.from({ length: count }, (_, index) => index);
}
