import type { INodeParameters } from 'n8n-workflow';
import { connectThroughConsent } from '../support/engine';
import { personOf, until, upcomingSession } from '../support/sandbox';
import { claim, envelope, TriggerScene, unknownId } from '../support/triggerScene';
import type { WebhookHost } from '../support/webhooks';

const scene = new TriggerScene();

describe('when the platform cannot be asked', () => {
	test.each(['429', '500', 'html-502', 'reset-before', 'reset-after', 'truncate'] as const)(
		'(%s) the delivery comes again and starts its run exactly once',
		async (deed) => {
			const host = await scene.listen({ verify: 'api' });
			await scene.sandbox.faults([
				{ match: { path: '/v1/jobs/:id' }, times: 2, do: deed, retryAfter: 0 },
			]);
			const id = await scene.startJob();
			await until(() => host.runs.length > 0);
			expect(host.answers).toEqual([503, 503, 200]);
			expect(host.items).toMatchObject([{ id }]);
			expect(await scene.confirmations()).toHaveLength(3);
		},
	);

	test('an OAuth2 token that has expired is refreshed on the way', async () => {
		const { credential } = await connectThroughConsent(scene.sandbox);
		const host = await scene.listen({ verify: 'api' }, { credential });
		await scene.sandbox.faults([{ match: { path: '/v1/jobs/:id' }, times: 1, do: 'expire-token' }]);
		const id = await scene.startJob();
		await until(() => host.answers.length > 0);
		expect(host.answers).toEqual([200]);
		expect(host.items).toMatchObject([{ id }]);
	});

	test('a blocked workspace is asked again later', async () => {
		const id = await scene.endedJob();
		const host = await scene.listen();
		await scene.sandbox.web.post('/_sandbox/workspace', { blocked: true });
		expect((await host.deliver({ body: claim(id) })).sent?.status).toBe(503);
		await scene.sandbox.web.post('/_sandbox/workspace', { blocked: false });
		await host.deliver({ body: claim(id) });
		expect(host.runs).toHaveLength(1);
	});
});

test('a person who unregistered meanwhile does not cost the subscription', async () => {
	const path = `/sessions/${upcomingSession}/people`;
	const { data } = await scene.sandbox.api.post<{ data: { id: string } }>(
		path,
		personOf('a@example.org'),
	);
	await scene.sandbox.api.delete(`${path}/${data.data.id}`);
	const host = await scene.listen({ events: ['people.registered'] });
	const detail = { registrant_detail: { session_id: upcomingSession } };
	const body = envelope('people.registered', 'people', data.data.id, detail);
	expect((await host.deliver({ body })).sent?.status).toBe(401);
	const lastAttempt = Date.now() + 22 * 60_000;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => lastAttempt);
	const { sent } = await host.deliver({ body }).finally(() => clock.mockRestore());
	expect(sent?.status).toBe(200);
	expect(host.runs).toEqual([]);
});

test('a clock that was set back by an hour delays no delivery', async () => {
	const [one, other] = [await scene.endedJob(), await scene.endedJob()];
	const host = await scene.listen({ verify: 'api' });
	const ahead = Date.now() + 3_600_000;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => ahead);
	await host.deliver({ body: claim(one) }).finally(() => clock.mockRestore());
	await host.deliver({ body: claim(other) });
	expect(host.items.map(({ id }) => id)).toEqual([one, other]);
});

test('a job that the platform does not know is refused to the last', async () => {
	const host = await scene.listen();
	await host.deliver({ body: claim(unknownId) });
	const lastAttempt = Date.now() + 22 * 60_000;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => lastAttempt);
	const { sent } = await host
		.deliver({ body: claim(unknownId) })
		.finally(() => clock.mockRestore());
	expect(sent?.status).toBe(401);
});

describe('answers', () => {
	test.each<[string, INodeParameters, Parameters<WebhookHost['deliver']>[0], number]>([
		['a kind that was not chosen', {}, { body: envelope('session.ended', 'sessions', 'x') }, 200],
		['a job that is not listed', { options: { jobIds: 'other' } }, { body: claim(unknownId) }, 200],
		[
			'a job without failures, where only those matter',
			{ options: { onlyWithFailures: true } },
			{ body: claim(unknownId, { status: 'ended', total_fail: 0 }) },
			200,
		],
		[
			'a session that is left out',
			{ events: ['session.ended'], options: { sessionId: 'other' } },
			{ body: envelope('session.ended', 'sessions', unknownId) },
			200,
		],
		['a ping', {}, { body: {} }, 200],
		['a list', {}, { body: [] }, 200],
		['null', {}, { rawBody: 'null' }, 200],
		['nothing', {}, { rawBody: '' }, 400],
		['a body that was cut off', {}, { rawBody: '{"type":"jobs","id":"' }, 400],
		['something that is no text', {}, { rawBody: '\u0000\u0001' }, 400],
		['a megabyte of nothing', {}, { rawBody: ' '.repeat(1_000_000) }, 400],
		['a deep hole', {}, { rawBody: '['.repeat(500_000) }, 400],
	])('%s starts nothing and costs nothing', async (_, parameters, request, status) => {
		const host = await scene.listen(parameters);
		const before = (await scene.sandbox.requests()).length;
		const { sent, workflowData } = await host.deliver(request);
		expect(workflowData).toBeUndefined();
		expect(sent?.status).toBe(status);
		expect((await scene.sandbox.requests()).length).toBe(before);
	});

	test.each(['application/vnd.api+json', 'text/plain', 'application/x-www-form-urlencoded', ''])(
		'the content type "%s" makes no difference',
		async (type) => {
			const id = await scene.endedJob();
			const host = await scene.listen();
			await host.deliver({
				rawBody: JSON.stringify(claim(id)),
				body: {},
				headers: { 'content-type': type },
			});
			expect(host.items).toMatchObject([{ id }]);
		},
	);

	test('a genuine delivery of a megabyte is read', async () => {
		const id = await scene.endedJob();
		const host = await scene.listen();
		const padding = 'x'.repeat(1_000_000);
		await host.deliver({ body: claim(id, { status: 'ended', padding }) });
		expect(host.items).toMatchObject([{ id, status: 'ended' }]);
		expect(JSON.stringify(host.items)).not.toContain('xxx');
	});

	test('a credential that is gone is no reason for a failed run: the platform comes again', async () => {
		const host = await scene.start({ authentication: 'oAuth2' });
		expect((await host.deliver({ body: claim(unknownId) })).sent?.status).toBe(503);
	});
});
