import { SimulatedTime } from '../support/n8n/pollingHost';
import { claim, TriggerScene } from '../support/n8n/triggerScene';
import { unknownId } from '../support/platform/seededIds';

const scene = new TriggerScene();
const time = new SimulatedTime();

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

test('a token that was revoked for a night leaves lookups for the day, and the night has cost few', async () => {
	const host = await scene.start({ subscription: 'manual', verify: 'api' });
	const id = await scene.endedJob();
	host.changeCredential({ apiToken: 'revoked' });
	const calls = await scene.calls(async () => {
		for (let minute = 0; minute < 10 * 60; minute++) {
			time.passMinutes(1);
			await host.deliver({ body: claim(unknownId) });
		}
	});
	expect(calls.length).toBeLessThanOrEqual(190);
	host.changeCredential({ apiToken: scene.sandbox.apiToken });
	// The first five attempts. The fifth is the first that would be accepted unjudged.
	for (const minutes of [0, 0.5, 1, 2.5, 6]) {
		time.passMinutes(minutes);
		await host.deliver({ body: claim(id) });
	}
	expect(host.items).toMatchObject([{ event: 'job.ended', id }]);
	const next = await scene.endedJob();
	await host.deliver({ body: claim(next) });
	expect(host.items).toMatchObject([{ id }, { id: next }]);
});
