import type { CalendarEntry } from './calendarFile';

/* What this rests on: neither Google nor Microsoft documents these addresses. Many public programs make links of this form. */

export const calendarLinkColumns = [
	'google_calendar_link',
	'outlook_link',
	'office365_link',
] as const;

/** Pages of calendars on which people add an entry with a click: many programs for mail drop attached files. */
export type CalendarLinks = Record<(typeof calendarLinkColumns)[number], string | null>;

/**
 * Null where there is nothing to add: no date, or a session that was canceled. The description of the event is left out, because an address
 * has to be short.
 */
export function calendarLinksOf(entry?: CalendarEntry): CalendarLinks {
	if (entry === undefined || entry.isCanceled) {
		return { google_calendar_link: null, outlook_link: null, office365_link: null };
	}
	const { title, link, linkInWords, startsAt, endsAt } = entry;
	const [start, end] = [startsAt, endsAt].map((seconds) =>
		new Date(seconds * 1_000).toISOString().replace(/\.\d+/, ''),
	);
	const outlookQuery = writeQuery({
		path: '/calendar/action/compose',
		rru: 'addevent',
		subject: title,
		startdt: start,
		enddt: end,
		body: linkInWords,
		location: link,
	});
	const googleQuery = writeQuery({
		action: 'TEMPLATE',
		text: title,
		dates: `${start}/${end}`.replace(/[-:]/g, ''),
		details: linkInWords,
		location: link,
	});
	return {
		google_calendar_link: `https://calendar.google.com/calendar/render?${googleQuery}`,
		outlook_link: `https://outlook.live.com/calendar/0/deeplink/compose?${outlookQuery}`,
		office365_link: `https://outlook.office.com/calendar/0/deeplink/compose?${outlookQuery}`,
	};
}

/** A space is written as %20, because Outlook shows a "+". Half of a character, which no address can have, becomes a sign. */
function writeQuery(values: Record<string, string | undefined>): string {
	return Object.entries(values)
		.filter(([, value]) => value !== undefined)
		.map(
			([name, value = '']) => `${name}=${encodeURIComponent(value.replace(/\p{Cs}/gu, '\uFFFD'))}`,
		)
		.join('&');
}
