/** Fields that log a person in, and what carries a token. */
const secretNames =
	'connection_link|password_key|access_token|refresh_token|client_secret|api_?token|authorization|password|secret';

const patterns: ReadonlyArray<readonly [RegExp, string]> = [
	[/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 …'],
	// "name": "value", name=value, name: value
	[new RegExp(`\\b(${secretNames})("?\\s*[:=]\\s*"?)[^\\s"&,;}]+`, 'gi'), '$1$2…'],
	// The key in the URL of a webhook
	[/([?&]key=)[\w-]+/g, '$1…'],
	// JSON web tokens, whole or cut off
	[/\beyJ[\w-]{8,}(?:\.[\w-]*)*/g, '…'],
];

/** The text without anything that gives access. `secrets`: the ones known to be in use. */
export function redact(text: string, secrets: Iterable<string> = []): string {
	let clean = text;
	// The longest first: one secret may be the beginning of another.
	for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
		if (secret.length < 4) continue;
		const inJson = JSON.stringify(secret).slice(1, -1);
		for (const form of [secret, encodeURIComponent(secret), inJson]) {
			clean = clean.replaceAll(form, '…');
		}
	}
	return patterns.reduce((rest, [pattern, mark]) => rest.replace(pattern, mark), clean);
}

/** Text by text, because a mark in the midst of JSON would make it unreadable. */
export function redactWithin(
	value: unknown,
	secrets: ReadonlySet<string> = new Set(),
	depth = 0,
): unknown {
	if (typeof value === 'string') return redact(value.slice(0, longestText), secrets);
	if (typeof value !== 'object' || value === null) return value;
	if (depth === deepest) return undefined;
	const within = (inner: unknown) => redactWithin(inner, secrets, depth + 1);
	if (Array.isArray(value)) return value.slice(0, mostParts).map(within);
	const parts = Object.entries(value).slice(0, mostParts);
	return Object.fromEntries(parts.map(([name, inner]) => [redact(name, secrets), within(inner)]));
}

/** Far beyond any error that a platform means to be read. */
const longestText = 100_000;
const deepest = 6;
const mostParts = 100;
