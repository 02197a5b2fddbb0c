import { isTimeZone } from '../values/timeZone';

/** Writes a time in Unix seconds as people read it in a mail: "Sat, 28 Nov 2026, 10:30 (Europe/Paris)". */
export function timeInWords(seconds: number, zone = 'UTC'): string {
	const timeZone = isTimeZone(zone) ? zone : 'UTC';
	const words = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
	}).format(seconds * 1_000);
	return `${words} (${timeZone})`;
}
