import { afterAttempt } from '../../sandbox/webhooks/schedule';

// Retries wait, and machines are slow.
test('what fails is tried after 30 s, 1 m, 2.5 m, 6 m and 12 m, and then no more', () => {
	const failed = { status: 500, error: null } as const;
	const waits = [1, 2, 3, 4, 5].map((attempt) => afterAttempt(failed, attempt, 1));
	expect(waits).toEqual([30, 60, 150, 360, 720].map((s) => ({ retryInMs: s * 1000 })));
	expect(afterAttempt(failed, 6, 1)).toBe('failed');
	expect(afterAttempt(failed, 1, 0.01)).toEqual({ retryInMs: 300 });
});
