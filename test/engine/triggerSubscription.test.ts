import '../support/fasterClock';
import { TriggerScene } from '../support/triggerScene';

const scene = new TriggerScene();
const fourKinds = ['job.ended', 'people.registered', 'session.started', 'session.ended'];

describe('activation', () => {
	test('subscribes to each chosen kind, and deactivation leaves nothing', async () => {
		const host = await scene.start({ events: fourKinds });
		await host.activate();
		expect(await scene.kindsOf(host.url)).toEqual([...fourKinds].sort());
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
		expect(host.staticData.subscription).toBeUndefined();
	});

	test('subscriptions are found by URL and kind when what n8n stored is lost', async () => {
		const host = await scene.start({ events: fourKinds });
		await host.activate();
		const before = await scene.subscriptions();
		host.stored = '{}';
		await host.activate('init');
		expect(await scene.subscriptions()).toEqual(before);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('when the third of four cannot be made, the first two are removed and the reason is told', async () => {
		const host = await scene.start({ events: fourKinds });
		const match = { method: 'POST', path: '/v1/webhooks' };
		await scene.sandbox.faults([{ match, after: 2, times: 1, do: '500' }]);
		await expect(host.activate()).rejects.toThrow('(500)');
		const removed = (await scene.calls()).filter((call) => call.startsWith('DELETE'));
		expect(removed).toHaveLength(2);
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('one that was made although its answer got lost is removed as well', async () => {
		const host = await scene.start({ events: fourKinds });
		const match = { method: 'POST', path: '/v1/webhooks' };
		await scene.sandbox.faults([{ match, after: 2, times: 1, do: 'reset-after' }]);
		await expect(host.activate()).rejects.toThrow();
		expect(await scene.subscriptions()).toEqual([]);
		await host.activate();
		expect(await scene.kindsOf(host.url)).toEqual([...fourKinds].sort());
	});

	test('subscriptions of our own URL to kinds that are not chosen any more go away', async () => {
		const host = await scene.start({ events: ['job.ended', 'people.registered'] });
		await host.activate();
		const [{ attributes } = { attributes: { url: '' } }] = await scene.subscriptions();
		await scene.subscribe(attributes.url.replace('?', '/?'), 'job.ended');
		host.parameters = { events: ['job.ended'] };
		host.stored = '{}';
		await host.activate('init');
		const ours = (await scene.subscriptions()).map(({ attributes: { event } }) => event);
		expect(ours).toEqual(['job.ended']);
	});

	test('a copy of the workflow at the same URL leaves those of the original alone', async () => {
		const original = await scene.listen({ events: fourKinds });
		const before = await scene.subscriptions();
		for (const stored of ['{}', original.stored]) {
			const copy = await scene.start({ events: fourKinds }, { copyOf: original });
			copy.stored = stored;
			await copy.deactivate();
			expect(await scene.subscriptions()).toEqual(before);
			await copy.activate();
			await copy.deactivate();
			expect(await scene.subscriptions()).toEqual(before);
		}
	});

	test('what people entered by hand for the same URL stays', async () => {
		const host = await scene.start({ events: ['job.ended'] });
		const byHand = await scene.subscribe(host.url, 'job.ended');
		await host.activate();
		await host.deactivate();
		host.stored = '{}';
		await host.deactivate();
		expect((await scene.subscriptions()).map(({ id }) => id)).toEqual([byHand]);
	});

	test('a changed public URL leaves nothing behind at the old one', async () => {
		const host = await scene.listen({ events: fourKinds });
		host.address = 'https://new.example.org';
		await host.activate('init');
		expect(await scene.kindsOf(host.url)).toEqual([...fourKinds].sort());
		expect(await scene.subscriptions()).toHaveLength(4);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('a copy of the workflow in another n8n leaves those of the original alone', async () => {
		const original = await scene.start({ events: ['job.ended'] });
		await original.activate();
		const before = await scene.subscriptions();
		const copy = await scene.start({ events: ['job.ended'] });
		copy.stored = original.stored;
		await copy.deactivate();
		await copy.activate('init');
		expect(await scene.kindsOf(copy.url)).toEqual(['job.ended']);
		await copy.deactivate();
		expect(await scene.subscriptions()).toEqual(before);
	});
});

describe('deactivation', () => {
	test('one that is gone already is fine', async () => {
		const host = await scene.start({ events: fourKinds });
		await host.activate();
		const [gone] = await scene.subscriptions();
		await scene.sandbox.api.delete(`/webhooks/${gone?.id}`);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('any other refusal is told, the others are removed, and the next try finishes', async () => {
		const host = await scene.start({ events: fourKinds });
		await host.activate();
		const match = { method: 'DELETE', path: '/v1/webhooks/:id' };
		await scene.sandbox.faults([{ match, times: 4, do: '500' }]);
		await expect(host.deactivate()).rejects.toThrow();
		expect(await scene.subscriptions()).toHaveLength(1);
		await host.deactivate();
		expect(await scene.subscriptions()).toEqual([]);
	});

	test('events that were seen are remembered, so that what is under way is no surprise later', async () => {
		const host = await scene.start();
		await host.activate();
		host.stored = JSON.stringify({
			'node:Platform': { ...host.staticData, seen: ['key'] },
		});
		await host.deactivate();
		expect(host.staticData).toEqual({ seen: ['key'] });
	});
});
