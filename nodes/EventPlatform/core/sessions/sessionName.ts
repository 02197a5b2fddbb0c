import { text } from '../values/text';
import { attributesOf } from '../client/document';
import { shortTime } from '../values/shortTime';
import { unixMs } from '../dialect/time';
import type { SessionRead } from './readSession';

/** Names a session as people know it, rather than by its ID: "'Product Tour' (29 Nov 10:00 Europe/Paris)". `zone`: the time zone for sessions that name none. */
export function sessionName({ session, event }: SessionRead, zone: string): string {
	const { name, estimated_started_at: start, timezone } = attributesOf(session);
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const ownZone = text(timezone) || zone;
	const startMs = unixMs(Number(start));
	const time = startMs > 0 ? shortTime(startMs, ownZone) : undefined;
	const title = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	return time === undefined ? title : `${title} (${time} ${ownZone})`;
}
