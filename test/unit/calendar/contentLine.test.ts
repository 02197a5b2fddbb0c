import {
	addressLine,
	escapeText,
	foldLine,
	textLine,
	timeLine,
} from '../../../nodes/EventPlatform/core/calendar/contentLine';

test.each([
	['a backslash', 'a\\b', 'a\\\\b'],
	['a semicolon and a comma', 'a;b,c', 'a\\;b\\,c'],
	['line breaks of every system', 'a\r\nb\rc\nd', 'a\\nb\\nc\\nd'],
	['a backslash before an n, which is no line break', 'a\\nb', 'a\\\\nb'],
	['control characters but tabs', 'a\u0000\u0007\tb\u007f', 'a\tb'],
	['nothing', '', ''],
])('a text with %s is written so that it comes out as it was', (_, text, written) => {
	expect(escapeText(text)).toBe(written);
});

test('a line of 75 octets stays whole, and a longer one goes on behind a space', () => {
	expect(foldLine('x'.repeat(75))).toBe('x'.repeat(75));
	expect(foldLine('x'.repeat(76))).toBe(`${'x'.repeat(75)}\r\n x`);
	// The space counts in each line after the first.
	expect(foldLine('x'.repeat(150))).toBe(
		[`${'x'.repeat(75)}`, `${'x'.repeat(74)}`, 'x'].join('\r\n '),
	);
});

test('a character of several octets is not cut into two', () => {
	expect(foldLine(`${'x'.repeat(74)}é`)).toBe(`${'x'.repeat(74)}\r\n é`);
	expect(foldLine(`${'x'.repeat(73)}🎉`)).toBe(`${'x'.repeat(73)}\r\n 🎉`);
});

test('a moment is written in UTC, in whole seconds', () => {
	expect(timeLine('DTSTART', Date.UTC(2026, 10, 28, 9, 30) / 1_000 + 0.75)).toBe(
		'DTSTART:20261128T093000Z',
	);
});

test('a text is escaped, and an address is not', () => {
	expect(textLine('SUMMARY', 'a,b')).toBe('SUMMARY:a\\,b');
	expect(addressLine('URL', 'https://x.example/?a=1,2;3')).toBe('URL:https://x.example/?a=1,2;3');
});
