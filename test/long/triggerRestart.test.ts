import { guestAddresses } from '../support/platform/sandbox';
import { SimulatedTime } from '../support/n8n/pollingHost';
import { restartedNode, TriggerScene } from '../support/n8n/triggerScene';
import { eventually } from '../support/time/eventually';

const scene = new TriggerScene();
const time = new SimulatedTime();

test.each([false, true])(
	'what happened while the platform had no subscription begins 22 minutes before the last delivery that arrived: of 1,500 none comes twice after a restart (durable cursors: %s)',
	async (hasDurableCursors) => {
		const host = await scene.listen({ events: ['people.registered'] });
		host.hasDurableCursors = hasDurableCursors;
		const ids = (await scene.subscriptions()).map(({ id }) => id);
		for (let first = 0; first < 1_500; first += 50) {
			await scene.startJob(guestAddresses(50, `from-${first}`));
		}
		await eventually(() => host.runs.length === 1_500);
		for (const id of ids) await scene.sandbox.api.delete(`/webhooks/${id}`);
		await scene.sandbox.register('missed@example.org');
		// What was not stored yet is stored with the next delivery.
		await host.deliver({ body: {} });
		host.runs.splice(0);
		host.node = restartedNode();
		await host.activate('init');
		time.passMinutes(6 * 60);
		await host.poll();
		expect(host.items).toMatchObject([{ email: 'missed@example.org' }]);
		expect(host.stored.length).toBeLessThan(20_000);
	},
);
