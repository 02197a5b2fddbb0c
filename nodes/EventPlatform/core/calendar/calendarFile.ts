import type { Seconds } from '../values/units';

/** All times are Unix seconds. */
export interface CalendarEntry {
	/** The id of the entry. It is the same in every file of a session, so that a calendar changes its entry and adds no other. */
	uid: string;
	title: string;
	description?: string;
	link?: string;
	/** A sentence with the link, which follows the description. */
	linkInWords?: string;
	startsAt: Seconds;
	endsAt: Seconds;
	/** A number that grows with each change of the session, so that calendars take the newer date. */
	sequence: number;
	isCanceled: boolean;
	/** How many minutes before the start calendars remind of it. Absent: as each of them is set. */
	reminderMinutes?: number;
}

/** The name of the program that made the file (RFC 5545, 3.7.3). */
const productId = '-//n8n-nodes-event-platform//Calendar File//EN';

/** Writes a calendar file (RFC 5545) that publishes entries. */
export function writeCalendarFile(
	entries: readonly CalendarEntry[],
	nowSeconds: Seconds,
	name?: string,
): string {
	const lines = [
		'BEGIN:VCALENDAR',
		'VERSION:2.0',
		textLine('PRODID', productId),
		'CALSCALE:GREGORIAN',
		// The file tells people dates, and asks nobody for an answer.
		'METHOD:PUBLISH',
		// NAME is of RFC 7986. Google, Apple and Outlook read the older one, and show the address of the calendar where it is missing.
		...(name === undefined ? [] : [textLine('NAME', name), textLine('X-WR-CALNAME', name)]),
		...entries.flatMap((entry) => entryLines(entry, nowSeconds)),
		'END:VCALENDAR',
	];
	return `${lines.join('\r\n')}\r\n`;
}

function entryLines(entry: CalendarEntry, nowSeconds: Seconds): string[] {
	const { link } = entry;
	const description = [entry.description, entry.linkInWords].filter(Boolean).join('\n\n');
	return [
		'BEGIN:VEVENT',
		textLine('UID', entry.uid),
		timeLine('DTSTAMP', nowSeconds),
		timeLine('DTSTART', entry.startsAt),
		timeLine('DTEND', entry.endsAt),
		`SEQUENCE:${entry.sequence}`,
		`STATUS:${entry.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
		textLine('SUMMARY', entry.title),
		...(description === '' ? [] : [textLine('DESCRIPTION', description)]),
		// Calendars show the place as a link to click; few show the address of an entry.
		...(link === undefined ? [] : [textLine('LOCATION', link), addressLine('URL', link)]),
		...reminderLines(entry),
		'END:VEVENT',
	];
}

/** A reminder shows the title, because it needs a text (RFC 5545, 3.6.6). Nobody is reminded of what was canceled. */
function reminderLines({ reminderMinutes, isCanceled, title }: CalendarEntry): string[] {
	if (reminderMinutes === undefined || isCanceled) return [];
	return [
		'BEGIN:VALARM',
		'ACTION:DISPLAY',
		textLine('DESCRIPTION', title),
		`TRIGGER:-PT${reminderMinutes}M`,
		'END:VALARM',
	];
}

/** A line may have 75 octets without its line break (RFC 5545, 3.1). */
const longestLineOctets = 75;

function textLine(name: string, value: string): string {
	return foldLine(`${name}:${escapeText(value)}`);
}

/** In an address nothing has to be escaped. */
function addressLine(name: string, address: string): string {
	return foldLine(`${name}:${address}`);
}

/** Writes a property with a moment, in UTC, so that no program needs to know a time zone. */
function timeLine(name: string, atSeconds: Seconds): string {
	const iso = new Date(atSeconds * 1_000).toISOString();
	return `${name}:${iso.replace(/[-:]|\.\d+/g, '')}`;
}

/** Escapes the characters that have a meaning in a file (RFC 5545, 3.3.11), and drops control characters, which no text may have. */
function escapeText(value: string): string {
	return value
		.replace(/\r\n?/g, '\n')
		.replace(/[^\P{Cc}\t\n]/gu, '')
		.replace(/[\\;,]/g, '\\$&')
		.replace(/\n/g, '\\n');
}

/** Folds a long line, which goes on in the next one behind a space (RFC 5545, 3.1). No character is cut into two. */
function foldLine(line: string): string {
	const encoder = new TextEncoder();
	let folded = '';
	let octets = 0;
	for (const character of line) {
		const octetsOfCharacter = encoder.encode(character).length;
		if (octets + octetsOfCharacter > longestLineOctets) {
			folded += '\r\n ';
			octets = 1;
		}
		folded += character;
		octets += octetsOfCharacter;
	}
	return folded;
}
