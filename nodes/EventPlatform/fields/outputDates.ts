import { keepLatest } from '../core/values/collections';
import { isObject, type Json, type JsonObject } from '../core/values/json';
import { parseDate, unixTime } from './typedDates';

/* Dates as they stand in the output: ISO 8601 with the offset of a time zone. */

/** The offset of a time zone at a moment. */
interface ZoneOffset {
	aheadMs: number;
	/** As ISO 8601 writes it: "+01:00", "Z". */
	offset: string;
}

const quarterHourMs = 900_000;
const mostOffsets = 10_000;
/** Offsets by zone and quarter of an hour, within which none changes. They are kept because asking for one takes long. */
const offsets = new Map<string, ZoneOffset>();

/** Writes a moment as ISO 8601 with the offset that `zone` has then. */
export function isoTime(ms: number, zone: string): string {
	const key = `${zone} ${Math.floor(ms / quarterHourMs)}`;
	const { aheadMs, offset } = offsets.get(key) ?? offsetAt(ms, zone);
	offsets.set(key, { aheadMs, offset });
	keepLatest(offsets, mostOffsets);
	return new Date(ms + aheadMs).toISOString().replace(/(?:\.000)?Z$/, offset);
}

function offsetAt(ms: number, zone: string): ZoneOffset {
	const there = parseDate(new Date(ms), zone);
	const [offset = 'Z'] = /Z$|[+-]\d\d:\d\d$/.exec(there?.toISO() ?? '') ?? [];
	return { aheadMs: (there?.offset ?? 0) * 60_000, offset };
}

/** Gives a simplified record with its dates as ISO 8601, and null for those that are not set. Answers to a form stay as they are. */
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
