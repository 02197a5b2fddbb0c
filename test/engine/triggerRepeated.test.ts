import { until } from '../support/sandbox';
import { claim, restartedNode, TriggerScene } from '../support/triggerScene';

const scene = new TriggerScene();

describe('a repeated delivery', () => {
	test('is recognised after a restart', async () => {
		const host = await scene.listen();
		await scene.startJob();
		await until(() => host.runs.length === 1);
		const delivery = await scene.firstDelivery();
		host.node = restartedNode();
		await scene.sandbox.web.post(`/_sandbox/deliveries/${delivery}/redeliver`, {});
		await until(() => host.answers.length === 2);
		expect(host.answers).toEqual([200, 200]);
		expect(host.runs).toHaveLength(1);
	});

	test('is no repetition while n8n could not create the run', async () => {
		const id = await scene.endedJob();
		const host = await scene.listen();
		host.failures = 2;
		const answers: Array<number | undefined> = [];
		for (let time = 0; time < 4; time++) {
			answers.push((await host.deliver({ body: claim(id) })).sent?.status);
		}
		expect(answers).toEqual([500, 500, undefined, 200]);
		expect(host.items.map((item) => item.id)).toEqual([id]);
	});

	test('what is remembered with the workflow stays small', async () => {
		const host = await scene.start({ verify: 'none' });
		for (let job = 0; job < 1_200; job++) await host.deliver({ body: claim(`job-${job}`) });
		expect(host.runs).toHaveLength(1_200);
		expect(host.stored.length).toBeLessThan(30_000);
		await host.deliver({ body: claim('job-1') });
		expect(host.runs).toHaveLength(1_200);
	});
});

describe('two hundred deliveries at once', () => {
	test('of twenty jobs start twenty runs and cost twenty requests', async () => {
		const ids = await Promise.all(Array.from({ length: 20 }, () => scene.startJob()));
		await Promise.all(ids.map((id) => scene.sandbox.jobEnd(id)));
		const host = await scene.listen({}, { databaseMs: 20 });
		const before = (await scene.confirmations()).length;
		const all = await Promise.all(
			Array.from({ length: 200 }, (_, n) => host.deliver({ body: claim(ids[n % 20] ?? '') })),
		);
		expect(host.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
		expect(all.filter(({ sent }) => sent?.status === 200)).toHaveLength(180);
		expect((await scene.confirmations()).length - before).toBe(20);
		// Saves overtook each other; the process still knows them all.
		await Promise.all(ids.map((id) => host.deliver({ body: claim(id) })));
		expect(host.runs).toHaveLength(20);
	});
});

describe('a test in the editor', () => {
	test('gets the event at its own URL, and gets it again when it is tried again', async () => {
		const host = await scene.start();
		const stop = await host.listenForTest();
		await scene.startJob();
		await until(() => host.runs.length === 1);
		const delivery = await scene.firstDelivery();
		await scene.sandbox.web.post(`/_sandbox/deliveries/${delivery}/redeliver`, {});
		await until(() => host.runs.length === 2);
		expect(host.runs.every(({ isTest }) => isTest)).toBe(true);
		expect(host.stored).toBe('{}');
		await stop();
	});
});
