/** Writes a moment as people read it in a mail: "Sat, 28 Nov 2026, 10:30 (Europe/Paris)". */
export function timeInWords(ms: number, zone = 'UTC'): string {
	const timeZone = isZone(zone) ? zone : 'UTC';
	const words = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		weekday: 'short',
		day: 'numeric',
		month: 'short',
		year: 'numeric',
		hour: '2-digit',
		minute: '2-digit',
	}).format(ms);
	return `${words} (${timeZone})`;
}

function isZone(zone: string): boolean {
	try {
		new Intl.DateTimeFormat('en-GB', { timeZone: zone });
		return true;
	} catch {
		return false;
	}
}
