import { joinLinkColumn, secretMembers } from './secretNames';

/*
 * The bounds in these patterns (4, 8, 100, 200, 2000) keep a text made for it from taking seconds. JSON in JSON in JSON has seven
 * backslashes before a mark, and nobody has seen an address encoded more than five times.
 */

/** Signs that may stand between the words of a name: `connection_link`, `connectionLink`, `connection-link`, `connection%5Flink`. */
const between = '(?:[_-]|%(?:25){0,4}5f|\\\\{1,8}u005f)?';
/** The same signs, and the space that people write in some names. */
const betweenWords = '(?:[\\s_-]|%(?:25){0,4}(?:5f|20)|\\\\{1,8}u005f)?';

const [linkMember, keyMember] = secretMembers;
const spelled = (name: string) => name.replaceAll('_', betweenWords);

/** The names of the link that logs a person in: the platform's, and the one in our output. */
const linkName = `(?:${spelled(linkMember)}|${spelled(joinLinkColumn)})`;

/** The other names of what logs a person in or carries a token. Longer names stand before those that they begin with. */
const secretName = [
	spelled(keyMember),
	...[
		['access', 'token'],
		['refresh', 'token'],
		['client', 'secret'],
		['api', 'token'],
		['api', 'key'],
	].map((words) => words.join(between)),
	'(?<![a-z])(?:authorization|password|secret)',
].join('|');

/** A quotation mark as texts, JSON in JSON and HTML write it. */
const marks = '\\\\{0,8}["\']|&quot;|&#0*3[49];';
const quotation = `(?:${marks})`;
/** A quotation mark as addresses write it. A value in an address has no white space, and may end without the mark. */
const quotationInAddress = '%(?:25){0,4}2[27]';
const closed = `(?:${marks}|${quotationInAddress})?(?:\\]|%(?:25){0,4}5d)?`;

/** `=`, `:` or `=>`, in the same notations. */
const sign =
	'(?:=>|=&gt;|[:=]|\\\\{1,8}u003[ad]|&#0*(?:58|61);|&#x0*3[ad];|%(?:25){0,4}3[ad](?:%(?:25){0,4}3e)?)';

const assigned = `${closed}\\s*${sign}\\s*`;

/** A value in quotation marks ends at the same mark, or with the line. An escaped character is part of it. */
const quoted = `(?<open>${marks})(?:(?!\\k<open>)(?:\\\\+[^\\\\\\r\\n]|[^\\\\\\r\\n]))+`;
const inBrackets = '[[{][^\\]}]*[\\]}]?';
/** In an address another name follows behind `&`; elsewhere the value goes on. */
const unquoted = `(?!${marks})(?<open2>(?:${quotationInAddress})?)[^\\s"'&,;}<>]+(?:&(?![\\w%.[\\]-]{1,100}=|&)[^\\s"'&,;}<>]*)*`;
/** A link without quotation marks goes on behind `&`, `,` and `;`, also where it has no scheme. */
const unquotedLink = `(?!${marks})[^\\s"'<>]+`;
const unquotedInPair = `(?!${marks})[^\\s"'<>}\\]]+`;

/** The names of the value in a pair, as in `{"name": "password_key", "value": "…"}`. */
const valueName = '(?:value|answer|content|text|href|url)';

const anyName = `${linkName}|${secretName}`;
const withMark = '$1$<open>$<open2>…';

interface SecretPattern {
	pattern: RegExp;
	replacement: string;
}

const patterns: readonly SecretPattern[] = [
	{ pattern: /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, replacement: '$1 …' },
	// "name": "value", name=value, name: value, name => [value]
	{
		pattern: new RegExp(
			`(${linkName}${assigned})(?:${quoted}|${inBrackets}|${unquotedLink})`,
			'gi',
		),
		replacement: withMark,
	},
	{
		pattern: new RegExp(
			`((?:${secretName})${assigned})(?:${quoted}|${inBrackets}|${unquoted})`,
			'gi',
		),
		replacement: withMark,
	},
	// name is value: a link has a dot or a slash, and a key has a digit, unlike "is missing" and "is required".
	{
		pattern: new RegExp(
			`(${linkName}${closed}\\s+is\\s+)(?:${quoted}|[^\\s"'<>./]*[./][^\\s"'<>]+)`,
			'gi',
		),
		replacement: '$1$<open>…',
	},
	{
		pattern: new RegExp(
			`((?:${secretName})${closed}\\s+is\\s+)(?:${quoted}|[^\\s\\d"'<>]*\\d[^\\s"'<>]*)`,
			'gi',
		),
		replacement: '$1$<open>…',
	},
	// "id": "name", …, "value": "value", and the other way round, within one object.
	{
		pattern: new RegExp(
			`((?:${anyName})${quotation}[^{}]{0,200}?${valueName}${assigned})(?:${quoted}|${inBrackets}|${unquotedInPair})`,
			'gi',
		),
		replacement: withMark,
	},
	{
		pattern: new RegExp(
			`(${valueName}${assigned})(?<open>${marks})(?:(?!\\k<open>)(?:\\\\+[^\\\\]|[^\\\\])){1,2000}(?=\\k<open>[^{}]{0,200}?${quotation}(?:${anyName})${quotation})`,
			'gi',
		),
		replacement: '$1$<open>…',
	},
	// <name>value</name>
	{
		pattern: new RegExp(
			`((?:<|&lt;)(?:${anyName})[^<>&]{0,100}(?:>|&gt;))(?:(?!<|&lt;)[^\\r\\n])+`,
			'gi',
		),
		replacement: '$1…',
	},
	// ?key=value in the URL of a webhook, and in a link that logs a person in
	{
		pattern: new RegExp(
			`((?:[?&;#]|\\\\{1,8}u00(?:26|3f)|%(?:25){0,4}(?:26|3f))key${sign})(?:[\\w-]|%(?:25){0,4}(?:2d|5f))+`,
			'gi',
		),
		replacement: '$1…',
	},
	// JSON web tokens, whole or cut off
	{ pattern: /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, replacement: '…' },
];

/** Removes from a text whatever gives access. `secrets`: the tokens and keys in use, which are removed in any notation. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	return patterns.reduce(
		(rest, { pattern, replacement }) => rest.replace(pattern, replacement),
		withoutSecrets(text, secrets),
	);
}

/** Removes these secrets from a text, in any notation. Secrets shorter than `shortest` would remove common words. */
export function withoutSecrets(text: string, secrets: Iterable<string>, shortest = 4): string {
	// The longest first: one secret may be the beginning of another.
	return [...secrets]
		.flatMap((secret) => [secret, asInHeader(secret)])
		.filter((secret) => secret.length >= shortest && mayHold(text, secret))
		.flatMap(inPieces)
		.sort((first, second) => second.length - first.length)
		.reduce((rest, secret) => rest.replace(writtenAnyhow(secret), '…'), text);
}

/**
 * JavaScript refuses a pattern of a hundred thousand characters, with an error that quotes it. No piece is short, because a short one
 * would remove common words.
 */
function inPieces(secret: string): string[] {
	return [...new Set(secret.match(/[\s\S]{500,999}$|[\s\S]{1,500}/gu))];
}

/** A header holds no pasted line breaks, spaces and invisible signs of a secret, and the platform may echo it in that form. */
function asInHeader(secret: string): string {
	return secret.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim();
}

/** This check is quick, because no encoding changes letters and digits. */
function mayHold(text: string, secret: string): boolean {
	return secret.split(/[^a-z\d]/i).every((part) => text.includes(part));
}

/** Makes the pattern of a secret as addresses, JSON and HTML may write it: letters and digits stay, and the rest may be encoded. */
function writtenAnyhow(secret: string): RegExp {
	const characters = [...secret].map((character) => {
		if (/[a-z\d]/i.test(character)) return character;
		const code = character.codePointAt(0) ?? 0;
		const hex = code.toString(16);
		const percent = [...new TextEncoder().encode(character)].map(
			(byte) => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`,
		);
		const plain = `\\\\{0,8}${character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}`;
		const entity = otherNotations[character] ?? plain;
		return `(?:${plain}|${percent.join('')}|&#0*${code};|&#x0*${hex};|\\\\{1,8}u${hex.padStart(4, '0')}|${entity})`;
	});
	return new RegExp(characters.join(''), 'gi');
}

const otherNotations: Readonly<Record<string, string>> = {
	'"': '&quot;',
	"'": '&apos;',
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	' ': '\\+',
};
