import { calendarLinksOf, type CalendarLinks } from './calendarLinks';
import { attributesOf } from '../client/document';
import { isCanceled } from '../sessions/phase';
import type { SessionRead } from '../sessions/readSession';
import type { Json, JsonObject } from '../values/json';
import { text } from '../values/text';
import { parseSeconds, plannedStart } from '../dialect/time';
import type { CalendarEntry } from './calendarFile';
import { plainTextOf } from './plainText';
import type { Seconds } from '../values/units';

/** An entry lasts an hour where the event has no planned duration. */
const usualMinutes = 60;
/** A longer duration than a day is a mistake of somebody who entered seconds: an hour would last 60. */
const mostMinutes = 24 * 60;

export interface EntrySettings {
	/** The personal link of the person who gets the file. Absent: the entry links to the page of the event. */
	joinLink?: string;
	sentence?: string;
	reminderMinutes?: number;
}

/**
 * Makes the calendar entry of a session; undefined where it has no start. It begins at the planned start. It ends when the
 * event's planned duration is over, else after an hour, because the platform knows no planned end.
 */
export function entryOf(
	{ session, event = {} }: SessionRead,
	{ joinLink, sentence, reminderMinutes }: EntrySettings,
	nowSeconds: Seconds,
): CalendarEntry | undefined {
	const attributes = attributesOf(session);
	const { started_at, updated_at, name, room_link } = attributes;
	const { title, description, registration_link, estimated_duration } = attributesOf(event);
	const startsAt = plannedStart(attributes) ?? parseSeconds(started_at);
	if (startsAt === undefined) return undefined;
	const eventPage = parseWebAddress(text(registration_link)) ?? parseWebAddress(text(room_link));
	const link = joinLink ?? eventPage;
	// Everybody who has the personal link enters as the person.
	const usualSentence = joinLink ? 'Your personal link, please do not share it:' : 'More:';
	const linkInWords = link && `${sentence ?? usualSentence} ${link}`;
	return {
		uid: `session-${text(session.id)}@n8n-nodes-event-platform`,
		// Titles often have a colon of their own.
		title: [text(title).trim(), text(name).trim()].filter(Boolean).join(' – ') || 'Webinar',
		description: plainTextOf(text(description)) || undefined,
		link,
		linkInWords,
		startsAt,
		endsAt: startsAt + plannedMinutes(estimated_duration) * 60,
		sequence: sequenceOf(parseSeconds(updated_at) ?? nowSeconds),
		isCanceled: isCanceled(session),
		reminderMinutes,
	};
}

/** What a trigger knows of a session, which holds the facts about its event, too. `joinLink`: the personal link of a person, where that was asked for. */
export function linksOfSession(facts: JsonObject, joinLink?: string): CalendarLinks {
	const { event_title: title = null, registration_link = null, estimated_duration = null } = facts;
	const event = { attributes: { title, registration_link, estimated_duration } };
	const entry = entryOf({ session: { attributes: facts }, event }, { joinLink }, 0);
	return calendarLinksOf(entry);
}

/** The beginning of 2020: no session was changed before, and the numbers stay small enough for calendars until 2088 (RFC 5545, 3.3.8). */
const firstSequenceAt = Date.UTC(2020, 0) / 1_000;

/** Makes a number of the last change that grows with each change (RFC 5545, 3.8.7.4), so that no counter has to be stored. */
function sequenceOf(changedAt: Seconds): number {
	return Math.max(0, Math.floor(changedAt) - firstSequenceAt);
}

function plannedMinutes(planned: Json | undefined): number {
	const minutes = Number(text(planned).trim());
	return minutes > 0 && minutes <= mostMinutes ? minutes : usualMinutes;
}

/** Parses a web address, and writes it as it may stand in a file; undefined where the text is none. */
export function parseWebAddress(written: string): string | undefined {
	const address = written.trim();
	if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
	return new URL(address).href;
}
