import { largestPage } from '../http/paginate';
import { pathTo } from '../http/path';
import type { ApiRequest, Ask } from '../http/ports';
import { text } from '../http/text';
import { day, type Cursor, type View, type Wanted } from './cursor';
import { listed, lists, unlessGone, type Attempt } from './lists';
import {
	eventTitles,
	listDelivered,
	readDelivered,
	readTitled,
	seconds,
	withEvent,
	type DeliveredRecord,
} from './record';

/** Neither over nor hidden: upcoming, live, on demand, or without any time. */
export function isOpen({ attributes }: DeliveredRecord): boolean {
	const isOver = /^(?:past|ended|cancel|draft)/.test(text(attributes.status));
	return !isOver && !attributes.ended_at && !attributes.canceled_at;
}

/** People may have registered until one of these. */
const lastTimes = ['ended_at', 'canceled_at', 'estimated_started_at', 'created_at'];

/**
 * The sessions that are not over, and those that ended lately. The platform can only filter by the planned start, which
 * leaves out those that have none or are live for days. So all are listed once a day, or each time where that costs no
 * more, and what was open and is not listed any more is asked for by itself.
 */
export async function sessionsInView(
	api: Ask,
	attempt: Attempt,
	cursor: Cursor | undefined,
	{ kinds, filters: { sessionId, eventId }, endedWithinDays }: Wanted,
	now: number,
): Promise<{ sessions: DeliveredRecord[]; next?: View }> {
	if (listed(kinds, 'session', 'people').length === 0) return { sessions: [] };
	if (sessionId !== '') {
		const session = readDelivered(await readTitled(api, sessionId));
		return { sessions: session === undefined ? [] : [session] };
	}
	const { view } = cursor ?? {};
	// From the last poll, so that none is overlooked that ended while nobody polled.
	const oldest = Math.min(now, cursor?.polledAt ?? now) - endedWithinDays * day;
	const isDue = view === undefined || Math.abs(now - view.listedAt) >= day;
	let ofView = isDue || view.pages <= 1 + view.hidden ? undefined : view;
	const recent = { 'filter[date_from]': Math.max(0, Math.floor(oldest) - day) };
	const path = eventId === '' ? lists.sessions : pathTo`/events/${eventId}/sessions`;
	const list = (query: ApiRequest['query']) =>
		listDelivered(api, path, { query: { ...query, ...withEvent }, onPage: eventTitles });
	let sessions = await list(ofView ? recent : {});
	const shown = new Set(sessions.map(({ id }) => id));
	const hidden = (view?.open ?? []).filter((id) => !shown.has(id));
	if (ofView && hidden.length > ofView.pages) {
		ofView = undefined;
		sessions = await list({});
	}
	const unread: string[] = [];
	for (const id of ofView ? hidden : []) {
		const record = await attempt(readTitled(api, id).catch(unlessGone));
		const session = readDelivered(record);
		if (session) sessions.push(session);
		else if (record === undefined) unread.push(id);
	}
	const unsettled = new Set(view?.open);
	const inView = sessions.filter(
		(session) =>
			isOpen(session) ||
			unsettled.has(session.id) ||
			lastTimes.some((name) => (seconds(session.attributes[name]) ?? 0) >= oldest),
	);
	const pages = Math.ceil(sessions.length / largestPage);
	const next = ofView
		? { ...ofView, hidden: hidden.length }
		: { listedAt: now, pages, hidden: isDue ? 0 : Math.max(view.hidden, hidden.length) };
	const open = inView.filter(isOpen).map(({ id }) => id);
	return { sessions: inView, next: { ...next, open: [...open, ...unread] } };
}
