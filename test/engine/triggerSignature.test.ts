import { until } from '../support/sandbox';
import { createHash } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { TriggerScene } from '../support/triggerScene';
import type { WebhookHost } from '../support/webhooks';

const webhookSecret = 'a secret that both know';
const scene = new TriggerScene({ webhookSecret });

const listen = (parameters: INodeParameters = {}) =>
	scene.listen({ verify: 'signature', ...parameters }, { webhookSecret });

const body = JSON.stringify({ type: 'jobs', id: 'j-1', attributes: { status: 'ended' } });

function signed(at: number, { key = webhookSecret, sent = body } = {}) {
	const time = String(Math.floor(at / 1_000));
	return [time, createHash('sha256').update(`${time}${key}${sent}`).digest('hex')];
}

const deliver = (host: WebhookHost, signature: readonly string[] | undefined, sent = body) =>
	host.deliver({
		rawBody: sent,
		headers: signature ? { 'X-Livestorm-Signature': signature.join(',') } : {},
	});

test('what the platform signed starts a run and costs no request', async () => {
	const host = await listen();
	const before = (await scene.sandbox.requests()).length;
	const id = await scene.startJob();
	await until(() => host.answers.length > 0);
	expect(host.answers).toEqual([200]);
	expect(host.items).toMatchObject([{ event: 'job.ended', id, status: 'ended' }]);
	expect((await scene.sandbox.requests()).slice(before)).toHaveLength(1);
});

test('the body is checked as it was sent, not as it was parsed', async () => {
	const host = await listen();
	const spaced = JSON.stringify(JSON.parse(body), null, 2);
	await deliver(host, signed(Date.now(), { sent: spaced }), spaced);
	expect(host.runs).toHaveLength(1);
});
