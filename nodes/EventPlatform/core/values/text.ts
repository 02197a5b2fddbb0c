import { redact } from './redact';

/** The text of a value that may be anything; an object has none. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** Characters that nobody sees, the blank of Braille among them. */
export const invisible = /[\p{Cf}\p{DI}\u2800]/gu;

export function isVisible(text: string): boolean {
	return /[^\s\p{Cc}]/u.test(text.replace(invisible, ''));
}

/** Enough for any error that is meant to be read, and short enough for fifty of them. */
const longestQuote = 500;

/** Somebody else's words, short and without what gives access; an object as JSON. */
export function quote(value: unknown): string | undefined {
	const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0;
	if (isEmpty || value === undefined || value === '') return undefined;
	const whole = typeof value === 'object' ? JSON.stringify(shortened(value)) : text(value);
	return excerpt(whole, longestQuote);
}

/** JSON of any depth would be too deep for JavaScript, and of any length would take too long. */
function shortened(value: unknown, levels = 6): unknown {
	if (typeof value === 'string') return excerpt(value, longestQuote);
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return undefined;
	const within = (one: unknown) => shortened(one, levels - 1);
	if (Array.isArray(value)) return value.slice(0, mostParts).map(within);
	const parts = Object.entries(value).slice(0, mostParts);
	return Object.fromEntries(parts.map(([name, one]) => [name, within(one)]));
}

const mostParts = 100;

export function excerpt(whole: string, longest: number): string {
	// Cut first, because it may be megabytes, but later than what is shown: half a secret is not recognised.
	const clean = redact(whole.slice(0, 4 * longest));
	return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

/** The text without email addresses: what identifies people is not shown to others. */
export function replaceAddresses(text: string, by: string): string {
	return text.replace(/[^\s"'`]+/g, (word: string, at: number) => {
		if (!word.includes('@')) return word;
		const instead = at === 0 ? by.charAt(0).toUpperCase() + by.slice(1) : by;
		return /[.,;:]$/.test(word) ? instead + word.slice(-1) : instead;
	});
}
