import * as fc from 'fast-check';
import { SeenKeys } from '../../../nodes/EventPlatform/core/deliveries/seenKeys';

test('the latest keys are held, as many as its limit, like a list would', () => {
	const keys = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 60 });
	fc.assert(
		fc.property(keys, fc.integer({ min: 1, max: 6 }), (added, limit) => {
			const seen = new SeenKeys(limit);
			let expected: string[] = [];
			for (const key of added) {
				seen.add(key);
				expected = [...expected.filter((one) => one !== key), key].slice(-limit);
			}
			expect(seen.latest(100)).toEqual(expected);
			expect([...'abcdefgh'].filter((key) => seen.has(key)).sort()).toEqual(expected.sort());
		}),
	);
});

test('what was seen survives a restart through what was stored', () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.string(), { maxLength: 50 }), (keys) => {
			const before = new SeenKeys(100);
			keys.forEach((key) => before.add(key));
			const after = new SeenKeys(100);
			after.merge(JSON.parse(JSON.stringify(before.latest(100))));
			expect(after.latest(100)).toEqual(keys);
		}),
	);
});

test('what is forgotten does not come back from the store, and may happen anew', () => {
	const seen = new SeenKeys(2);
	seen.add('a');
	const stored = seen.latest(2);
	seen.forget('a');
	seen.merge(stored);
	expect(seen.has('a')).toBe(false);
	seen.add('a');
	seen.add('b');
	expect(seen.latest(2)).toEqual(['a', 'b']);
});

test.each([undefined, null, 'text', { 0: 'a' }, [1, null, {}]])(
	'%j in the store does no harm',
	(stored) => {
		const seen = new SeenKeys(10);
		seen.merge(stored);
		expect(seen.latest(10)).toEqual([]);
	},
);

test('the latest are as many as are asked for, the oldest of them first', () => {
	const seen = new SeenKeys(9);
	for (const key of ['a', 'b', 'c', 'a']) seen.add(key);
	expect(seen.latest(2)).toEqual(['c', 'a']);
	expect(seen.latest(9)).toEqual(['b', 'c', 'a']);
});
