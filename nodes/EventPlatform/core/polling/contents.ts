import { pathTo } from '../client/path';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { listableTypes, typesOfContent, type ListedEvent } from '../events/eventTypes';
import { idOf, type DeliveredRecord } from '../records/record';
import { parseSeconds } from '../values/time';
import { text } from '../values/text';
import { daySeconds, type ContentBookmark, type Cursor } from './cursor';
import type { ListReading } from './news';
import { eventsIn, listDelivered, nullIfGone, type Round } from './round';

/** A list of what a session has, such as its recordings. */
export interface ContentList {
	path: string;
	recordType: string;
	session: DeliveredRecord;
}

/** A list that was read in a poll. */
export interface ContentReading extends ListReading {
	list: ContentList;
}

/**
 * Decides which lists are read, those first that were read longest ago: the recordings of sessions that have ended, and
 * the questions of those that have begun. Each costs a request in every poll, because a session does not show that
 * something has come into them.
 */
export function planContents(
	{ cursor, wanted }: Round,
	sessions: readonly DeliveredRecord[],
): ContentList[] {
	const recordTypes = typesOfContent.filter(
		(recordType) => listableTypes(wanted.eventTypes, recordType).length > 0,
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

/** Reads a list, and finds what is new in it. */
export async function readContents(round: Round, list: ContentList): Promise<ContentReading> {
	const shown = await eventsOfContents(round, list);
	const { cursor, wanted } = round;
	const bookmark = cursor.contents?.[list.path];
	const seen = readKeys(bookmark?.seen);
	const news = shown.filter((event) => {
		if (seen.has(seenKey(event)) || wanted.wasDelivered?.(event) === true) return false;
		// Where no time tells, what was not there at the last look has come since.
		return event.at >= cursor.startedAt || (event.isUntimed && bookmark !== undefined);
	});
	return { list, shown, news };
}

export async function eventsOfContents(
	round: Round,
	{ path, recordType, session }: ContentList,
): Promise<ListedEvent[]> {
	const records = (await listDelivered(round.api, path, {}).catch(nullIfGone)) ?? [];
	const inSession = records.map((record) => withSession(record, session));
	return eventsIn(round, recordType, inSession, session.attributes);
}

/** A record that says to which session and event it belongs. */
function withSession(record: DeliveredRecord, session: DeliveredRecord): DeliveredRecord {
	const session_id = idOf('session', record) ?? session.id;
	const event_id = idOf('event', record) ?? idOf('event', session) ?? null;
	return { ...record, attributes: { ...record.attributes, session_id, event_id } };
}

/** The bookmarks when all but these events have started a run. What was not read for a day is forgotten. */
export function rememberContents(
	{ cursor, now }: Round,
	readings: readonly ContentReading[],
	left: ReadonlySet<ListedEvent>,
): Cursor['contents'] {
	const kept = Object.entries(cursor.contents ?? {}).filter(
		([, { readAt }]) => now - readAt < daySeconds,
	);
	const next: Record<string, ContentBookmark> = Object.fromEntries(kept);
	for (const { list, shown } of readings) {
		const started = shown.filter((event) => !left.has(event)).map(seenKey);
		const before = readKeys(cursor.contents?.[list.path]?.seen);
		next[list.path] = { readAt: now, seen: writeKeys([...before, ...started]) };
	}
	return next;
}
