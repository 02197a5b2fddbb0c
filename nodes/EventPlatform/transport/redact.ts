/** Fields that log a person in, and what carries a token. */
const secretNames =
	'connection_link|password_key|access_token|refresh_token|client_secret|api_?token|authorization|password|secret';

const patterns: ReadonlyArray<readonly [RegExp, string]> = [
	[/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 …'],
	// "name": "value", name=value, name: value
	[new RegExp(`\\b(${secretNames})\\b("?\\s*[:=]\\s*"?)[^\\s"&,;}]+`, 'gi'), '$1$2…'],
	// JSON web tokens
	[/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '…'],
];

/** The text without anything that gives access. `secrets`: the ones known to be in use. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	let clean = text;
	for (const secret of secrets) {
		if (secret.length < 4) continue;
		clean = clean.replaceAll(secret, '…').replaceAll(encodeURIComponent(secret), '…');
	}
	return patterns.reduce((rest, [pattern, mark]) => rest.replace(pattern, mark), clean);
}
