import { parseFlag } from '../../../nodes/EventPlatform/core/dialect/flags';

test.each([
	[[true], true],
	[[false], false],
	[[null, undefined, '', 'yes', {}, 1], undefined],
])('the flags %j mean %s', (flags, meaning) => {
	for (const flag of flags) expect(parseFlag(flag)).toBe(meaning);
});
