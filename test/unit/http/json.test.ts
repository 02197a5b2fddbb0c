import { isObject } from '../../../nodes/EventPlatform/core/http/json';

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
