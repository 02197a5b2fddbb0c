import { isObject, type Json, type JsonObject } from '../values/json';
import { parseMoment, parseUnixMs } from '../dialect/time';
import { isoTime, namesTimeZone } from '../values/dates';
import { text } from '../values/text';

/* This file writes dates as they stand in the output: ISO 8601 with the offset of a time zone. */

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
		return [name, isDate ? dateIn(value, zone, clockOf(name, record)) : value];
	});
	return Object.fromEntries(datedFields);
}

/** Only of a planned start the record tells on whose clock a date is meant that names no time zone. */
function clockOf(name: string, { timezone }: JsonObject): string | undefined {
	return name === 'estimated_started_at' ? text(timezone) || undefined : undefined;
}

/** Writes a value as a date if it is one; null for a date that is not set. Any other value stays as it is. */
function dateIn(value: Json, zone: string, clock: string | undefined): Json {
	if (value === 0 || value === '' || value === '0') return null;
	// A text that names its own zone is shown as the platform wrote it.
	const isOnClock = clock !== undefined && !namesTimeZone(text(value));
	const ms = isOnClock ? parseMoment(value, clock) : parseUnixMs(value);
	return ms === undefined ? value : isoTime(ms, zone);
}
