import { tryToParseDateTime } from 'n8n-workflow';
import { parseUnixMs } from '../core/dialect/time';

/* Reads dates and time zones that people type or expressions give. The functions give undefined for a value that is no date. */

/** A moment on the clock of a time zone: the part of n8n's kind of date that is used here. */
interface Moment {
	toFormat(format: string): string;
	toMillis(): number;
}

/** Reads a date as Unix seconds, which the platform's filters take. */
export function unixSeconds(value: unknown, workflowZone: string): number | undefined {
	const moment = parseDate(value, workflowZone);
	return moment && Math.floor(moment.toMillis() / 1000);
}

/** Reads a date on the clock of `zone`, as the platform writes a planned start. */
export function wallTime(value: unknown, zone: string): string | undefined {
	return parseDate(value, zone)?.toFormat('yyyy-MM-dd HH:mm:ss');
}

/** Whether a moment is over. */
export function isPast(value: unknown, zone: string): boolean {
	return (parseDate(value, zone)?.toMillis() ?? Infinity) < Date.now();
}

/** Whether a time zone of this name exists. */
export function isZone(name: string): boolean {
	return wallTime(new Date(0), name) !== undefined;
}

/** Finds the time zone that somebody means with a city, in whatever letters: "paris" → "Europe/Paris". */
export function zoneNamedLike(name: string): string | undefined {
	const city = name.trim().toLowerCase().replace(/\s+/g, '_');
	if (city === '') return undefined;
	const zones = Intl.supportedValuesOf('timeZone');
	const isCity = (zone: string) => zone.toLowerCase().endsWith(`/${city}`);
	const isPart = (zone: string) => zone.toLowerCase().includes(city);
	return zones.find(isCity) ?? zones.find(isPart);
}

/** Whether a date names its time zone. A date that names none is meant in the zone of the session. */
export function namesItsZone(value: unknown): boolean {
	if (typeof value !== 'string' || parseUnixMs(value) !== undefined) return true;
	return dateText.exec(value.trim())?.[1] !== undefined;
}

/** Matches a date as ISO 8601 and SQL write it; the group is the time zone behind it. */
const dateText =
	/^\d{4}-\d\d-\d\d(?:[T ]\d\d(?::?\d\d){0,2}(?:\.\d+)? ?((?:[+-]\d|z|gmt|utc|[a-z]+\/)\S*)?)?$/i;

/** Reads a moment, on the clock of `zone`. */
function parseDate(value: unknown, zone: string): Moment | undefined {
	const unixMs = parseUnixMs(value);
	const date = unixMs === undefined ? value : new Date(unixMs);
	try {
		const moment = tryToParseDateTime(date, zone);
		const inZone = moment.setZone(zone);
		// n8n falls back on guessing, which makes 30 February a day in March, on the clock of the server.
		const day = String(date).trim();
		const isThatDay = dateText.test(day) && day.startsWith(moment.toFormat('yyyy-MM-dd'));
		return (date instanceof Date || isThatDay) && inZone.isValid ? inZone : undefined;
	} catch {
		return undefined;
	}
}
