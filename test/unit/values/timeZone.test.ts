import { isTimeZone } from '../../../nodes/EventPlatform/core/values/timeZone';

test.each([
	['Europe/Paris', true],
	['UTC', true],
	['local', false],
	['DEFAULT', false],
	['Middle/Earth', false],
	['', false],
	['Paris', false],
])('"%s" is a time zone: %s', (name, isExpected) => {
	expect(isTimeZone(name)).toBe(isExpected);
});
