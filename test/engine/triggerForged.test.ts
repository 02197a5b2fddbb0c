import '../support/fasterClock';
import { upcomingSession } from '../support/sandbox';
import { claim, envelope, restartedNode, TriggerScene, unknownId } from '../support/triggerScene';

const scene = new TriggerScene();

describe('a forged delivery starts nothing, is told nothing and costs at most one request', () => {
	test.each<[string, unknown, number]>([
		['of a job that does not exist', claim(unknownId), 1],
		['that tries to climb out of the path', claim('../webhooks'), 0],
		['of a session that has not ended', envelope('session.ended', 'sessions', upcomingSession), 1],
		[
			'with a session id that climbs',
			envelope('people.registered', 'people', unknownId, {
				registrant_detail: { session_id: '../../webhooks' },
			}),
			1,
		],
	])('%s', async (_, body, cost) => {
		const kinds = ['job.ended', 'session.ended', 'people.registered'];
		const host = await scene.listen({ events: kinds });
		const before = (await scene.sandbox.requests()).length;
		const { sent, workflowData } = await host.deliver({ body });
		expect(workflowData).toBeUndefined();
		expect(sent?.status).toBe(cost === 0 ? 200 : 401);
		expect(sent?.body).toBeUndefined();
		expect((await scene.sandbox.requests()).length - before).toBe(cost);
		expect(host.staticData.seen).toBeUndefined();
	});
});

describe('a flood', () => {
	test('of forged deliveries costs no more requests than a minute is allowed', async () => {
		const host = await scene.listen({ options: { confirmationsPerMinute: 20 } });
		const ids = Array.from({ length: 200 }, (_, n) => unknownId.replace(/0{3}$/, String(100 + n)));
		const all = await Promise.all(ids.map((id) => host.deliver({ body: claim(id) })));
		expect(all.filter(({ sent }) => sent?.status === 401)).toHaveLength(20);
		expect(all.filter(({ sent }) => sent?.status === 503)).toHaveLength(180);
		expect(await scene.confirmations()).toHaveLength(20);
		expect(host.runs).toEqual([]);
	});

	test('the limit outlives a restart', async () => {
		const host = await scene.listen({ options: { confirmationsPerMinute: 1 } });
		await host.deliver({ body: claim(unknownId) });
		host.node = restartedNode();
		expect((await host.deliver({ body: claim(unknownId) })).sent?.status).toBe(503);
	});
});
