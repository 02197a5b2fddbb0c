import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { clock, makeSteady } from '../../../nodes/EventPlatform/n8n/clock';

/** Gives the times of the clock when the machine's clock says these times, one after the other. */
function timesRead(...times: number[]): number[] {
	const rest = [...times];
	let time = 0;
	const now = makeSteady(() => time);
	return rest.map((next) => {
		time = next;
		return now();
	});
}

test.each([
	['tells the time of the machine', [1_000, 1_250, 1_250, 9_000], [1_000, 1_250, 1_250, 9_000]],
	['goes on where it is set back', [5_000, 1_000, 1_250, 2_000], [5_000, 5_000, 5_250, 6_000]],
	['follows it forwards', [1_000, 3_601_000, 3_602_000], [1_000, 3_601_000, 3_602_000]],
])('the clock %s', (_, times, expected) => {
	expect(timesRead(...times)).toEqual(expected);
});

test.each([50, 600_000])('a sleep of %i ms ends as cancelled when it is', async (ms) => {
	const stop = new AbortController();
	const slept = clock.sleep(ms, stop.signal);
	stop.abort();
	await expect(slept).rejects.toThrow(Cancelled);
});
