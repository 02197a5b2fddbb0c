import { createHash } from 'node:crypto';
import { redact } from './secrets';

/** An object has no text, and neither has null. */
export function text(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Stands for a text: 132 bits, 22 characters of six bits each. No two texts share one by chance, and none can be read out of it. */
export function digestOf(whole: string): string {
	return createHash('sha256').update(whole).digest('base64url').slice(0, 22);
}

/** Writes a number for people: "2,000". */
export function thousands(count: number): string {
	return count.toLocaleString('en-US');
}

/** Counts things for people: "1 session", "2,000 sessions". */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
	return `${thousands(count)} ${count === 1 ? noun : plural}`;
}

/** Whether a title has a part that people have entered, whatever its letter case. */
export function containsPart(whole: unknown, part: string): boolean {
	return text(whole).toLowerCase().includes(part.toLowerCase());
}

/** Of two spellings of one name: "First Name", "first_name" and "FIRSTNAME" are the same, and "Prénom" and "prenom". */
export function isSameName(name: string, otherName: string): boolean {
	return plainName(name) === plainName(otherName);
}

/** A name as it is compared. */
export function plainName(name: string): string {
	const letters = name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]|[\u0300-\u036f]/gu, '');
	return letters === '' ? name.trim() : letters;
}

/** Characters that nobody sees, the blank of Braille among them. */
export const invisible = /[\p{Cf}\p{DI}\u2800]/gu;

export function isVisible(text: string): boolean {
	return /[^\s\p{Cc}]/u.test(text.replace(invisible, ''));
}

/** Control characters but tabs and ends of lines, and marks that turn the direction of writing: they make a name look like another one. */
const deceiving = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

/** Strikes out of a text what deceives people, in items, errors and the mails that are made of them. */
export function asShown(text: string): string {
	return text.replace(deceiving, '');
}

/** The longest quotation: enough for an error that people read, and short enough for fifty of them. */
const longestQuote = 500;

/** Quotes the words of somebody else, short and without secrets; an object as JSON. Gives undefined where there are none. */
export function quote(value: unknown): string | undefined {
	const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0;
	if (isEmpty || value === undefined || value === '') return undefined;
	const whole = typeof value === 'object' ? JSON.stringify(shortenValue(value)) : text(value);
	return excerpt(whole, longestQuote);
}

/** Shortens a value, because JSON may be too deep for JavaScript, and so long that it takes too much time. */
function shortenValue(value: unknown, levels = 6): unknown {
	if (typeof value === 'string') return excerpt(value, longestQuote);
	if (typeof value !== 'object' || value === null) return value;
	if (levels === 0) return undefined;
	const shortenPart = (part: unknown) => shortenValue(part, levels - 1);
	if (Array.isArray(value)) return value.slice(0, mostParts).map(shortenPart);
	const parts = Object.entries(value).slice(0, mostParts);
	return Object.fromEntries(parts.map(([name, part]) => [name, shortenPart(part)]));
}

/** An object or a list is quoted with no more members than this. */
const mostParts = 100;

export function excerpt(whole: string, longest: number): string {
	// The text may be megabytes, so it is cut first; but far behind the excerpt, because half a secret is not recognised.
	// The first column of a file may begin with a byte order mark, which nobody sees and everybody would copy.
	const clean = redact(asShown(whole.slice(0, 4 * longest)).replaceAll('\ufeff', ''));
	return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

/** Replaces the email addresses in a text, because they identify people. */
export function replaceAddresses(text: string, replacement: string): string {
	return text.replace(/[^\s"'`]+/g, (word: string, position: number) => {
		if (!word.includes('@')) return word;
		const isFirstWord = position === 0;
		const instead = isFirstWord
			? replacement.charAt(0).toUpperCase() + replacement.slice(1)
			: replacement;
		return /[.,;:]$/.test(word) ? instead + word.slice(-1) : instead;
	});
}
