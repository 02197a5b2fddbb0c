import { isObject, type Json, type JsonObject } from '../values/json';
import { parseUnixMs } from '../dialect/time';
import { isoTime } from '../values/dates';

/*
 * Writes dates as they stand in the output: ISO 8601 with the offset of a time zone.
 *
 * What this rests on: the dates of recorded records are Unix seconds in fields that end in `_at`, and 0 where nothing is set.
 * A text stays as the platform wrote it.
 */

/** Dates become ISO 8601, and null where they are not set. Answers to a form stay as they are, and without a zone everything does. */
export function withDates(
	record: JsonObject,
	zone: string | undefined,
	answers: string[] = [],
): JsonObject {
	if (zone === undefined) return record;
	const datedFields = Object.entries(record).map(([name, value]): [string, Json] => {
		if (isObject(value)) return [name, withDates(value, zone)];
		const isDate = name.endsWith('_at') && !answers.includes(name);
		return [name, isDate ? dateIn(value, zone) : value];
	});
	return Object.fromEntries(datedFields);
}

/** Writes a value as a date if it is one; null for a date that is not set. Any other value stays as it is. */
function dateIn(value: Json, zone: string): Json {
	if (value === 0 || value === '' || value === '0') return null;
	const ms = parseUnixMs(value);
	return ms === undefined ? value : isoTime(ms, zone);
}
