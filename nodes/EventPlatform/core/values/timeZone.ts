/** Whether JavaScript knows the time zone with this name, such as "Europe/Paris". */
export function isTimeZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en-US', { timeZone: name });
		return true;
	} catch {
		return false;
	}
}
