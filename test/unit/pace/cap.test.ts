import { createPace } from '../../../nodes/EventPlatform/core/pace/pace';
import { VirtualClock } from '../../support/virtualClock';

const request = { method: 'GET', path: '/ping' } as const;

/** Milliseconds between requests that all ask at once. */
async function gaps(cap: number | undefined, count: number): Promise<number[]> {
	const clock = new VirtualClock();
	const pace = createPace({ clock, cap });
	const turns = Array.from({ length: count }, async () => {
		const at = await pace.turn(request);
		pace.learn({ status: 200, headers: {}, body: '' }, at);
		return at;
	});
	const times = await clock.run(Promise.all(turns));
	return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

test.each([0.4, 1, 2.5, 4])('at most %f requests a second leave, however many ask', async (cap) => {
	for (const gap of await gaps(cap, 12)) expect(gap).toBeGreaterThanOrEqual(1_000 / cap);
});

test('a cap above what the platform allows allows no more', async () => {
	const all = await gaps(100, 26);
	expect(all.reduce((sum, gap) => sum + gap)).toBeGreaterThanOrEqual(5_000);
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
