import { text } from '../values/text';
import { attributesOf } from '../client/document';
import { shortTime } from '../values/dates';
import { plannedStart } from '../dialect/time';
import type { SessionRead } from './readSession';

/** Names a session as people know it, rather than by its ID: "'Product Tour' (29 Nov 10:00 Europe/Paris)". `zone`: the time zone for sessions that name none. */
export function sessionName({ session, event }: SessionRead, zone: string): string {
	const attributes = attributesOf(session);
	const { name, timezone } = attributes;
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const ownZone = text(timezone) || zone;
	const startsAt = plannedStart(attributes);
	const time = startsAt === undefined ? undefined : shortTime(startsAt * 1_000, ownZone);
	const title = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	return time === undefined ? title : `${title} (${time} ${ownZone})`;
}
