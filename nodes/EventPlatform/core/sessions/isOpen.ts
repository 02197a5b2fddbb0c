import { seconds, text, type JsonObject } from '../http/json';

/** What the platform says of a session that people may still register for, attend or watch. */
const open = new Set(['upcoming', 'live', 'on_demand', 'not_started', 'not_scheduled']);

/** What it says of one that is over, canceled or not published, such as `past_not_started`. */
const closed = /^(?:past|ended|cancel|draft)/;

/**
 * Whether the people of a session may change at any time. The status decides wherever it is known, whatever times the
 * session has: one on demand has an end, and people register for it for years.
 */
export function isOpen({ status, ended_at, canceled_at }: JsonObject): boolean {
	const word = text(status).trim().toLowerCase();
	if (open.has(word)) return true;
	if (closed.test(word)) return false;
	return seconds(ended_at) === undefined && seconds(canceled_at) === undefined;
}
