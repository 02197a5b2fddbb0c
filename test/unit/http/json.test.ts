import { parseJson, setField } from '../../../nodes/EventPlatform/core/http/json';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';

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

test.each<[string, unknown]>([
	['{"id":9007199254740993}', { id: '9007199254740993' }],
	['[-9007199254740993, 12345678901234567890]', ['-9007199254740993', '12345678901234567890']],
	['{"id":9007199254740991}', { id: 9_007_199_254_740_991 }],
	[
		'{"a":"9007199254740993 \\" 9007199254740993","b":1}',
		{ a: '9007199254740993 " 9007199254740993', b: 1 },
	],
	['{"9007199254740993":1.2345678901234567890e5}', { '9007199254740993': 123456.78901234567 }],
	['[1e30, 9007199254740993.5]', [1e30, 9007199254740993.5]],
	['[20000000000000000e-16, 20000000000000000E+1]', [2, 2e17]],
])('%s keeps all digits', (text, value) => {
	expect(parseJson(text)).toEqual(value);
});
