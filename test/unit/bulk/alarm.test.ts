import { getEventListeners } from 'node:events';
import { Alarm } from '../../../nodes/EventPlatform/core/bulk/alarm';
import { VirtualClock } from '../../support/virtualClock';

const clock = new VirtualClock();

test('the moment comes', async () => {
	const began = clock.now();
	await clock.run(new Alarm(clock).until(began + 500));
	expect(clock.now() - began).toBe(500);
});

test.each(['ring', 'cancel'] as const)('a %s comes first', async (what) => {
	const began = clock.now();
	const cancel = new AbortController();
	const alarm = new Alarm(clock, cancel.signal);
	clock.later(200, () => (what === 'ring' ? alarm.ring() : cancel.abort()));
	await clock.run(alarm.until(Infinity));
	expect(clock.now() - began).toBe(200);
	// A run waits many times for one signal.
	expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
});

test('the rest of the sleep is let go, and holds nothing of the run until it ends', async () => {
	let enough: AbortSignal | undefined;
	const endless = (_ms: number, signal?: AbortSignal) => {
		enough = signal;
		return new Promise<void>(() => {});
	};
	const alarm = new Alarm({ now: () => 0, sleep: endless });
	const waited = alarm.until(60_000);
	alarm.ring();
	await waited;
	expect(enough?.aborted).toBe(true);
	// An error would hold its stack, and that the run.
	expect(enough?.reason).not.toBeInstanceOf(Error);
});
