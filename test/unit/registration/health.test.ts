import { Health } from '../../../nodes/EventPlatform/core/registration/pace';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';

const failure = (reason: Cause = 'platform_error') =>
	new Failure(reason, { method: 'POST', path: '/x' });

/** After so many failures, one per second. */
function failed(failures: number) {
	const health = new Health();
	health.recordResponse();
	for (let second = 1; second <= failures; second++) {
		health.recordFailure(second * 1_000, second * 1_000, failure());
	}
	return health;
}

test('as many are under way as the pace and the failures in a row allow', () => {
	expect([5, 100].map((perSecond) => failed(0).concurrency(perSecond))).toEqual([20, 64]);
	expect(failed(1).concurrency(5)).toBe(5);
});

test('after five failures nothing is sent for two seconds', () => {
	expect(failed(5).resumesAt).toBe(7_000);
});

test('requests that failed together are one failure', () => {
	const health = failed(0);
	health.recordFailure(0, 100, failure());
	health.recordFailure(50, 110, failure());
	health.recordFailure(99, 120, failure());
	expect(health.concurrency(5)).toBe(5);
	health.recordFailure(100, 200, failure());
	expect(health.concurrency(5)).toBe(1);
});

describe('a platform that has answered nothing yet', () => {
	test.each([
		[[0, 10_000], true],
		[[0, 9_999], false],
		// One request that took a minute to fail.
		[[60_000], false],
	])('fails at %j ms: hopeless %s', (times, isHopeless) => {
		const health = new Health();
		for (const now of times) health.recordFailure(now === 60_000 ? 0 : now, now, failure());
		expect(health.isHopeless).toBe(isHopeless);
	});

	test('is asked four things at once', () => {
		expect(new Health().concurrency(5)).toBe(4);
	});

	test.each<[Cause, Cause | undefined]>([
		['unreachable', 'unreachable'],
		['rate_limited', undefined],
	])('after %s the reason is %s', (reason, unreached) => {
		const health = new Health();
		health.recordFailure(0, 1_000, failure('platform_error'));
		health.recordFailure(2_000, 20_000, failure(reason));
		expect(health.unreached?.cause).toBe(unreached);
		expect(health.isHopeless).toBe(unreached !== undefined);
	});
});

test('twelve failures in a row are enough', () => {
	expect(failed(11).isHopeless).toBe(false);
	expect(failed(12).isHopeless).toBe(true);
});
