import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { until } from '../support/sandbox';
import { claim, TriggerScene, unknownId } from '../support/triggerScene';

const scene = new TriggerScene();

describe('when the platform cannot be asked', () => {
	test.each(['500', 'reset-after'] as const)(
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
});

describe('answers', () => {
	test.each(['application/vnd.api+json', 'application/x-www-form-urlencoded'])(
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

	test('a credential that is gone is no reason for a failed run: the platform comes again', async () => {
		const host = await scene.start({ authentication: 'oAuth2' });
		expect((await host.deliver({ body: claim(unknownId) })).sent?.status).toBe(503);
	});
});

test('a stranger cannot fill the log: one warning a minute, with the number', async () => {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	const lines = () => warn.mock.calls.map(([line]) => line).filter((line) => line.includes('503'));
	const host = await scene.start({ verify: 'signature' });
	for (let n = 0; n < 100; n++) await host.deliver({ body: claim(unknownId) });
	expect(lines()).toEqual([expect.not.stringContaining('others')]);
	const later = Date.now() + 60_000;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
	await host.deliver({ body: claim(unknownId) });
	expect(lines()).toEqual([
		expect.any(String),
		expect.stringContaining('(and 99 others since the last such line)'),
	]);
	clock.mockRestore();
	warn.mockRestore();
});
