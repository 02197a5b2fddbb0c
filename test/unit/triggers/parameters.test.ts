import { readNames } from '../../../nodes/EventPlatform/triggers/parameters';

test.each([
	[undefined, ''],
	['', ''],
	['a', 'a'],
	['a, b;c\n d ', 'a|b|c|d'],
	[['a', ' b ', ''], 'a|b'],
	[7, '7'],
])('the names in %j are: %s', (value, names) => expect(readNames(value).join('|')).toBe(names));
