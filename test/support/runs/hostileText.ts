interface HostileText {
	/** It is repeated. */
	part: string;
	before?: string;
	after?: string;
}

/** Texts that make a careless pattern look again and again at what it has seen. */
export const hostileTexts: Array<[what: string, text: HostileText]> = [
	['quotation marks', { part: '"' }],
	['apostrophes', { part: "'" }],
	['backslashes', { part: '\\' }],
	['escaped quotation marks', { part: '\\"' }],
	['digits', { part: '1' }],
	['digits and a letter behind them', { part: '1', after: 'x' }],
	['digits in quotation marks', { part: '"1' }],
	['spaces', { part: ' ' }],
	['spaces between letters', { part: ' ', before: 'a', after: 'a' }],
	['indented lines', { part: '\n ' }],
	['line ends between letters', { part: '\r\n', before: 'a', after: 'a' }],
	['letters', { part: 'a' }],
	['letters and a sign behind them', { part: 'a', after: '!' }],
	['opening tags', { part: '<' }],
	['closing tags', { part: '</p' }],
	['list items', { part: '<li ' }],
	['styles', { part: '<style ' }],
	['ampersands', { part: '&' }],
	['entities', { part: '&#1' }],
	['at signs', { part: '@' }],
	['addresses', { part: 'a@a.a' }],
	['dots', { part: '.', before: 'a', after: 'a' }],
	['dots and letters', { part: 'a.' }],
	['commas', { part: ',' }],
	['hyphens', { part: '-' }],
	['slashes', { part: '/', before: 'https://a.a/', after: 'a' }],
	['opening brackets', { part: '[{' }],
	['tokens', { part: 'Bearer ' }],
	['halves of JSON web tokens', { part: 'eyJ-' }],
	['names of secrets', { part: 'password_key' }],
	['names of secrets in quotation marks', { part: '"connection_link",' }],
	['spaces behind the name of a secret', { part: ' ', before: '"client_secret"' }],
	['a secret without an end', { part: 'a', before: '"client_secret":"' }],
	['backslashes in a secret', { part: '\\\\', before: '"client_secret":"' }],
	['keys of URLs', { part: '?key=' }],
	['fractions of a second', { part: '1', before: '2026-01-01T10:00:00.', after: '!' }],
	['invisible signs', { part: '\u200b' }],
	['accents', { part: 'e\u0301' }],
	['halves of characters', { part: '\ud83d' }],
];

/** Makes a hostile text of so many characters. */
export function hostileText(
	{ part, before = '', after = '' }: HostileText,
	length: number,
): string {
	const middle = part.repeat(Math.ceil(length / part.length));
	return before + middle.slice(0, length) + after;
}
