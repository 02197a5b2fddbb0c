/* Values that somebody else sent: their texts, quotes and times. */
import { redact } from './redact';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
	[key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** Of a time in seconds, milliseconds, microseconds or nanoseconds, which are three digits apart in our century. */
export function unixMs(time: number): number {
	if (time < 1e11) return time * 1_000;
	if (time < 1e14) return time;
	return time < 1e17 ? time / 1e3 : time / 1e6;
}

/** Of a time as a number, a text of digits or ISO 8601; undefined: it is not set. */
export function seconds(time: Json | undefined): number | undefined {
	if (typeof time !== 'number' && typeof time !== 'string') return undefined;
	const value = Number(time);
	const ms = Number.isNaN(value) ? Date.parse(String(time)) : unixMs(value);
	return ms > 0 ? Math.floor(ms / 1_000) : undefined;
}

/** Integers that JavaScript cannot hold, such as ids, become texts of all their digits. */
export function parseJson(text: string): unknown {
	const isExact = !longInteger.test(text);
	return JSON.parse(isExact ? text : text.replace(textsAndNumbers, asText)) as unknown;
}

/** Quickly found; it may stand in a text as well. */
const longInteger = /\d{16}/;
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

function asText(found: string): string {
	const isInteger = /^-?\d+$/.test(found);
	return isInteger && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found;
}
