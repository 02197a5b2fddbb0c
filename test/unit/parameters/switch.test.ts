import { isOn } from '../../../nodes/EventPlatform/parameters/given';

test.each([
	[true, [true, 1, 'true', 'yes', 'on', ' TRUE ', 'Yes']],
	[false, [false, 0, '', 'false', 'no', 'off', undefined, null, ' ', 'No']],
	[undefined, ['maybe', 'ja', '1', 2, -1, Number.NaN, {}, [], [true], 'truee', '={{ true }}']],
])('a switch is on: %j, for any of %j', (on, values) => {
	expect(values.map(isOn)).toEqual(values.map(() => on));
});
