import { Health } from '../../../nodes/EventPlatform/core/bulk/turns';
import { Meanings } from '../../../nodes/EventPlatform/core/failures/meanings';
import { Failure, type Cause } from '../../../nodes/EventPlatform/core/http/failure';

const failure = (reason: Cause = 'platform_error') =>
	new Failure(reason, { method: 'POST', path: '/x' });

/** After so many failures, one per second. */
function after(failures: number) {
	const health = new Health();
	health.answered();
	for (let second = 1; second <= failures; second++) {
		health.failed(second * 1_000, second * 1_000, failure());
	}
	return health;
}

test.each([
	[5, 0, 20],
	[100, 0, 64],
	[5, 1, 5],
])(
	'at %i a second, after %i failures in a row, %i requests are under way',
	(rate, failures, most) => {
		expect(after(failures).concurrency(rate)).toBe(most);
	},
);

test('after five failures nothing is sent for two seconds', () => {
	expect(after(5).pausedUntil).toBe(7_000);
});

test('requests that failed together are one failure', () => {
	const health = after(0);
	health.failed(0, 100, failure());
	health.failed(50, 110, failure());
	health.failed(99, 120, failure());
	expect(health.concurrency(5)).toBe(5);
	health.failed(100, 200, failure());
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
		for (const now of times) health.failed(now === 60_000 ? 0 : now, now, failure());
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
		health.failed(0, 1_000, failure('platform_error'));
		health.failed(2_000, 20_000, failure(reason));
		expect(health.unreached?.reason).toBe(unreached);
		expect(health.isHopeless).toBe(unreached !== undefined);
	});
});

test('twelve failures in a row are enough', () => {
	expect(after(11).isHopeless).toBe(false);
	expect(after(12).isHopeless).toBe(true);
});

test.each<[string, Array<'no' | 'not for this session' | 'gone' | 'yes'>, number]>([
	['after one that speaks of its session, too', ['no', 'not for this session', 'no'], 2],
	['that others do not get concerns its session', ['no', 'yes', 'no', 'yes', 'no'], -1],
	['that speaks of its session concerns that', Array(5).fill('not for this session'), -1],
	['or a 404 for more than twenty in a row is nobody’s session', Array(21).fill('gone'), 20],
])('a 403 %s', (_, answers, endsAt) => {
	const meanings = new Meanings();
	const ends = answers.map((answer, session) => {
		if (answer === 'yes') return meanings.isAllowed();
		const cause = answer === 'gone' ? 'not_found' : 'forbidden';
		const errors = answer === 'not for this session' ? [{ detail: answer }] : [];
		const failed = new Failure(cause, { method: 'POST', path: '/x' }, { errors });
		return meanings.of(failed, `${session}`).ends;
	});
	expect(ends.indexOf('run')).toBe(endsAt);
});
