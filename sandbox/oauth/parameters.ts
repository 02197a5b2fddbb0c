/** The parameters of a query string or a form, and the first that is given twice (RFC 6749, 3.1). */
export function readParameters(text: string): {
	values: Record<string, string>;
	repeated: string | null;
} {
	const entries = [...new URLSearchParams(text)];
	// A client that sends `state=` sends no state.
	const filledEntries = entries.filter(([, value]) => value !== '');
	const names = entries.map(([name]) => name);
	const repeated = names.find((name, index) => names.indexOf(name) !== index) ?? null;
	return { values: Object.fromEntries(filledEntries), repeated };
}

/** Gives the text after the question mark, as it was sent. */
export function queryOf(url: string | undefined): string {
	const [, ...parts] = (url ?? '').split('?');
	return parts.join('?');
}
