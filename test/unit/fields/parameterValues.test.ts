import { readSwitch } from '../../../nodes/EventPlatform/fields/parameterValues';

test.each([
	['true', [true, 1, 'true', 'yes', 'on', ' TRUE ', 'Yes']],
	['false', [false, 0, '', 'false', 'no', 'off', undefined, null, ' ', 'No']],
	['neither', ['maybe', 'ja', '1', 2, -1, Number.NaN, {}, [], [true], 'truee', '={{ true }}']],
])('a switch is on: %s, for any of %j', (state, values) => {
	const read = values.map((value) => readSwitch(value));
	expect(read.map((on) => (typeof on === 'object' ? 'neither' : `${on}`))).toEqual(
		values.map(() => state),
	);
});
