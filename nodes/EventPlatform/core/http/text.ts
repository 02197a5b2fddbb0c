import { text } from './json';
import { redact, redactWithin } from './redact';

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
	// JSON of any depth would be too deep for JavaScript.
	const whole = typeof value === 'object' ? JSON.stringify(redactWithin(value)) : text(value);
	return excerpt(whole, longestQuote);
}

export function excerpt(whole: string, longest: number): string {
	// Cut first, because it may be megabytes, but later than what is shown: half a secret is not recognised.
	const clean = redact(whole.slice(0, 4 * longest));
	return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

/** A loop, because the obvious expression takes quadratic time for slashes with something behind them. */
export function withoutLastSlashes(address: string): string {
	let end = address.length;
	while (address.endsWith('/', end)) end -= 1;
	return address.slice(0, end);
}

/** The text without email addresses: what identifies people is not shown to others. */
export function replaceAddresses(text: string, by: string): string {
	return text.replace(/[^\s"'`]+/g, (word: string, at: number) => {
		if (!word.includes('@')) return word;
		const instead = at === 0 ? by.charAt(0).toUpperCase() + by.slice(1) : by;
		return /[.,;:]$/.test(word) ? instead + word.slice(-1) : instead;
	});
}
