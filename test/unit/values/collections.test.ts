import {
	addAll,
	groupBy,
	largestOf,
	smallestOf,
} from '../../../nodes/EventPlatform/core/values/collections';

test('things are grouped in their order', () => {
	const groups = groupBy(['b1', 'a1', 'b2'], (text) => text.slice(0, 1));
	expect([...groups]).toEqual([
		['b', ['b1', 'b2']],
		['a', ['a1']],
	]);
});

test('a list is added and compared although a call has no room for so many arguments', () => {
	const long = Array.from({ length: 300_000 }, (_, index) => index);
	const list: number[] = [];
	addAll(list, long);
	expect([list.length, smallestOf(long), largestOf(long)]).toEqual([300_000, 0, 299_999]);
});
