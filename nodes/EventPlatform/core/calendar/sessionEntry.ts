import { attributesOf } from '../client/document';
import { phaseOf } from '../sessions/phase';
import type { SessionRead } from '../sessions/readSession';
import type { Json } from '../values/json';
import { text } from '../values/text';
import { parseSeconds } from '../dialect/time';
import type { CalendarEntry } from './calendarFile';
import { plainTextOf } from './plainText';

/** An entry lasts an hour where the event has no planned duration. */
const usualMinutes = 60;
/** A duration of more than two weeks is a mistake of somebody who entered seconds. */
const mostMinutes = 14 * 24 * 60;

/**
 * Makes the calendar entry of a session; undefined where it has no start. It begins at the planned start. It ends when the
 * event's planned duration is over, else after an hour, because the platform knows no planned end.
 *
 * `joinLink`: the personal link of the person who gets the file. Undefined: the entry links to the page of the event.
 */
export function entryOf(
	{ session, event = {} }: SessionRead,
	joinLink: string | undefined,
): CalendarEntry | undefined {
	const { estimated_started_at, started_at, canceled_at, created_at, updated_at, name, room_link } =
		attributesOf(session);
	const { title, description, registration_link, estimated_duration } = attributesOf(event);
	const startsAt = parseTime(estimated_started_at) ?? parseTime(started_at);
	if (startsAt === undefined) return undefined;
	const createdAt = parseTime(created_at);
	const changedAt = parseTime(updated_at);
	const eventPage = parseWebAddress(text(registration_link)) ?? parseWebAddress(text(room_link));
	const link = joinLink ?? eventPage;
	const paragraphs = [plainTextOf(text(description)), describeLink(link, joinLink !== undefined)];
	return {
		uid: `session-${text(session.id)}@n8n-nodes-event-platform`,
		title: [text(title).trim(), text(name).trim()].filter(Boolean).join(': ') || 'Webinar',
		description: paragraphs.filter(Boolean).join('\n\n') || undefined,
		link,
		startsAt,
		endsAt: startsAt + minutesOf(estimated_duration) * 60,
		// The sequence is the seconds from the creation to the last change, so that no counter has to be stored.
		sequence: Math.max(0, (changedAt ?? 0) - (createdAt ?? changedAt ?? 0)),
		createdAt,
		changedAt,
		isCanceled: phaseOf(session) === 'canceled' || parseTime(canceled_at) !== undefined,
	};
}

/** No time may be later than the beginning of 9999, because a year has four digits in a calendar file. */
const latestSeconds = Date.UTC(9999, 0) / 1_000;

function parseTime(time: Json | undefined): number | undefined {
	const seconds = parseSeconds(time);
	return seconds === undefined || seconds >= latestSeconds ? undefined : seconds;
}

function describeLink(link: string | undefined, isPersonal: boolean): string | undefined {
	if (link === undefined) return undefined;
	// Whoever has the personal link enters in the place of the person.
	return isPersonal ? `Your personal link, please do not share it: ${link}` : `More: ${link}`;
}

function minutesOf(planned: unknown): number {
	const minutes = typeof planned === 'number' ? planned : 0;
	return minutes > 0 && minutes <= mostMinutes ? minutes : usualMinutes;
}

/** Parses a web address, and writes it as it may stand in a file; undefined where the text is none. */
export function parseWebAddress(written: string): string | undefined {
	const address = written.trim();
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
	return new URL(address).href;
}
