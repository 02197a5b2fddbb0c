import { createBreaks } from '../../../nodes/EventPlatform/core/client/breaks';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/cancelled';

/** A clock that tells how long was slept, and goes on when it is told to. */
function clockOf() {
	let time = 1_000;
	const slept: number[] = [];
	const work = (ms: number) => (time += ms);
	const clock = {
		now: () => time,
		sleep(ms: number, signal?: AbortSignal) {
			slept.push(ms);
			time += ms;
			return signal?.aborted ? Promise.reject(new Cancelled()) : Promise.resolve();
		},
	};
	return { clock, work, slept };
}

test('long work has a break once it has taken a while, and again after as long', async () => {
	const { clock, work, slept } = clockOf();
	const takeBreak = createBreaks(clock);
	for (let part = 1; part <= 100; part++) {
		work(1);
		await takeBreak();
	}
	expect(slept).toEqual(Array(5).fill(1));
});

test('work that is cancelled ends at its next break', async () => {
	const { clock, work } = clockOf();
	const takeBreak = createBreaks(clock, AbortSignal.abort());
	await takeBreak();
	work(1_000);
	await expect(takeBreak()).rejects.toThrow(Cancelled);
});
