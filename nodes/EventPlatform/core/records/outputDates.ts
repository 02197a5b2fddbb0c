import { isObject, type Json, type JsonObject } from '../values/json';
import { parseUnixMs } from '../dialect/time';
import { offsetAt } from '../values/timeZone';

/* This file writes dates as they stand in the output: ISO 8601 with the offset of a time zone. */

/** Writes a moment as ISO 8601 with the offset that `zone` has then. */
export function isoTime(ms: number, zone: string): string {
	const { aheadMs, offset } = offsetAt(ms, zone);
	return new Date(ms + aheadMs).toISOString().replace(/(?:\.000)?Z$/, offset);
}

/** Gives a simplified record with its dates as ISO 8601, and null for those that are not set. Answers to a form stay as they are. */
export function withDates(record: JsonObject, zone: string, answers: string[] = []): JsonObject {
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
