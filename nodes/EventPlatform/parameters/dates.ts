import { tryToParseDateTime } from 'n8n-workflow';

/** An instant for the platform's filters, which take Unix seconds. Undefined: not a date. */
export function unixSeconds(given: unknown, workflowZone: string): number | undefined {
	if (isUnixSeconds(given)) return Number(given);
	const moment = parse(given, workflowZone);
	return moment && Math.floor(moment.toMillis() / 1000);
}

/** What the clock on the wall shows in `zone`, as the platform writes a planned start. */
export function wallTime(given: unknown, zone: string): string | undefined {
	const moment = isUnixSeconds(given)
		? parse(new Date(Number(given) * 1000), zone)
		: parse(given, zone);
	const there = moment?.setZone(zone);
	return there?.isValid ? there.toFormat('yyyy-MM-dd HH:mm:ss') : undefined;
}

/** A date without one means the wall clock of wherever the session takes place. */
export function namesItsZone(given: unknown): boolean {
	if (isUnixSeconds(given) || typeof given !== 'string') return true;
	return /(?:z|gmt|utc|[+-]\d{2}:?\d{2})$/i.test(given.trim());
}

function parse(given: unknown, zone: string) {
	try {
		return tryToParseDateTime(given, zone);
	} catch {
		return undefined;
	}
}

function isUnixSeconds(given: unknown): boolean {
	return (
		typeof given === 'number' || (typeof given === 'string' && /^\d{9,11}$/.test(given.trim()))
	);
}
