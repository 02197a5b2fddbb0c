/** Fields that log a person in, and what carries a token. */
const secretNames =
	'connection_link|password_key|access_token|refresh_token|client_secret|api_?token|authorization|password|secret';

/** A quotation mark, `=` or `:`, as texts, JSON in JSON, HTML and addresses write them. */
const mark = '(?:\\\\{0,8}["\']|&quot;|&#0*3[49];|%(?:25){0,4}2[27])?';
const sign = '(?:[:=]|\\\\{1,8}u003[ad]|&#0*(?:58|61);|&#x0*3[ad];|%(?:25){0,4}3[ad])';

const patterns: ReadonlyArray<readonly [RegExp, string]> = [
	[/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 …'],
	// "name": "value", name=value, name: value. A link goes on behind `&` and `;`.
	[
		new RegExp(
			`(?<![a-z])(${secretNames})(${mark}\\s*${sign}\\s*${mark})(?:https?(?::|%)[^\\s"'<>]+|[^\\s"&,;}]+)`,
			'gi',
		),
		'$1$2…',
	],
	// The key in the URL of a webhook
	[
		new RegExp(
			`((?:[?&;]|\\\\{1,8}u00(?:26|3f)|%(?:25){0,4}(?:26|3f))key${sign})(?:[\\w-]|%(?:25){0,4}(?:2d|5f))+`,
			'gi',
		),
		'$1…',
	],
	// JSON web tokens, whole or cut off
	[/\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, '…'],
];

/** `secrets`: the ones known to be in use. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	return patterns.reduce(
		(rest, [pattern, mark]) => rest.replace(pattern, mark),
		withoutSecrets(text, secrets),
	);
}

export function withoutSecrets(text: string, secrets: Iterable<string>, shortest = 4): string {
	// The longest first: one secret may be the beginning of another.
	return [...secrets]
		.flatMap((secret) => [secret, inHeader(secret)])
		.filter((secret) => secret.length >= shortest && mayHold(text, secret))
		.sort((one, other) => other.length - one.length)
		.reduce((rest, secret) => rest.replace(writtenAnyhow(secret), '…'), text);
}

/** What arrives of a secret that was pasted with a line break, a space or something invisible, and comes back. */
function inHeader(secret: string): string {
	return secret.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim();
}

/** Quickly found out: no encoding changes letters and digits. */
function mayHold(text: string, secret: string): boolean {
	return secret.split(/[^a-z\d]/i).every((part) => text.includes(part));
}

/** Also as addresses, JSON and HTML write it: letters and digits stay, the rest may be encoded. */
function writtenAnyhow(secret: string): RegExp {
	const characters = [...secret].map((one) => {
		if (/[a-z\d]/i.test(one)) return one;
		const code = one.codePointAt(0) ?? 0;
		const hex = code.toString(16);
		const percent = [...new TextEncoder().encode(one)].map(
			(byte) => `%(?:25){0,4}${byte.toString(16).padStart(2, '0')}`,
		);
		const plain = `\\\\{0,8}${one.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}`;
		const entity = entities[one] ?? plain;
		return `(?:${plain}|${percent.join('')}|&#0*${code};|&#x0*${hex};|\\\\{1,8}u${hex.padStart(4, '0')}|${entity})`;
	});
	return new RegExp(characters.join(''), 'gi');
}

const entities: Readonly<Record<string, string>> = {
	...{ '"': '&quot;', "'": '&apos;', '&': '&amp;', '<': '&lt;', '>': '&gt;', ' ': '\\+' },
};
