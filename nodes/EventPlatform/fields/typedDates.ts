import { parseMoment, parseUnixMs } from '../core/dialect/time';
import { clockTime, dateAsText, namesTimeZone } from '../core/values/dates';
import type { Ms, Seconds } from '../core/values/units';

/* Reads dates that people type or expressions give. The functions give undefined for a value that is no date. */

export function unixSeconds(value: unknown, workflowZone: string): Seconds | undefined {
	const ms = typedMs(value, workflowZone);
	return ms === undefined ? undefined : Math.floor(ms / 1000);
}

export function wallTime(value: unknown, zone: string): string | undefined {
	const ms = typedMs(value, zone);
	return ms === undefined ? undefined : clockTime(ms, zone);
}

export function zoneNamedLike(name: string): string | undefined {
	const city = name.trim().toLowerCase().replace(/\s+/g, '_');
	if (city === '') return undefined;
	const zones = Intl.supportedValuesOf('timeZone');
	const isCity = (zone: string) => zone.toLowerCase().endsWith(`/${city}`);
	const isPart = (zone: string) => zone.toLowerCase().includes(city);
	return zones.find(isCity) ?? zones.find(isPart);
}

/** A date that names none is meant in the zone of the session. */
export function namesItsZone(value: unknown): boolean {
	if (typeof value !== 'string' || parseUnixMs(value) !== undefined) return true;
	return namesTimeZone(value);
}

function typedMs(value: unknown, zone: string): Ms | undefined {
	const isDate = typeof value === 'object' && value !== null;
	const typed = isDate ? dateAsText(value) : value;
	return parseMoment(typed, zone);
}
