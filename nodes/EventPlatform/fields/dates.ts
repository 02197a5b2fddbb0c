import { tryToParseDateTime } from 'n8n-workflow';
import { isObject, type Json, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { unixMs } from '../core/values/time';
import { keepLatest } from '../core/values/collections';

/* These functions give undefined for a value that is no date. */

/** For the platform's filters. */
export function unixSeconds(given: unknown, workflowZone: string): number | undefined {
	const moment = parse(given, workflowZone);
	return moment && Math.floor(moment.toMillis() / 1000);
}

/** On the clock of `zone`, as the platform writes a planned start. */
export function wallTime(given: unknown, zone: string): string | undefined {
	return parse(given, zone)?.toFormat('yyyy-MM-dd HH:mm:ss');
}

/** Whether a moment is over. */
export function isPast(given: unknown, zone: string): boolean {
	return (parse(given, zone)?.toMillis() ?? Infinity) < Date.now();
}

export function isZone(name: string): boolean {
	return wallTime(new Date(0), name) !== undefined;
}

/** The time zone that somebody means with a city, in whatever letters: "paris" → "Europe/Paris". */
export function zoneNamedLike(name: string): string | undefined {
	const wanted = name.trim().toLowerCase().replace(/\s+/g, '_');
	if (wanted === '') return undefined;
	const zones = Intl.supportedValuesOf('timeZone');
	const isCity = (zone: string) => zone.toLowerCase().endsWith(`/${wanted}`);
	const isPart = (zone: string) => zone.toLowerCase().includes(wanted);
	return zones.find(isCity) ?? zones.find(isPart);
}

const quarterHourMs = 900_000;
const mostOffsets = 10_000;
/** By zone and quarter of an hour, within which no offset changes: asking for it is what takes long. */
const offsets = new Map<string, { aheadMs: number; offset: string }>();

/** A moment as ISO 8601 with the offset that `zone` has then. */
export function isoTime(ms: number, zone: string): string {
	const key = `${zone} ${Math.floor(ms / quarterHourMs)}`;
	const { aheadMs, offset } = offsets.get(key) ?? offsetAt(ms, zone);
	offsets.set(key, { aheadMs, offset });
	keepLatest(offsets, mostOffsets);
	return new Date(ms + aheadMs).toISOString().replace(/(?:\.000)?Z$/, offset);
}

function offsetAt(ms: number, zone: string) {
	const there = parse(new Date(ms), zone);
	const [offset = 'Z'] = /Z$|[+-]\d\d:\d\d$/.exec(there?.toISO() ?? '') ?? [];
	return { aheadMs: (there?.offset ?? 0) * 60_000, offset };
}

/** A simplified record with its dates as ISO 8601, and null for those that are not set. Answers to a form stay as they are. */
export function withDates(record: JsonObject, zone: string, answers: string[] = []): JsonObject {
	const dated = Object.entries(record).map(([name, value]): [string, Json] => {
		if (isObject(value)) return [name, withDates(value, zone)];
		const isDate = name.endsWith('_at') && !answers.includes(name);
		return [name, isDate ? dateIn(value, zone) : value];
	});
	return Object.fromEntries(dated);
}

function dateIn(value: Json, zone: string): Json {
	if (value === 0 || value === '' || value === '0') return null;
	const ms = unixTime(value);
	return ms === undefined ? value : isoTime(ms, zone);
}

/** One that does not is meant in the zone of the session. */
export function namesItsZone(given: unknown): boolean {
	if (typeof given !== 'string' || unixTime(given) !== undefined) return true;
	return written.exec(given.trim())?.[1] !== undefined;
}

/** As ISO 8601 and SQL write it, and behind it the time zone. */
const written =
	/^\d{4}-\d\d-\d\d(?:[T ]\d\d(?::?\d\d){0,2}(?:\.\d+)? ?((?:[+-]\d|z|gmt|utc|[a-z]+\/)\S*)?)?$/i;

/** A moment on the clock of `zone`. */
function parse(given: unknown, zone: string) {
	const ms = unixTime(given);
	const date = ms === undefined ? given : new Date(ms);
	try {
		const moment = tryToParseDateTime(date, zone);
		const there = moment.setZone(zone);
		// n8n falls back on guessing, which makes 30 February a day in March, on the clock of the server.
		const day = String(date).trim();
		const isThatDay = written.test(day) && day.startsWith(moment.toFormat('yyyy-MM-dd'));
		return (date instanceof Date || isThatDay) && there.isValid ? there : undefined;
	} catch {
		return undefined;
	}
}

/** Reads Unix seconds or milliseconds. A smaller number counts something else, such as the days of a spreadsheet. */
function unixTime(given: unknown): number | undefined {
	return /^\s*\d{9,13}(?:\.\d+)?\s*$/.test(text(given)) ? unixMs(Number(given)) : undefined;
}
