import { unixMs } from '../../../nodes/EventPlatform/core/values/time';

test.each([
	[1e11, 1e11],
	[1e14, 1e11],
	[1e17, 1e11],
])('the time %d is %d in milliseconds', (time, ms) => {
	expect(unixMs(time)).toBe(ms);
});
