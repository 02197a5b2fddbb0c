import { backoffMs, nextTryAt } from '../../../nodes/EventPlatform/core/http/backoff';

test('each pause is twice as long as the one before, up to half a minute', () => {
	expect([1, 2, 3, 4, 5, 6, 7, 8, 100].map(backoffMs)).toEqual([
		500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
	]);
});

test.each([
	[1, undefined, 1_500],
	[7, undefined, 31_000],
	[1, 1_400, 1_500],
	[1, 9_000, 9_000],
	[8, undefined, undefined],
	[9, 9_000, undefined],
])('after %i failures, and not before %s, it is tried at %s', (failures, notBefore, at) => {
	expect(nextTryAt(failures, 1_000, notBefore)).toBe(at);
});
