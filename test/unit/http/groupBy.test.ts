import { groupBy } from '../../../nodes/EventPlatform/core/http/collections';

test('things are grouped in their order', () => {
	const groups = groupBy(['b1', 'a1', 'b2'], (one) => one.slice(0, 1));
	expect([...groups]).toEqual([
		['b', ['b1', 'b2']],
		['a', ['a1']],
	]);
});
