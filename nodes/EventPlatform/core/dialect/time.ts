import type { Json } from '../values/json';
import { text } from '../values/text';

/** Reads a time in seconds, milliseconds, microseconds or nanoseconds as milliseconds. In our century they are three digits apart. */
export function unixMs(time: number): number {
	if (time < 1e11) return time * 1_000;
	if (time < 1e14) return time;
	return time < 1e17 ? time / 1e3 : time / 1e6;
}

/** A date of the year 10,000 cannot be written as others are, and far later ones cannot be written at all. */
const endOfCalendarMs = Date.UTC(10_000);

/** Reads a time that is a number, a text of digits or ISO 8601; undefined where it is not set. */
export function parseSeconds(time: Json | undefined): number | undefined {
	if (typeof time !== 'number' && typeof time !== 'string') return undefined;
	const value = Number(time);
	const ms = Number.isNaN(value) ? Date.parse(String(time)) : unixMs(value);
	return ms > 0 && ms < endOfCalendarMs ? Math.floor(ms / 1_000) : undefined;
}

/** Reads Unix seconds or milliseconds; undefined for a smaller number, which counts something else, such as the days of a spreadsheet. */
export function parseUnixMs(value: unknown): number | undefined {
	return /^\s*\d{9,13}(?:\.\d+)?\s*$/.test(text(value)) ? unixMs(Number(value)) : undefined;
}
