import type { IDataObject } from 'n8n-workflow';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { PollingHost, SimulatedTime } from '../support/n8n/pollingHost';
import { eventually } from '../support/time/eventually';
import { oneOfEachPart, titleOf, type Replaced } from '../support/n8n/replacedParts';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';

const scene = new TriggerScene();
const time = new SimulatedTime();

const nodeData = (stored: string) =>
	(JSON.parse(stored) as Record<string, unknown>)['node:Platform'] as IDataObject;

/** Gives the stored data of a polling trigger that has told of somebody, with parts that it has only now and then. */
async function storedByPolling(): Promise<IDataObject> {
	const host = new PollingHost(scene.sandbox, { options: { keepToShare: true } });
	await host.activate();
	await scene.sandbox.register('first@example.org');
	time.passMinutes(60);
	await host.poll();
	const { cursor, ...rest } = nodeData(host.stored);
	return {
		...rest,
		cursor: { ...(cursor as IDataObject), keptSessionIds: ['gone'], hasMore: false },
	};
}

test('whatever part of a polling trigger has another shape, the next registration starts its run', async () => {
	const cases = oneOfEachPart(await storedByPolling());
	expect(cases.length).toBeGreaterThan(20);
	const wrong: string[] = [];
	for (const [index, replaced] of cases.entries()) {
		const host = new PollingHost(scene.sandbox);
		host.stored = replaced.stored;
		const email = `person-${index}@example.org`;
		try {
			await host.activate('init');
			time.passMinutes(1);
			await scene.sandbox.register(email);
			time.passMinutes(1);
			await host.poll();
			if (!host.items.some((item) => item.email === email))
				wrong.push(`${titleOf(replaced)}: nobody`);
		} catch (error) {
			wrong.push(`${titleOf(replaced)}: ${String(error)}`);
		}
		if (index % 20 === 0) await scene.sandbox.reset();
	}
	expect(wrong).toEqual([]);
});

test('whatever part of a webhook trigger has another shape, it takes deliveries, checks, starts and ends', async () => {
	const { cursor } = await storedByPolling();
	const loaded = new EventPlatformTrigger();
	const restarted = restartedNode();
	const wrong: string[] = [];
	const example = await scene.listen({ events: ['people.registered'] });
	const withGap = (stored: string): IDataObject => {
		const data = nodeData(stored);
		const beganAtMs = { 'people.registered': Date.now() - 60_000 };
		const missed = { beganAtMs, endedAtMs: Date.now(), cursor };
		const outdated = [
			{ id: 'gone', url: 'https://n8n.example.org/webhook/gone', keyDigest: 'gone' },
		];
		const subscription = {
			...(data.subscription as IDataObject),
			outdated,
			madeAgainAt: Date.now(),
			missed,
		};
		const arrived = { 'people.registered': Date.now() };
		return { ...data, subscription, seen: 'abcdefgh', arrived };
	};
	const count = oneOfEachPart(withGap(example.stored)).length;
	expect(count).toBeGreaterThan(20);
	await example.deactivate();
	for (let index = 0; index < count; index++) {
		const host = await scene.start({ events: ['people.registered'] });
		host.node = loaded;
		await host.activate();
		const replaced = oneOfEachPart(withGap(host.stored))[index] as Replaced;
		host.stored = replaced.stored;
		host.node = restarted;
		try {
			await scene.sandbox.register(`person-${index}@example.org`);
			await eventually(() => host.answers.length > 0);
			if (host.answers[0] !== 200 || host.runs.length !== 1)
				wrong.push(`${titleOf(replaced)}: no run`);
			host.stored = replaced.stored;
			await host.poll();
			host.stored = replaced.stored;
			await host.activate('init');
			host.stored = replaced.stored;
			await host.deactivate();
			const left = await scene.subscriptions();
			if (left.length > 0) wrong.push(`${titleOf(replaced)}: ${left.length} subscriptions remain`);
		} catch (error) {
			wrong.push(`${titleOf(replaced)}: ${String(error)}`);
		}
		await scene.sandbox.reset();
	}
	expect(wrong).toEqual([]);
});
