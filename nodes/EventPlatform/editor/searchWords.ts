import type { INodeListSearchItems } from 'n8n-workflow';

/* Compares what people type into a list with what its choices show, such as "5 Dec 2026, 10:00 Paris · Europe · Product Tour". */

/** Looks for each typed word, whatever their order, letter case and accents. A date is found however it is written. */
export function isMeant({ name, description = '' }: INodeListSearchItems, typed: string): boolean {
	const line = plainText(`${name} ${description}`);
	return plainText(typed)
		.split(/\s+/)
		.every((word) => line.includes(word) || datesOf(word).some((date) => date.test(line)));
}

function plainText(words: string): string {
	return words
		.normalize('NFKD')
		.replace(/[\u0300-\u036f]/g, '')
		.toLowerCase();
}

const monthNames = [
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

/** The dates in choices that a word means: "december", "2026-12-05", "5.12." or "5.12.2026". */
function datesOf(word: string): RegExp[] {
	const month = monthNames.indexOf(word);
	if (month >= 0) return [new RegExp(`\\d ${shortMonth(month + 1)}\\b`)];
	const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(word);
	if (iso) return [dateInChoice(Number(iso[3]), Number(iso[2]), Number(iso[1]))];
	const dotted = /^(\d\d?)\.(\d\d?)\.?(\d{4})?$/.exec(word);
	if (!dotted) return [];
	const [, day, monthOfYear, year] = dotted;
	return [dateInChoice(Number(day), Number(monthOfYear), year ? Number(year) : undefined)];
}

function dateInChoice(day: number, month: number, year?: number): RegExp {
	const yearInChoice = year === undefined ? '' : ` ${year},`;
	return new RegExp(`(?<!\\d)${day} ${shortMonth(month)}\\b${yearInChoice}`);
}

function shortMonth(month: number): string {
	return monthNames[month - 1]?.slice(0, 3) ?? '$^';
}
