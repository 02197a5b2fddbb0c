import { createPace } from '../../../nodes/EventPlatform/core/pace/pace';
import { VirtualClock } from '../../support/virtualClock';

const request = { method: 'GET', path: '/ping' } as const;

/** When requests leave that all ask at once. */
async function timesOf(cap: number, count: number): Promise<number[]> {
	const clock = new VirtualClock();
	const pace = createPace({ clock, cap });
	const turns = Array.from({ length: count }, async () => {
		const at = await pace.turn(request);
		pace.learn({ status: 200, headers: {}, body: '' }, at);
		return at;
	});
	return await clock.run(Promise.all(turns));
}

test.each([0.4, 1, 2.5, 4])('at most %f requests a second leave, however many ask', async (cap) => {
	const times = await timesOf(cap, 12);
	// Whole requests: 2.5 a second are three in 1.2 seconds.
	const together = Math.ceil(cap);
	for (const [index, time] of times.slice(0, -together).entries()) {
		const spanMs = (times[index + together] ?? 0) - time;
		expect(spanMs).toBeGreaterThanOrEqual((1_000 * together) / cap);
	}
});

test('a cap above what the platform allows allows no more', async () => {
	const times = await timesOf(100, 26);
	expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(5_000);
});

test('whose turn would come after its deadline is told at once', async () => {
	const clock = new VirtualClock();
	const pace = createPace({ clock, cap: 0.1 });
	await pace.turn(request);
	const deadline = clock.now() + 5_000;
	await expect(pace.turn({ ...request, deadline })).rejects.toMatchObject({ reason: 'time_over' });
});

test('the speed that is told is the cap, where it is the lower one', () => {
	const clock = new VirtualClock();
	expect(createPace({ clock, cap: 0.4 }).usage().perSecond).toBe(0.4);
	expect(createPace({ clock, cap: 50 }).usage().perSecond).toBe(5);
});

test('who waits leaves sooner when the cap is lifted', async () => {
	const clock = new VirtualClock();
	const pace = createPace({ clock, cap: 0.1 });
	await pace.turn(request);
	const began = clock.now();
	clock.later(500, () => pace.limitTo(undefined, undefined));
	const leftAt = await clock.run(pace.turn(request));
	expect(leftAt - began).toBeLessThan(2_000);
});
