/** Writes a moment as short as a list or a sentence needs it: "29 Nov 10:00"; undefined where there is no such time or time zone. */
export function shortTime(ms: number, timeZone: string): string | undefined {
	try {
		const format = new Intl.DateTimeFormat('en-US', {
			timeZone,
			hourCycle: 'h23',
			day: 'numeric',
			month: 'short',
			year: 'numeric',
			hour: '2-digit',
			minute: '2-digit',
		});
		const parts = format.formatToParts(ms).map(({ type, value }) => [type, value] as const);
		const { day, month, year, hour, minute } = Object.fromEntries(parts);
		const isThisYear = Number(year) === new Date().getFullYear();
		return `${day} ${month}${isThisYear ? '' : ` ${year}`} ${hour}:${minute}`;
	} catch {
		return undefined;
	}
}
