import type { Json, JsonObject } from '../values/json';
import { text } from '../values/text';
import { endOfDatesMs, parseDate } from '../values/dates';
import type { Ms, Seconds } from '../values/units';

/*
 * What this rests on: the vendor's records and pages have Unix seconds, 0 where nothing is set. Its page about limits names no unit,
 * and two public clients read the time of a signature in seconds and in milliseconds. A planned start is sent as "2026-11-28 10:30:00".
 */

/** Reads a time in seconds or milliseconds as milliseconds. In our century they are three digits apart. */
export function unixMs(time: number): Ms {
	return time < 1e11 ? time * 1_000 : time;
}

/**
 * Reads a time of a record; undefined where it is not set, or cannot be read. `zone`: the time zone of a text that names none. The
 * platform takes a start in that form, and one that sends it back means the clock of the session.
 */
export function parseSeconds(time: Json | undefined, zone = 'UTC'): Seconds | undefined {
	const ms = parseMoment(time, zone);
	return ms !== undefined && ms > 0 && ms < endOfDatesMs ? Math.floor(ms / 1_000) : undefined;
}

/** A start without any zone is meant in UTC. In a zone that does not exist, it may be at another hour, and is not known. */
export function plannedStart(session: JsonObject): Seconds | undefined {
	return parseSeconds(session.estimated_started_at, text(session.timezone) || undefined);
}

/** The planned start where no zone has to be supposed. */
export function certainStart(session: JsonObject): Seconds | undefined {
	return parseSeconds(session.estimated_started_at, text(session.timezone));
}

/** Reads Unix seconds or milliseconds; undefined for a smaller number, which counts something else, such as the days of a spreadsheet. */
export function parseUnixMs(value: unknown): Ms | undefined {
	return /^\s*\d{9,13}(?:\.\d+)?\s*$/.test(text(value)) ? unixMs(Number(value)) : undefined;
}

/** Reads a date that is entered or sent as a text, or as Unix seconds or milliseconds. One that names no zone is meant on the clock of `zone`. */
export function parseMoment(value: unknown, zone: string): Ms | undefined {
	return parseUnixMs(value) ?? (typeof value === 'string' ? parseDate(value, zone) : undefined);
}
