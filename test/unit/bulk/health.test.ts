import { Health } from '../../../nodes/EventPlatform/core/bulk/health';

/** After so many failures, one per second. */
function after(failures: number) {
	const health = new Health();
	for (let second = 1; second <= failures; second++) health.failed(second * 1_000, second * 1_000);
	return health;
}

test.each([
	[0, 20],
	[1, 5],
	[2, 1],
	[3, 1],
])('after %d failures in a row %d of 20 requests are under way', (failures, left) => {
	expect(after(failures).concurrency(20)).toBe(left);
});

test('a quarter of few is one at least', () => {
	expect(after(1).concurrency(1)).toBe(1);
	expect(after(1).concurrency(9)).toBe(3);
});

test.each([
	[2, -Infinity],
	[3, 3_500],
	[4, 5_000],
	[5, 7_000],
])('after %d failures nothing is sent before %d ms', (failures, until) => {
	expect(after(failures).pausedUntil).toBe(until);
});

test('requests that failed together are one failure', () => {
	const health = new Health();
	health.failed(0, 100);
	health.failed(50, 110);
	health.failed(99, 120);
	expect(health.concurrency(20)).toBe(5);
	health.failed(100, 200);
	expect(health.concurrency(20)).toBe(1);
});

test('an answer ends the pause and the caution', () => {
	const health = after(4);
	health.answered();
	expect(health.concurrency(20)).toBe(20);
	expect(health.pausedUntil).toBe(-Infinity);
	expect(health.isHopeless).toBe(false);
});

test('twelve failures in a row are enough', () => {
	expect(after(11).isHopeless).toBe(false);
	expect(after(12).isHopeless).toBe(true);
});
