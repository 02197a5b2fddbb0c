import { attributesOf } from '../../core/http/jsonApi';
import { text } from '../../core/http/text';
import type { SessionRead } from '../../core/sessions/readSession';
import { shownTime } from '../../parameters/dates';

/** "'Product Tour' (29 Nov 10:00 Europe/Paris)": the session as people know it, rather than its id. */
export function sessionName({ session, event }: SessionRead, workflowZone: string): string {
	const { name, estimated_started_at: start, timezone } = attributesOf(session);
	const titles = [event ? text(attributesOf(event).title) : '', text(name)].filter(Boolean);
	const zone = text(timezone) || workflowZone;
	const time = Number(start) > 0 ? shownTime(start, zone) : undefined;
	const what = titles.length > 0 ? `'${titles.join(', ')}'` : `The session ${text(session.id)}`;
	return time === undefined ? what : `${what} (${time} ${zone})`;
}
