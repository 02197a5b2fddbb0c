import {
	addressesIn,
	cleanAddress,
	describeNoAddress,
	isAddress,
	normalizeAddress,
} from '../../../nodes/EventPlatform/core/people/address';

test.each([
	['spaces of any kind around it', '\u00a0 Ada@example.com\u2003\t', 'Ada@example.com'],
	['a zero-width space inside', 'Ada@exam\u200bple.com', 'Ada@example.com'],
	['a byte order mark and a soft hyphen', '\ufeffA\u00adda@example.com', 'Ada@example.com'],
	['the blank of Braille', 'Ada\u2800@example.com\u2800', 'Ada@example.com'],
	['mailto: with a subject', 'MAILTO:Ada%2Bx@example.com?subject=Hi', 'Ada+x@example.com'],
	['a name in quotes', '"Lovelace, Ada" <mailto:Ada@example.com>,', 'Ada@example.com'],
	['the address as the name', "'Ada@example.com' <ada@example.com>", 'ada@example.com'],
	['the apostrophe of a spreadsheet', "'Ada@example.com", 'Ada@example.com'],
	['a comma and a semicolon behind', 'Ada@example.com, ;', 'Ada@example.com'],
	['a host of several parts behind', 'Ada@mail.example.co.uk;', 'Ada@mail.example.co.uk'],
	['NFD letters', 'ame\u0301lie@example.com', 'am\u00e9lie@example.com'],
	['a host in Unicode', 'ada@Mu\u0308ller.example', 'ada@xn--mller-kva.example'],
	['an ideographic dot', 'ada@example\u3002com', 'ada@example.com'],
	['nothing to clean', "O'Brien+news@Example.com", "O'Brien+news@Example.com"],
])('an address is taken out of what stands around it: %s', (_, text, clean) => {
	expect(cleanAddress(text)).toBe(clean);
	expect(isAddress(cleanAddress(text))).toBe(true);
	expect(normalizeAddress(text)).toBe(clean.toLowerCase());
});

test.each([
	'ada',
	'm\u00fcller',
	'ada@example.com, b@example.com',
	'b@example.com <ada@example.com>',
	'Ada <ada@example.com> (work)',
	'ada lovelace@example.com',
	'ada@b\u00fc/cher.example',
	'm\u00fcller.example',
	'ada@xn--a.\u00e9',
	'ada\u0000@example.com',
	'"ada"@example.com',
	'ada@example.com?subject=Hi',
	'ada@example..com',
	'ada@example.com\u2026',
	'\uff41da@example.com',
	`${'a'.repeat(2_000)}@example.com`,
	'max@firma',
	'ada@localhost, ',
])('%j cannot be cleaned with certainty, so it is no address', (text) => {
	expect(isAddress(cleanAddress(text))).toBe(false);
});

test.each([
	[
		'Ada <ada@example.com>, Bob <B@example.com>',
		[
			'ada <ada@example.com>, bob <b@example.com>',
			'ada<ada@example.com>,bob<b@example.com>',
			'ada@example.com',
			'b@example.com',
		],
	],
	[
		'x@example.com <ada@example.com>',
		[
			'x@example.com <ada@example.com>',
			'x@example.com<ada@example.com>',
			'x@example.com',
			'ada@example.com',
		],
	],
	[
		'\uff41\uff44\uff41\uff20example\uff0ecom\u2026',
		['\uff41\uff44\uff41\uff20example\uff0ecom\u2026', 'ada@example.com'],
	],
	['ada@example.com?subject=Hi', ['ada@example.com?subject=hi', 'ada@example.com']],
	['', []],
])('%j may mean %j', (text, addresses) => {
	expect(addressesIn(text)).toStrictEqual(addresses);
});

test.each([
	['max@firma', `"max@firma" is not an email address: 'firma' has no dot`],
	['max @firma', '"max @firma" is not an email address'],
	['a@b.example; c@d.example', '"a@b.example; c@d.example" holds 2 email addresses instead of one'],
	['a@b.example/c@d.example', '"a@b.example/c@d.example" holds 2 email addresses instead of one'],
	[
		'b@example.com <ada@example.com>',
		'"b@example.com <ada@example.com>" holds 2 email addresses instead of one',
	],
	['a@b.example, A@B.example', '"a@b.example, A@B.example" is not an email address'],
	['Ada Lovelace ada@example.com', '"Ada Lovelace ada@example.com" is not an email address'],
	[
		'o/brien@example.com, b@example.com',
		'"o/brien@example.com, b@example.com" holds 2 email addresses instead of one',
	],
	['a@b.example, c@firma', '"a@b.example, c@firma" is not an email address'],
	['ada@example.com?subject=Hi', '"ada@example.com?subject=Hi" is not an email address'],
	['ada', '"ada" is not an email address'],
])('what is wrong with %j is told', (text, problem) => {
	expect(describeNoAddress(text)).toBe(problem);
});

test('a host alone is written in its letters only where an @ stands before it', () => {
	expect(cleanAddress('m\u00fcller.example')).toBe('m\u00fcller.example');
	expect(cleanAddress('@m\u00fcller.example')).toBe('@xn--mller-kva.example');
});
