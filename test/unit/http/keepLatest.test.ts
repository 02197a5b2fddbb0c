import { keepLatest } from '../../../nodes/EventPlatform/core/http/collections';

test.each([
	[3, ['a', 'b', 'c']],
	[2, ['b', 'c']],
	[0, []],
])('of three the latest %i are kept', (limit, left) => {
	const kept = new Set(['a', 'b', 'c']);
	keepLatest(kept, limit);
	expect([...kept]).toEqual(left);
});
