import { Refusal } from '../refusal';

const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A time of a filter: Unix seconds or ISO 8601, in UTC unless it says otherwise. */
export function seconds(name: string, value: unknown): number {
	const text = String(value).trim();
	if (/^\d{1,11}$/.test(text)) return Number(text);
	const [, date, time = '00:00', zone = 'Z'] = iso.exec(text) ?? [];
	const ms = Date.parse(`${date}T${time}${zone.replace(/(\d{2})(\d{2})$/, '$1:$2')}`);
	if (!Number.isNaN(ms) && isInCalendar(date)) return Math.floor(ms / 1000);
	throw new Refusal(
		400,
		`${name} takes Unix seconds or an ISO 8601 date; it was '${text.slice(0, 40)}'.`,
	);
}

/** Date.parse takes February 30th for a day in March. */
function isInCalendar(date = ''): boolean {
	return new Date(`${date}T00:00Z`).toISOString().startsWith(date);
}

/** A planned start: the clock of its own time zone ("2026-11-28 10:30:00"), or a time with an offset. */
export function plannedStart(value: unknown, timezone: string): number {
	const text = String(value).trim();
	const [, date, time, zone] = iso.exec(text) ?? [];
	if (!time || zone) return seconds('estimated_started_at', value);
	const asUtc = seconds('estimated_started_at', `${date}T${time}Z`) * 1000;
	// The offset at the guess may differ from the one at the answer around a clock change: look twice.
	const guess = asUtc - offset(asUtc, timezone);
	return Math.floor((asUtc - offset(guess, timezone)) / 1000);
}

export function requireTimezone(timezone: string): void {
	try {
		new Intl.DateTimeFormat('en', { timeZone: timezone });
	} catch {
		throw new Refusal(400, `'${timezone.slice(0, 60)}' is not a time zone, such as Europe/Paris.`);
	}
}

function offset(ms: number, timezone: string): number {
	const parts = new Intl.DateTimeFormat('en', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	}).formatToParts(ms);
	const part = (type: string) => Number(parts.find((segment) => segment.type === type)?.value);
	const zoneMs = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return zoneMs - Math.floor(ms / 1000) * 1000;
}
