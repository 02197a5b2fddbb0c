import { steady } from '../../../nodes/EventPlatform/n8n/clock';

/** What the clock says when the machine's clock says these times, one after the other. */
function told(...times: number[]): number[] {
	const rest = [...times];
	let time = 0;
	const now = steady(() => time);
	return rest.map((next) => {
		time = next;
		return now();
	});
}

test('tells the time of the machine', () => {
	expect(told(1_000, 1_250, 1_250, 9_000)).toEqual([1_000, 1_250, 1_250, 9_000]);
});

test('goes on where the clock of the machine is set back', () => {
	expect(told(5_000, 1_000, 1_250, 2_000)).toEqual([5_000, 5_000, 5_250, 6_000]);
});

test('goes on where it is set back twice', () => {
	expect(told(5_000, 4_000, 4_500, 1_000, 1_500)).toEqual([5_000, 5_000, 5_500, 5_500, 6_000]);
});

test('follows it forwards, so that nobody waits for a time that is over', () => {
	expect(told(1_000, 3_601_000, 3_602_000)).toEqual([1_000, 3_601_000, 3_602_000]);
});
