import type { INodeParameters } from 'n8n-workflow';
import { sign } from '../../sandbox/webhooks/signature';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { claim, TriggerScene } from '../support/n8n/triggerScene';
import type { WebhookHost } from '../support/n8n/webhookHost';
import { eventually } from '../support/time/eventually';
import { unknownId } from '../support/platform/seededIds';
import { linesOfLog } from './log';

const webhookSecret = 'a secret that both know';
const scene = new TriggerScene({ webhookSecret });
const time = new SimulatedTime();

/** How long after the attempt before it the platform makes each attempt, in minutes. When the last one fails, it disables the webhook. */
const attempts = [0, 0.5, 1, 2.5, 6, 12];
const acceptedAtLast = [503, 503, 503, 503, 200, 200];

/** How each attempt of a signed delivery is answered. */
async function answersToAttempts(host: WebhookHost, body: object): Promise<unknown[]> {
	const answers: unknown[] = [];
	for (const minutes of attempts) {
		time.passMinutes(minutes);
		const signature = sign(webhookSecret, JSON.stringify(body), Date.now());
		const { sent } = await host.deliver({ body, headers: { 'X-Livestorm-Signature': signature } });
		answers.push(sent?.status);
	}
	return answers;
}

test('a signed job whose results the platform does not show is no forgery, and ends no webhook', async () => {
	const warnings = linesOfLog('warn');
	const host = await scene.start({ verify: 'signature', output: 'tasks' }, { webhookSecret });
	expect(await answersToAttempts(host, claim(unknownId))).toEqual(acceptedAtLast);
	expect(host.runs).toEqual([]);
	expect(warnings()).toContainEqual(expect.stringContaining('does not deliver it again'));
});

describe('a trigger that cannot check deliveries until a person changes something', () => {
	const noSecret: INodeParameters = { verify: 'signature' };
	const noCredential: INodeParameters = { authentication: 'oAuth2' };

	test.each([noSecret, noCredential, { ...noCredential, verify: 'api' }])(
		'ends no webhook: %j',
		async (parameters) => {
			const host = await scene.start({ subscription: 'manual', ...parameters });
			expect(await answersToAttempts(host, claim(unknownId))).toEqual(acceptedAtLast);
			expect(host.runs).toEqual([]);
		},
	);

	test('has its own webhook kept, and the next check reads what came since', async () => {
		const parameters = { verify: 'signature', events: ['people.registered'] };
		const host = await scene.listen(parameters, { webhookSecret });
		host.changeCredential({ webhookSecret: '' });
		await scene.sandbox.register('unchecked@example.org');
		await eventually(() => host.answers.length > 0);
		time.passMinutes(10);
		await eventually(() => host.answers.includes(200));
		expect(host.answers).toEqual([503, 200]);
		host.changeCredential({ webhookSecret });
		time.passMinutes(6 * 60);
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'unchecked@example.org' }]);
		await scene.sandbox.register('signed@example.org');
		await eventually(() => host.runs.length === 2);
	});
});

describe('an event that nothing confirms for ten minutes', () => {
	const down = { match: { path: '/v1/sessions/*', method: 'GET' }, do: '500', times: 2 } as const;
	const check = async (host: WebhookHost) => {
		time.passMinutes(6 * 60);
		return await scene.calls(() => host.poll());
	};
	const expectReadLater = async (host: WebhookHost, mend = () => {}) => {
		await scene.sandbox.register('unconfirmed@example.org');
		await eventually(() => host.answers.length > 0);
		time.passMinutes(10);
		await eventually(() => host.answers.includes(200));
		expect(host.runs).toEqual([]);
		mend();
		await check(host);
		expect(host.items).toMatchObject([{ email: 'unconfirmed@example.org' }]);
	};

	test('is read by the next check where the API decides and it came to our own webhook', async () => {
		const host = await scene.listen({ verify: 'api', events: ['people.registered'] });
		await scene.sandbox.faults([down]);
		await expectReadLater(host);
	});

	test('is read by the next check where a token that is wrong has made another key', async () => {
		const host = await scene.listen({ events: ['people.registered'] });
		host.changeCredential({ apiToken: 'wrong' });
		await expectReadLater(host, () => host.changeCredential({ apiToken: scene.sandbox.apiToken }));
	});

	test.each(['api', 'auto'])(
		'causes no reading where a stranger may have sent it, verified by %s',
		async (verify) => {
			const host = await scene.listen({ verify, events: ['session.ended'] });
			await scene.sandbox.faults([down]);
			const meta = { webhook: { event: 'session.ended' } };
			const body = { data: { type: 'sessions', id: unknownId, attributes: {}, meta } };
			expect((await host.deliver({ body })).sent?.status).toBe(503);
			time.passMinutes(10);
			expect((await host.deliver({ body })).sent?.status).toBe(200);
			expect(await check(host)).toEqual(['GET /v1/webhooks']);
		},
	);
});

test('a delivery that has waited for its confirmation does not wait as long again for the results of its job', async () => {
	const host = await scene.start({ verify: 'api', output: 'tasks' });
	const id = await scene.endedJob();
	const limited = { do: '429', times: 1, retryAfter: 6 } as const;
	await scene.sandbox.faults([
		{ match: { path: '/v1/jobs/:id' }, ...limited },
		{ match: { path: '/v1/jobs/:id/tasks' }, ...limited },
	]);
	const arrivedAtMs = Date.now();
	const { sent } = await host.deliver({ body: claim(id) });
	expect(sent?.status).toBe(503);
	expect(Date.now() - arrivedAtMs).toBeLessThan(10_000);
});
