import { isObject, setField } from '../../../nodes/EventPlatform/core/http/json';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

test.each([
	[{}, true],
	[{ a: 1 }, true],
	[[], false],
	[null, false],
	['x', false],
	[undefined, false],
	[() => 1, false],
])('whether %p is an object: %p', (value, is) => {
	expect(isObject(value)).toBe(is);
});

test.each(['name', '7', 'constructor', 'toString', '__proto__'])(
	'a field may have any name: %s',
	(name) => {
		const object: JsonObject = {};
		setField(object, name, 'x');
		expect(Object.entries(object)).toEqual([[name, 'x']]);
		expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
		expect(JSON.stringify({ ...object })).toBe(`{"${name}":"x"}`);
	},
);
