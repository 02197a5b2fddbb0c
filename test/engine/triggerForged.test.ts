import '../support/fasterClock';
import { bulkOf, sandboxForTests, seededEvent, until, upcomingSession } from '../support/sandbox';
import { claim, envelope, restartedNode, TriggerScene, unknownId } from '../support/triggerScene';
import { WebhookHost } from '../support/webhooks';

const scene = new TriggerScene();

describe('a forged delivery starts nothing, is told nothing and costs at most one request', () => {
	test.each<[string, unknown, number]>([
		['of a job that does not exist', claim(unknownId), 1],
		['of a job with an id that no platform gives', claim('%00'), 0],
		['that tries to climb out of the path', claim('../webhooks'), 0],
		['of an event that does not exist', envelope('event.created', 'events', unknownId), 1],
		['of a session that does not exist', envelope('session.ended', 'sessions', unknownId), 1],
		['of a session that has not ended', envelope('session.ended', 'sessions', upcomingSession), 1],
		[
			'of a session that has not started, with a time in it',
			envelope('session.started', 'sessions', upcomingSession, { started_at: 1_700_000_000 }),
			1,
		],
		['of a person who does not exist', envelope('people.registered', 'people', unknownId), 1],
		[
			'of a person in a session where they are not',
			envelope('people.registered', 'people', unknownId, {
				registrant_detail: { session_id: upcomingSession },
			}),
			1,
		],
		[
			'with a session id that climbs',
			envelope('people.registered', 'people', unknownId, {
				registrant_detail: { session_id: '../../webhooks' },
			}),
			1,
		],
		['that names one record and means another', envelope('job.ended', 'events', seededEvent), 1],
	])('%s', async (_, body, cost) => {
		const kinds = [
			'job.ended',
			'event.created',
			'session.started',
			'session.ended',
			'people.registered',
		];
		const host = await scene.listen({ events: kinds });
		const before = (await scene.sandbox.requests()).length;
		const { sent, workflowData } = await host.deliver({ body });
		expect(workflowData).toBeUndefined();
		expect(sent?.status).toBe(cost === 0 ? 200 : 401);
		expect(sent?.body).toBeUndefined();
		expect((await scene.sandbox.requests()).length - before).toBe(cost);
		expect(host.staticData.seen).toBeUndefined();
	});

	test('of a job still at work does not keep the genuine one from starting its run', async () => {
		const slow = await sandboxForTests({ rate: 10_000, jobMs: 150 });
		const host = await WebhookHost.start(slow, { parameters: { verify: 'api' } });
		await host.activate();
		const path = `/sessions/${upcomingSession}/people/bulk`;
		const { data } = await slow.api.post<{ id: string }>(path, bulkOf(['a@example.org']));
		const { sent } = await host.deliver({ body: claim(data.id) });
		expect(sent?.status).toBe(401);
		expect(host.runs).toEqual([]);
		await until(() => host.answers.length > 0);
		expect(host.items).toMatchObject([{ id: data.id, status: 'ended' }]);
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

	test('of forgeries ends when it has cost its share of the month', async () => {
		const host = await scene.listen({
			verify: 'api',
			options: { confirmationsPerMinute: 5_000 },
		});
		let refused = 0;
		while ((await host.deliver({ body: claim(`forged-${refused}`) })).sent?.status === 401)
			refused++;
		expect(refused).toBeGreaterThanOrEqual(480);
		expect(refused).toBeLessThan(485);
		expect(await scene.confirmations()).toHaveLength(refused);

		// What the platform sends starts its run at the second attempt, and the flood gets no further.
		const id = await scene.endedJob();
		await until(() => host.answers.at(-1) === 503);
		expect((await host.deliver({ body: claim(id) })).workflowData).toBeDefined();
		expect((await host.deliver({ body: claim('forged-again') })).sent?.status).toBe(503);
	});

	test('of variations of something true ends as well', async () => {
		await scene.sandbox.web.post(`/_sandbox/sessions/${upcomingSession}/start`, {});
		const host = await scene.listen({
			events: ['session.started'],
			options: { confirmationsPerMinute: 5_000 },
		});
		const answers: (number | undefined)[] = [];
		for (let started_at = 1; started_at <= 500; started_at++) {
			const body = envelope('session.started', 'sessions', upcomingSession, { started_at });
			answers.push((await host.deliver({ body })).sent?.status);
		}
		expect((await scene.confirmations()).length).toBeLessThan(485);
		expect(answers.at(-1)).toBe(503);
		expect(host.runs).toHaveLength(1);
	});

	test('the limit outlives a restart', async () => {
		const host = await scene.listen({ options: { confirmationsPerMinute: 1 } });
		await host.deliver({ body: claim(unknownId) });
		host.node = restartedNode();
		expect((await host.deliver({ body: claim(unknownId) })).sent?.status).toBe(503);
	});
});
