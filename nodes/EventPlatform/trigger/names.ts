/** Ids or kinds as people give them: a list, or a text with commas or line breaks. */
export function readNames(given: unknown): string[] {
	const parts: unknown[] = Array.isArray(given) ? given : [given];
	return parts
		.flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : ''))
		.flatMap((text) => text.split(/[\s,;]+/))
		.filter((name) => name !== '');
}
