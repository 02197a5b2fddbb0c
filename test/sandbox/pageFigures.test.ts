import type { LoggedRequest } from '../../sandbox/access/requestLog';
import { mask, maskUrl } from '../../sandbox/page/mask';
import { paceOf } from '../../sandbox/page/pace';

test('the pace counts what arrived in each of the last sixty seconds', () => {
	const at = (time: number, status: number | null, durationMs: number | null = 1) =>
		({ time, status, durationMs }) as LoggedRequest;
	const pace = paceOf(
		[
			at(100_900, null, null), // still being answered
			at(100_400, 200),
			at(100_000, 429),
			at(99_999, 500),
			at(99_000, null), // the connection broke
			at(41_000, 207),
			at(40_999, 200), // too long ago
		],
		100_950,
	);
	expect(pace).toHaveLength(60);
	expect(pace.at(-1)).toEqual({ answered: 2, limited: 1, failed: 0 });
	expect(pace.at(-2)).toEqual({ answered: 0, limited: 0, failed: 2 });
	expect(pace.at(0)).toEqual({ answered: 1, limited: 0, failed: 0 });
	const counts = pace.map(({ answered, limited, failed }) => answered + limited + failed);
	expect(counts.reduce((sum, count) => sum + count)).toBe(6);
});

test.each([
	['https://example.com/hook', 'https://example.com/hook'],
	['https://user:hush@example.com/hook', 'https://example.com/hook'],
	[
		'https://example.com/T0123456789/B0123456789/abcdefghijklmnopqrstuvwx',
		'https://example.com/T0123456789/B0123456789/abcd…',
	],
	['not an address', 'not …'],
])('the address %s is shown as %s', (url, shown) => {
	expect(maskUrl(url)).toBe(shown);
	expect(mask('sandbox-token')).toBe('sand…');
});
