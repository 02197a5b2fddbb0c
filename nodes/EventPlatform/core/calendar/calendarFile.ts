import { addressLine, textLine, timeLine } from './contentLine';

/** The entry of a session in a calendar. All times are Unix seconds. */
export interface CalendarEntry {
	/** The id of the entry. It is the same in every file of a session, so that a calendar changes its entry and adds no other. */
	uid: string;
	/** The title of the event, with the name of the session. */
	title: string;
	/** The description in plain text. Absent: there is none. */
	description?: string;
	/** The page where people enter or register. Absent: the platform names none. */
	link?: string;
	startsAt: number;
	endsAt: number;
	/** A number that grows with each change of the session, so that calendars take the newer date. */
	sequence: number;
	/** When the session was created. Absent: the platform does not tell. */
	createdAt?: number;
	/** When the session was last changed. Absent: the platform does not tell. */
	changedAt?: number;
	isCanceled: boolean;
}

/** The name of the program that made the file (RFC 5545, 3.7.3). */
const productId = '-//n8n-nodes-event-platform//Calendar File//EN';

/** Writes a calendar file (RFC 5545) that publishes one entry. `madeAt`: now, in Unix seconds. */
export function writeCalendarFile(entry: CalendarEntry, madeAt: number): string {
	const { createdAt, changedAt, description, link } = entry;
	const lines = [
		'BEGIN:VCALENDAR',
		'VERSION:2.0',
		textLine('PRODID', productId),
		'CALSCALE:GREGORIAN',
		// The file tells people the date, and asks nobody for an answer.
		'METHOD:PUBLISH',
		'BEGIN:VEVENT',
		textLine('UID', entry.uid),
		timeLine('DTSTAMP', madeAt),
		timeLine('DTSTART', entry.startsAt),
		timeLine('DTEND', entry.endsAt),
		`SEQUENCE:${entry.sequence}`,
		...(createdAt === undefined ? [] : [timeLine('CREATED', createdAt)]),
		...(changedAt === undefined ? [] : [timeLine('LAST-MODIFIED', changedAt)]),
		`STATUS:${entry.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
		textLine('SUMMARY', entry.title),
		...(description === undefined ? [] : [textLine('DESCRIPTION', description)]),
		// Calendars show the place as a link to click; few show the address of an entry.
		...(link === undefined ? [] : [textLine('LOCATION', link), addressLine('URL', link)]),
		'END:VEVENT',
		'END:VCALENDAR',
	];
	return `${lines.join('\r\n')}\r\n`;
}
