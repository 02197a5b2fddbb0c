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
