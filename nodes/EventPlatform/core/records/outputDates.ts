import { keepLatest } from '../values/collections';
import { isObject, type Json, type JsonObject } from '../values/json';
import { parseUnixMs } from '../dialect/time';

/* This file writes dates as they stand in the output: ISO 8601 with the offset of a time zone. */

/** The offset of a time zone at a moment. */
interface ZoneOffset {
	/** How far the zone is ahead of UTC. */
	aheadMs: number;
	/** The offset as ISO 8601 writes it: "+01:00", "Z". */
	offset: string;
}

const quarterHourMs = 900_000;
/** No more offsets and formats are kept than these, so that they do not fill the memory. */
const mostOffsets = 10_000;
const mostZones = 100;
/** The offsets by zone and quarter of an hour, within which none changes. They are kept because asking for one takes long. */
const offsets = new Map<string, ZoneOffset>();
/**
 * The formats that tell the offsets of a zone; undefined where there is no such zone. They are kept, because making one takes far
 * longer than asking it.
 */
const formats = new Map<string, Intl.DateTimeFormat | undefined>();

/** Writes a moment as ISO 8601 with the offset that `zone` has then. */
export function isoTime(ms: number, zone: string): string {
	const key = `${zone} ${Math.floor(ms / quarterHourMs)}`;
	const { aheadMs, offset } = offsets.get(key) ?? offsetAt(ms, zone);
	offsets.set(key, { aheadMs, offset });
	keepLatest(offsets, mostOffsets);
	return new Date(ms + aheadMs).toISOString().replace(/(?:\.000)?Z$/, offset);
}

function offsetAt(ms: number, zone: string): ZoneOffset {
	const format = formats.has(zone) ? formats.get(zone) : formatOf(zone);
	formats.set(zone, format);
	keepLatest(formats, mostZones);
	const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(format?.format(ms) ?? '') ?? [];
	if (hours === undefined || isUtc.test(zone)) return { aheadMs: 0, offset: 'Z' };
	const aheadMinutes = Number(hours) * 60 + Number(minutes);
	const aheadMs = aheadMinutes * 60_000 * (sign === '-' ? -1 : 1);
	return { aheadMs, offset: `${sign}${hours}:${minutes}` };
}

/** Names of the zone in which a moment is written with "Z". */
const isUtc = /^(?:utc|gmt)$/i;
/** Names that stand for the zone of the server. */
const isOfServer = /^(?:default|local|system)$/i;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
	const timeZone = isOfServer.test(zone) ? undefined : zone;
	try {
		return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
	} catch {
		return undefined;
	}
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
