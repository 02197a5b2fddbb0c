import { isObject, type Json } from '../values/json';
import { text } from '../values/text';

/*
 * What this rests on: recorded registrations have flags as booleans. One public client reads the rate of attendance as a text, another
 * one as a number.
 */

/** Reads a flag of a record; undefined where the platform does not say. It is for facts that are counted or told. */
export function parseFlag(value: Json | undefined): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}

/** Reads a number that may stand in a text; undefined where the platform gives none. */
export function parseCount(value: Json | undefined): number | undefined {
	const isEmpty = text(value).trim() === '';
	const count = isEmpty ? NaN : Number(value);
	return count >= 0 && Number.isFinite(count) ? count : undefined;
}

/** For caution, and for counts and lists as well: whatever is not certainly a no counts as a yes. */
export function isNoOrEmpty(value: Json | undefined): boolean {
	if (Array.isArray(value)) return value.length === 0;
	if (isObject(value)) return Object.values(value).every(isNoOrEmpty);
	return !value || Number(value) === 0;
}
