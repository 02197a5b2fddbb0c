import {
	describeUsage,
	describeWaits,
	WaitMeter,
	type Usage,
} from '../../../nodes/EventPlatform/core/client/usage';
import { VirtualClock } from '../../support/time/virtualClock';

test('a run is told with its requests and its time', () => {
	expect(describeUsage({ requests: 1 }, 41.2)).toBe('1 request, 41 s');
	expect(describeUsage({ requests: 1_234 }, 2, ' and ')).toBe('1,234 requests and 2 s');
});

test.each([
	[{}, undefined],
	[{ waits: 1, waitedMs: 1_400 }, 'once (429), which took 1 s'],
	[{ waits: 1_020, waitedMs: 1_234_000 }, '1,020 times (429), which took 1,234 s'],
])('the waits of %j', (usage, words) => {
	const sentence = words && `The platform asked to wait ${words} in all.`;
	expect(describeWaits(usage)).toBe(sentence);
});

function scene() {
	const clock = new VirtualClock();
	const usage: Pick<Usage, 'waits' | 'waitedMs'> = {};
	const meter = new WaitMeter(clock, usage);
	const wait = (afterMs: number, ms: number) =>
		clock.sleep(afterMs).then(() => meter.measure(() => clock.sleep(ms)));
	return { clock, usage, meter, wait };
}

test('waits at the same time take their time once, and those after each other add up', async () => {
	const { clock, usage, wait } = scene();
	await clock.run(Promise.all([wait(0, 3_000), wait(1_000, 4_000), wait(7_000, 500)]));
	expect(usage).toEqual({ waits: 3, waitedMs: 5_500 });
});

test('while a wait goes on, those that are over count as far as all have gone', async () => {
	const { clock, usage, wait } = scene();
	const waiting = wait(0, 10_000);
	await clock.run(wait(1_000, 3_000));
	expect(usage).toEqual({ waits: 2, waitedMs: 4_000 });
	await clock.run(waiting);
	expect(usage).toEqual({ waits: 2, waitedMs: 10_000 });
});

test('a wait that fails has been one until then', async () => {
	const { clock, usage, meter } = scene();
	const failing = meter.measure(() => clock.sleep(2_000).then(() => Promise.reject(new Error())));
	await expect(clock.run(failing)).rejects.toThrow();
	expect(usage).toEqual({ waits: 1, waitedMs: 2_000 });
});
