import { existingZone, isTimeZone, momentInZone, offsetAt } from './timeZone';
import { minuteMs, type Ms } from './units';

/* Reads dates that are written as ISO 8601 or as SQL, and writes moments. */

/**
 * No date is as late as this, in milliseconds since 1970. Until then a year has four digits, also in a zone that is ahead and at the end
 * of a session, and JavaScript can write it.
 */
export const endOfDatesMs: Ms = Date.UTC(9999);

/** The day, the time of day, and the time zone behind it. */
const writtenDate =
	/^\d{4}-\d\d-\d\d(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d))?)?(?:\.(\d+))? ?((?:[+-]\d|z|gmt|utc|[a-z]+\/)\S*)?)?$/i;

/** Reads a date in Unix milliseconds; undefined where it is none. A date that names no time zone is meant on the clock of `zone`. */
export function parseDate(date: string, zone: string): Ms | undefined {
	const parts = writtenDate.exec(date.trim());
	if (!parts) return undefined;
	const [whole, hour = '00', minute = '00', second = '00', fraction = '0', ownZone] = parts;
	const day = whole.slice(0, 10);
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	const shownMs = Date.parse(`${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
	// JavaScript makes 30 February a day in March.
	if (Number.isNaN(shownMs) || !new Date(shownMs).toISOString().startsWith(day)) return undefined;
	return ownZone === undefined ? momentOf(shownMs, zone) : momentOf(shownMs, ownZone);
}

/** A zone may also be an offset, such as "+01:00[Europe/Paris]". */
function momentOf(shownMs: Ms, zone: string): Ms | undefined {
	const offset = /^([+-])(\d\d):?(\d\d)?(?:\[.*\])?$/.exec(zone);
	if (offset) {
		const [, sign, hours, minutes = '0'] = offset;
		const aheadMs = (Number(hours) * 60 + Number(minutes)) * minuteMs;
		return sign === '-' ? shownMs + aheadMs : shownMs - aheadMs;
	}
	if (/^z$/i.test(zone)) return shownMs;
	return isTimeZone(zone) ? momentInZone(shownMs, zone) : undefined;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const namesDay = new RegExp(`\\b(?:${months.join('|')})\\b|\\d{4}-\\d\\d-`);
const longestDate = 64;

/**
 * Reads a date as JavaScript does, such as that of a header. A text without the name of a month or an ISO year is refused, because
 * JavaScript reads almost any text as some date.
 */
export function parseDateOfHeader(date: string): Ms | undefined {
	if (date.length > longestDate || !namesDay.test(date)) return undefined;
	const ms = Date.parse(date);
	return Number.isNaN(ms) ? undefined : ms;
}

export function namesTimeZone(date: string): boolean {
	return writtenDate.exec(date.trim())?.[5] !== undefined;
}

/** A date of JavaScript or of n8n, as JSON writes it. Any other object has no such text, and neither has a date that is invalid. */
export function dateAsText(date: object): string | undefined {
	const { toJSON } = date as Partial<Date>;
	const json: unknown = typeof toJSON === 'function' ? toJSON.call(date) : undefined;
	return typeof json === 'string' ? json : undefined;
}

export function isoTime(ms: Ms, zone: string): string {
	return clockIn(zone, ms).replace(/(?:\.000)?Z$/, offsetAt(ms, zone).offset);
}

/** Writes a moment as the clocks of a zone show it: "2026-11-28 10:30:00". */
export function clockTime(ms: Ms, zone: string): string {
	return clockIn(zone, ms).slice(0, 'yyyy-MM-ddTHH:mm:ss'.length).replace('T', ' ');
}

/** Writes a moment as people read it in a mail: "5 Dec 2026, 10:00 Paris". The first of the zones counts that exists, else UTC. */
export function timeInWords(ms: Ms, ...zones: string[]): string {
	const knownZone = existingZone(zones);
	const [day = '', time = ''] = clockTime(ms, knownZone).split(' ');
	const [year = '', month, dayOfMonth] = day.split('-');
	const date = `${Number(dayOfMonth)} ${months[Number(month) - 1] ?? ''} ${year}`;
	return `${date}, ${time.slice(0, 5)} ${placeOf(knownZone)}`;
}

/** "New York" for "America/New_York". */
function placeOf(zone: string): string {
	return zone.slice(zone.lastIndexOf('/') + 1).replace(/_/g, ' ');
}

/** Writes the clock of a zone as if it were that of UTC. */
function clockIn(zone: string, ms: Ms): string {
	return new Date(ms + offsetAt(ms, zone).aheadMs).toISOString();
}
