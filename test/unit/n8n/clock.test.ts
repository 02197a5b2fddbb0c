import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { clock } from '../../../nodes/EventPlatform/n8n/clock';

/** Gives how far the clock goes from its first time when the machine's clock goes so far. */
function timesRead(...machineTimes: number[]): number[] {
	const machine = jest.spyOn(Date, 'now');
	const startedAt = Date.UTC(2026, 10, 21);
	const times = machineTimes.map((time) => {
		machine.mockReturnValue(startedAt + time);
		return clock.now();
	});
	return times.map((time) => time - (times[0] ?? 0));
}

test.each([
	['tells the time of the machine', [0, 250, 250, 8_000], [0, 250, 250, 8_000]],
	['goes on where it is set back', [0, -4_000, -3_750, -3_000], [0, 0, 250, 1_000]],
	['follows it forwards', [0, 3_600_000, 3_601_000], [0, 3_600_000, 3_601_000]],
])('the clock %s', (_, times, expected) => {
	expect(timesRead(...times)).toEqual(expected);
});

test.each([50, 600_000])('a sleep of %i ms ends as cancelled when it is', async (ms) => {
	const stop = new AbortController();
	const slept = clock.sleep(ms, stop.signal);
	stop.abort();
	await expect(slept).rejects.toThrow(Cancelled);
});
