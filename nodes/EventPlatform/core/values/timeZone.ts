import { ProcessMap } from './processState';
import { minuteMs, type Ms } from './units';

export function isTimeZone(name: string): boolean {
	return formatOf(name) !== undefined;
}

export function existingZone(zones: readonly string[]): string {
	return zones.find(isTimeZone) ?? 'UTC';
}

interface ZoneOffset {
	aheadMs: Ms;
	/** The offset as ISO 8601 writes it: "+01:00", "Z". */
	offset: string;
}

/** By zone; undefined where there is no such zone. */
const formats = new ProcessMap<Intl.DateTimeFormat | undefined>('zoneFormats');

/** Where there is no such zone, the offset is that of UTC. */
export function offsetAt(ms: Ms, zone: string): ZoneOffset {
	const knownZone = existingZone([zone]);
	const format = formatOf(knownZone);
	const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(format?.format(ms) ?? '') ?? [];
	if (hours === undefined || isUtc.test(knownZone)) return { aheadMs: 0, offset: 'Z' };
	const aheadMinutes = Number(hours) * 60 + Number(minutes);
	const aheadMs = aheadMinutes * minuteMs * (sign === '-' ? -1 : 1);
	return { aheadMs, offset: `${sign}${hours}:${minutes}` };
}

/**
 * The time that the clocks of the zone show is written as if it were UTC. A time that clocks skip in spring is meant by the clock as it
 * was before, as everybody reads it: 02:30 becomes 03:30.
 */
export function momentInZone(shownMs: Ms, zone: string): Ms {
	const nearlyMs = shownMs - offsetAt(shownMs, zone).aheadMs;
	const ms = shownMs - offsetAt(nearlyMs, zone).aheadMs;
	const isShown = ms + offsetAt(ms, zone).aheadMs === shownMs;
	return isShown ? ms : Math.max(ms, nearlyMs);
}

/** Names of the zone in which a moment is written with "Z". */
const isUtc = /^(?:utc|gmt)$/i;

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
	if (formats.has(zone)) return formats.get(zone);
	const format = makeFormat(zone);
	formats.set(zone, format);
	return format;
}

function makeFormat(zone: string): Intl.DateTimeFormat | undefined {
	try {
		return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
	} catch {
		return undefined;
	}
}
