import type { Json, JsonObject } from '../values/json';
import { text } from '../values/text';
import { endOfDatesMs, parseDate } from '../values/dates';
import type { Ms, Seconds } from '../values/units';

/*
 * What this rests on: the vendor's records and pages have Unix seconds, 0 where nothing is set. Its page about limits names no unit,
 * and two public clients read the time of a signature in seconds and in milliseconds. People enter dates in any of these ways, and as texts.
 */

/** Reads a time in seconds or milliseconds as milliseconds. In our century they are three digits apart. */
export function unixMs(time: number): Ms {
	return time < 1e11 ? time * 1_000 : time;
}

/** Reads a time of a record, in Unix seconds; undefined where it is not set, or is nothing that a record was seen to have. */
export function parseSeconds(time: Json | undefined): Seconds | undefined {
	const isTime = typeof time === 'number' && time > 0 && time * 1_000 < endOfDatesMs;
	return isTime ? Math.floor(time) : undefined;
}

export function plannedStart(session: JsonObject): Seconds | undefined {
	return parseSeconds(session.estimated_started_at);
}

/** Reads Unix seconds or milliseconds; undefined for a smaller number, which counts something else, such as the days of a spreadsheet. */
export function parseUnixMs(value: unknown): Ms | undefined {
	return /^\s*\d{9,13}(?:\.\d+)?\s*$/.test(text(value)) ? unixMs(Number(value)) : undefined;
}

/** Reads a date that is entered as a text, or as Unix seconds or milliseconds. One that names no zone is meant on the clock of `zone`. */
export function parseMoment(value: unknown, zone: string): Ms | undefined {
	return parseUnixMs(value) ?? (typeof value === 'string' ? parseDate(value, zone) : undefined);
}
