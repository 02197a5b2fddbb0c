/** Gives every day that a text may mean, as 2026-11-28: two days for "03/04/2026", one for "13/04/2026", none for anything else. */
export function daysIn(text: string): string[] {
	const days = notations.flatMap((notation) => {
		const { year, month = '', day } = notation.exec(text)?.groups ?? {};
		const monthNumber = Number(month) || monthNamed(month);
		const date = new Date(Date.UTC(Number(year), monthNumber - 1, Number(day)));
		// A month or a day that does not exist would become another date.
		const isDay = date.getUTCMonth() === monthNumber - 1 && date.getUTCDate() === Number(day);
		return isDay ? date.toISOString().slice(0, 10) : [];
	});
	return [...new Set(days)];
}

/** The orders in which people write year, month and day. Where two numbers stand in front, either may be the month. */
const notations = [
	/^(?<year>[12]\d{3})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})$/,
	/^(?<day>\d{1,2})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<year>[12]\d{3})$/,
	/^(?<month>\d{1,2})(?<mark>[-/.])(?<day>\d{1,2})\k<mark>(?<year>[12]\d{3})$/,
	/^(?<day>\d{1,2})\.? (?<month>[a-z]{3,9})\.? (?<year>[12]\d{3})$/i,
	/^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>[12]\d{3})$/i,
];

const months = [
	'january',
	'february',
	'march',
	'april',
	'may',
	'june',
	'july',
	'august',
	'september',
	'october',
	'november',
	'december',
];

/** Gives 1 to 12 for an English name or its first three letters; 0 for any other text. */
function monthNamed(name: string): number {
	const plain = name.toLowerCase();
	return months.findIndex((month) => month === plain || month.slice(0, 3) === plain) + 1;
}
