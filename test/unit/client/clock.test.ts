import { Cancelled, createYielder } from '../../../nodes/EventPlatform/core/client/clock';

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

test('long work lets other work run once it has taken a while, and again after as long', async () => {
	const { clock, work, slept } = clockOf();
	const yieldIfDue = createYielder(clock);
	for (let part = 1; part <= 100; part++) {
		work(1);
		await yieldIfDue();
	}
	expect(slept).toEqual(Array(5).fill(1));
});

test('work that is cancelled ends when it would let other work run', async () => {
	const { clock, work } = clockOf();
	const yieldIfDue = createYielder(clock, AbortSignal.abort());
	await yieldIfDue();
	work(1_000);
	await expect(yieldIfDue()).rejects.toThrow(Cancelled);
});
