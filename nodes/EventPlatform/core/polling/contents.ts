import { pathTo } from '../client/path';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import {
	hasHappenedSince,
	listableTypes,
	typesOfContent,
	type ListedEvent,
} from '../events/eventTypes';
import { idOf, type DeliveredRecord } from '../records/record';
import { parseSeconds } from '../dialect/time';
import { hasEnded, sessionStatus } from '../sessions/phase';
import { daySeconds, mostListedLateSeconds, type ContentBookmark, type Cursor } from './cursor';
import {
	compareTimes,
	eventsIn,
	listDelivered,
	noneIfGone,
	type PolledList,
	type Round,
} from './round';

/** A list of what a session has, such as its recordings. */
export interface ContentList {
	path: string;
	/** The type of the records, such as `recordings`. */
	recordType: string;
	session: DeliveredRecord;
}

/** So many lists of sessions that no poll looks at any more are remembered, which is about 100 kB. Those that were read longest ago are forgotten first. */
const mostOutOfView = 1_000;

export interface AllContents {
	planned: readonly ContentList[];
	polled: readonly PolledContents[];
}

export interface PolledContents extends PolledList {
	list: ContentList;
}

/**
 * Decides which lists are read: the recordings of sessions that have ended, and the questions of sessions that have begun. Lists
 * that were read longest ago come first. Each list costs a request in every poll, because a session does not show that something
 * has come into it.
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
			.filter((session) => mayHaveRecords(recordType, session))
			.map((session) => ({
				recordType,
				session,
				path: pathTo`/sessions/${session.id}/${recordType}`,
			})),
	);
	const readAt = ({ path }: ContentList) => cursor.contents?.[path]?.readAt;
	return lists.sort((first, second) => compareTimes(readAt(first), readAt(second)));
}

function mayHaveRecords(recordType: string, { attributes }: DeliveredRecord): boolean {
	if (hasEnded(attributes)) return true;
	if (recordType === 'recordings') return false;
	return sessionStatus(attributes) === 'live' || parseSeconds(attributes.started_at) !== undefined;
}

export async function pollContents(round: Round, list: ContentList): Promise<PolledContents> {
	const listed = await listContentEvents(round, list);
	const { cursor, search } = round;
	const bookmark = cursor.contents?.[list.path];
	const knownKeys = keysOfContents(bookmark);
	const sinceAt = bookmark?.sinceAt ?? beginContents(round, list);
	const news = listed.filter((event) => {
		if (knownKeys.has(seenKey(event)) || search.isDelivered?.(event) === true) return false;
		// Where a record has no time, it has come since the last poll if it was not in the list then.
		const isAddedSince = event.isUntimed && bookmark !== undefined;
		return hasHappenedSince(event, sinceAt) || isAddedSince;
	});
	return { list, listed, news };
}

/** From this time on, the records of a list without a bookmark are news. */
function beginContents(
	{ cursor: { startedAt, contentsForgottenAt = 0 } }: Round,
	{ recordType, session: { attributes } }: ContentList,
): number {
	const endedAt = parseSeconds(attributes.ended_at);
	const firstReadAt =
		recordType === 'recordings' ? endedAt : (parseSeconds(attributes.started_at) ?? endedAt);
	// A list that could be read before others were forgotten was read, and forgotten with them.
	const isForgotten = firstReadAt !== undefined && firstReadAt <= contentsForgottenAt;
	return isForgotten ? Math.max(startedAt, contentsForgottenAt) : startedAt;
}

function keysOfContents(bookmark: ContentBookmark | undefined): Set<string> {
	return new Set([...readKeys(bookmark?.seen), ...readKeys(bookmark?.kept)]);
}

export async function listContentEvents(
	round: Round,
	{ path, recordType, session }: ContentList,
): Promise<ListedEvent[]> {
	const records = await listDelivered(round.api, path, {}).catch(noneIfGone);
	const recordsOfSession = records.map((record) => withSession(record, session));
	return eventsIn(round, recordType, recordsOfSession, session.attributes);
}

/** Adds to a record the session and the event that it belongs to. */
function withSession(record: DeliveredRecord, session: DeliveredRecord): DeliveredRecord {
	const session_id = idOf('session', record) ?? session.id;
	const event_id = idOf('event', record) ?? idOf('event', session) ?? null;
	return { ...record, attributes: { ...record.attributes, session_id, event_id } };
}

export function moveAllContents(
	{ cursor, nowSeconds }: Round,
	{ planned, polled }: AllContents,
	leftOver: ReadonlySet<ListedEvent>,
): Pick<Cursor, 'contents' | 'contentsForgottenAt'> {
	const next = new Map(Object.entries(cursor.contents ?? {}));
	for (const [path, bookmark] of next) next.set(path, forgetContents(bookmark, nowSeconds));
	for (const { list, listed } of polled) {
		const started = listed.filter((event) => !leftOver.has(event));
		// The lists that were read longest ago come first.
		next.delete(list.path);
		next.set(list.path, moveContents(cursor.contents?.[list.path], started, nowSeconds));
	}
	const inView = new Set(planned.map(({ path }) => path));
	const outOfView = [...next].filter(([path]) => !inView.has(path));
	let { contentsForgottenAt } = cursor;
	for (const [path, { readAt }] of outOfView.slice(0, -mostOutOfView)) {
		next.delete(path);
		contentsForgottenAt = Math.max(contentsForgottenAt ?? 0, readAt);
	}
	return { contents: Object.fromEntries(next), contentsForgottenAt };
}

function moveContents(
	bookmark: ContentBookmark | undefined,
	started: readonly ListedEvent[],
	nowSeconds: number,
): ContentBookmark {
	const mayBeLate = (event: ListedEvent) =>
		event.isUntimed || hasHappenedSince(event, nowSeconds - mostListedLateSeconds);
	const kept = writeKeys(started.filter(mayBeLate).map(seenKey));
	const keptKeys = readKeys(kept);
	const seen = [...keysOfContents(bookmark), ...started.map(seenKey)];
	return {
		readAt: nowSeconds,
		sinceAt: bookmark?.sinceAt,
		seen: writeKeys(seen.filter((key) => !keptKeys.has(key))),
		kept,
	};
}

/**
 * Forgets what a list has shown that was not read for a day. The time up to which it was read is kept, so that nothing is told
 * again when it is read at last.
 */
function forgetContents(bookmark: ContentBookmark, nowSeconds: number): ContentBookmark {
	const { readAt, sinceAt = 0, kept } = bookmark;
	if (nowSeconds - readAt < daySeconds || kept === undefined) return bookmark;
	const laterSinceAt = Math.max(sinceAt, readAt - mostListedLateSeconds);
	return { readAt, sinceAt: laterSinceAt, seen: '', kept };
}
