import { claim, TriggerScene } from '../support/n8n/triggerScene';
import { unknownId } from '../support/platform/seededIds';

const scene = new TriggerScene();

test('a delivery waits where somebody else has used up the requests of the second', async () => {
	const host = await scene.start({ verify: 'api' });
	const match = { path: '/v1/jobs/:id' };
	await scene.sandbox.faults([{ match, do: '429', retryAfter: 1 }]);
	const { sent } = await host.deliver({ body: claim(unknownId) });
	expect(sent?.status).toBe(401);
});

test('a delivery does not wait until the platform takes requests again: it comes again', async () => {
	const host = await scene.start({ verify: 'api' });
	const match = { path: '/v1/jobs/:id' };
	await scene.sandbox.faults([{ match, do: '429', retryAfter: 60 }]);
	const answer = async () => (await host.deliver({ body: claim(unknownId) })).sent?.status;
	const calls = await scene.calls(async () => {
		expect([await answer(), await answer()]).toEqual([503, 503]);
	});
	expect(calls).toHaveLength(1);
});
