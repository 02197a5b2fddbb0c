import { redact } from './redact';

/** The text of a value that may be anything; an object has none. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Longer than any error that is meant to be read, and short enough for a list of fifty of them. */
const longestQuote = 500;

/**
 * Somebody else's words as people may see them: short, and without what gives access. An object
 * is quoted as JSON; undefined where there is nothing to quote.
 */
export function quote(value: unknown): string | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const whole = typeof value === 'object' ? JSON.stringify(value) : text(value);
	// Cut before it is searched for secrets, because it may be megabytes; somewhat longer than what
	// is shown, because a secret that is cut in half is not recognised.
	const clean = redact(whole.slice(0, 4 * longestQuote));
	return clean.length > longestQuote ? `${clean.slice(0, longestQuote)}…` : clean;
}
