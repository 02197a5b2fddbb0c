import { pathTo } from '../client/path';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { listableTypes, typesOfContent, type ListedEvent } from '../events/eventTypes';
import { idOf, type DeliveredRecord } from '../records/record';
import { parseSeconds } from '../dialect/time';
import { text } from '../values/text';
import { daySeconds, type ContentBookmark, type Cursor } from './cursor';
import type { ListReading } from './news';
import { eventsIn, listDelivered, noneIfGone, type Round } from './round';

/** A list of what a session has, such as its recordings. */
export interface ContentList {
	path: string;
	recordType: string;
	session: DeliveredRecord;
}

/** Such a list as a poll has read it. */
export interface ContentReading extends ListReading {
	list: ContentList;
}

/**
 * Decides which lists are read: the recordings of sessions that have ended, and the questions of sessions that have begun.
 * Those come first that were read longest ago. Each costs a request in every poll, because a session does not show that
 * something has come into them.
 */
export function planContents(
	{ cursor, search }: Round,
	sessions: readonly DeliveredRecord[],
): ContentList[] {
	const recordTypes = typesOfContent.filter(
		(recordType) => listableTypes(search.eventTypes, recordType).length > 0,
	);
	const lists = recordTypes.flatMap((recordType) =>
		sessions
			.filter((session) => mayHave(recordType, session))
			.map((session) => ({ recordType, session, path: pathOf(session, recordType) })),
	);
	const readAt = ({ path }: ContentList) => cursor.contents?.[path]?.readAt ?? 0;
	return lists.sort((first, second) => readAt(first) - readAt(second));
}

function pathOf({ id }: DeliveredRecord, recordType: string): string {
	return pathTo`/sessions/${id}/${recordType}`;
}

function mayHave(recordType: string, { attributes }: DeliveredRecord): boolean {
	const hasEnded = parseSeconds(attributes.ended_at) !== undefined;
	if (recordType === 'recordings') return hasEnded;
	const isLive = text(attributes.status).toLowerCase() === 'live';
	return hasEnded || isLive || parseSeconds(attributes.started_at) !== undefined;
}

/** Reads a list of a session, and finds what is new in it. */
export async function readContents(round: Round, list: ContentList): Promise<ContentReading> {
	const listed = await eventsOfContents(round, list);
	const { cursor, search } = round;
	const bookmark = cursor.contents?.[list.path];
	const seen = readKeys(bookmark?.seen);
	const news = listed.filter((event) => {
		if (seen.has(seenKey(event)) || search.isDelivered?.(event) === true) return false;
		// Where no time tells, a record that was not there at the last poll has come since.
		return event.at >= cursor.startedAt || (event.isUntimed && bookmark !== undefined);
	});
	return { list, listed, news };
}

/** Finds the events that the records of a list of a session show. */
export async function eventsOfContents(
	round: Round,
	{ path, recordType, session }: ContentList,
): Promise<ListedEvent[]> {
	const records = await listDelivered(round.api, path, {}).catch(noneIfGone);
	const inSession = records.map((record) => withSession(record, session));
	return eventsIn(round, recordType, inSession, session.attributes);
}

/** Adds to a record the session and the event that it belongs to. */
function withSession(record: DeliveredRecord, session: DeliveredRecord): DeliveredRecord {
	const session_id = idOf('session', record) ?? session.id;
	const event_id = idOf('event', record) ?? idOf('event', session) ?? null;
	return { ...record, attributes: { ...record.attributes, session_id, event_id } };
}

/** The bookmarks when all events but those that are left over have started a run. A list that was not read for a day is forgotten. */
export function rememberContents(
	{ cursor, now }: Round,
	readings: readonly ContentReading[],
	leftOver: ReadonlySet<ListedEvent>,
): Cursor['contents'] {
	const recent = Object.entries(cursor.contents ?? {}).filter(
		([, { readAt }]) => now - readAt < daySeconds,
	);
	const next: Record<string, ContentBookmark> = Object.fromEntries(recent);
	for (const { list, listed } of readings) {
		const started = listed.filter((event) => !leftOver.has(event)).map(seenKey);
		const seenBefore = readKeys(cursor.contents?.[list.path]?.seen);
		next[list.path] = { readAt: now, seen: writeKeys([...seenBefore, ...started]) };
	}
	return next;
}
