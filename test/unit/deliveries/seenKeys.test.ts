import { SeenKeys } from '../../../nodes/EventPlatform/core/deliveries/deliveryHistory';

/** As long as a key that is stored. */
const key = (name: string | number) => String(name).padStart(8, '0');
const all = { atLeast: 100, atMost: 100, since: Infinity };

function seen(limit: number, ...names: Array<string | number>): SeenKeys {
	const keys = new SeenKeys(limit);
	for (const name of names) keys.add(key(name), 0);
	return keys;
}

test('as many as the limit are known, the latest', () => {
	const keys = seen(2, 'a', 'b', 'a', 'c');
	expect(['a', 'b', 'c'].map((name) => keys.has(key(name)))).toEqual([true, false, true]);
	expect(keys.latest(all)).toBe(key('a') + key('c'));
});

test('what is stored is known after a restart, and an event_key is known by its beginning', () => {
	const keys = seen(9);
	keys.merge(key('a') + key('b'), 0);
	expect(keys.has(`${key('a')}and-more`)).toBe(true);
	expect(keys.latest(all)).toBe(key('a') + key('b'));
});

test.each([undefined, null, 7, ['a'], {}, 'short'])('%j that is stored says nothing', (stored) => {
	const keys = seen(9);
	keys.merge(stored, 0);
	expect(keys.latest(all)).toBe('');
});

test('what is forgotten is not brought back by what was stored, until it is seen again', () => {
	const keys = seen(9, 'a');
	keys.forget(key('a'));
	keys.merge(key('a'), 0);
	expect(keys.has(key('a'))).toBe(false);
	keys.add(key('a'), 0);
	expect(keys.has(key('a'))).toBe(true);
});

test('the latest are stored, and all young ones as far as they are not too many', () => {
	const keys = new SeenKeys(100);
	for (let at = 0; at < 20; at++) keys.add(key(at), at);
	const stored = (atLeast: number, atMost: number, since: number) =>
		keys.latest({ atLeast, atMost, since }).length / 8;
	expect(stored(5, 10, 18)).toBe(5);
	expect(stored(5, 10, 12)).toBe(8);
	expect(stored(5, 10, 3)).toBe(10);
});
