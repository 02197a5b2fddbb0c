/*
 * What gives access: the names of what logs anybody in as a person of a session, and texts without secrets.
 *
 * What this rests on: the vendor's records have `connection_link` and `password_key`, also as the id of an answer. Our webhooks have a
 * key in their URL. Tokens come as Bearer or as JSON web tokens, and OAuth has its own names (RFC 6749).
 */

/** The members of a registration that log a person in: the personal link, and the key within it. */
export const secretMembers = ['connection_link', 'password_key'] as const;

export const joinLinkColumn = 'join_link';

/** A field, or the answer to a question, of such a name is neither shown nor kept. The record as it was sent still has it. */
export function isWithheld(name: string): boolean {
	return secretMembers.some((secret) => secret === name);
}

/** The names of what logs a person in or carries a token, as records, headers, addresses and people write them. */
const names = [
	...secretMembers,
	joinLinkColumn,
	'access_token',
	'refresh_token',
	'client_secret',
	'api_token',
	'api_key',
	'(?<![a-z])(?:authorization|password|secret)',
]
	.map((name) => name.replaceAll('_', '[\\s_-]?'))
	.join('|');

/** A quotation mark, also in JSON within JSON. */
const mark = '\\\\?["\']';
/** A value in quotation marks ends at the same mark, or with the line. The group before it holds the mark, or nothing. */
const value = (group: number) =>
	`(?:(?<=${mark})(?:(?!\\${group})(?:\\\\[^\\r\\n]|[^\\\\\\r\\n]))+|[^\\s"'<>]+)`;
const assigned = `\\s*(?:[:=]|%3[ad])\\s*(${mark}|)`;

const patterns: ReadonlyArray<readonly [RegExp, replacement: string]> = [
	[/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 …'],
	// "name": "value", name=value, name: value
	[new RegExp(`((?:${names})(?:${mark})?${assigned})${value(2)}`, 'gi'), '$1…'],
	// "id": "name", …, "value": "value", as a registration has its answers. The bound keeps a text made for it from taking seconds.
	[new RegExp(`((?:${names})${mark}[^{}]{0,200}?value${mark}${assigned})${value(2)}`, 'gi'), '$1…'],
	// ?key=value in the URL of a webhook, and in a link that logs a person in
	[/((?:[?&;]|\\u0026|%26|%3f)key(?:=|%3d))[\w-]+/gi, '$1…'],
	// JSON web tokens, whole or cut off
	[/\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, '…'],
];

/** Removes from a text whatever gives access. `secrets`: the tokens and keys in use, which are removed as they are sent. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	return patterns.reduce(
		(rest, [pattern, replacement]) => rest.replace(pattern, replacement),
		withoutSecrets(text, secrets),
	);
}

/**
 * Removes these secrets from a text: as they are, and as headers, addresses, forms and JSON hold them. Secrets shorter than
 * `shortest` would remove common words.
 */
export function withoutSecrets(text: string, secrets: Iterable<string>, shortest = 4): string {
	return (
		[...secrets]
			.flatMap((secret) => [secret, asInHeader(secret)])
			.filter((secret) => secret.length >= shortest)
			.flatMap((secret) => [secret, ...encoded(secret)])
			// The longest first: one secret may be the beginning of another.
			.sort((first, second) => second.length - first.length)
			.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
	);
}

/** A header holds no pasted line breaks, spaces and invisible signs of a secret, and the platform may echo it in that form. */
function asInHeader(secret: string): string {
	return secret.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim();
}

function encoded(secret: string): string[] {
	// No address can hold half of a surrogate pair.
	const whole = secret.replace(/\p{Surrogate}/gu, '');
	const inForm = new URLSearchParams({ secret: whole }).toString().slice('secret='.length);
	return [encodeURIComponent(whole), inForm, JSON.stringify(secret).slice(1, -1)];
}
