/*
 * The one mechanism of polling: a list is watched. `lists.ts` says which lists there are, and what their sessions show of them.
 *
 *   due       it was never read, its session shows something else than it did, or it is to be read again
 *   news      its event has a time from `sinceAt` on, or its key was not there before: `news.ts`
 *   moved     what has started a run is remembered; `sinceAt` follows the times of what was told
 */
import { asFailure } from '../client/failure';
import { hasNoSuchPage, largestPage, readPages, saysNothingPasses } from '../client/pages';
import { readKeys, seenKey, writeKeys } from '../events/eventKey';
import { hasHappenedSince, type ListedEvent } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { hasAttendanceSettled, settlesAfterSeconds } from '../sessions/phase';
import { addAll, largestOf } from '../values/collections';
import type { JsonObject } from '../values/json';
import {
	daySeconds,
	mostEventsInRun,
	mostListedLateSeconds,
	fullListOf,
	type Bookmark,
	type Cursor,
} from './cursor';
import { makeNewsTest } from './news';
import { changedQuery, goneIfNotFound, requireFilterRefusal, type Round } from './round';
import type { Seconds } from '../values/units';

export interface Watch {
	path: string;
	session?: DeliveredRecord;
	/** What its session shows of it. Absent: the list is read in every poll. */
	shown?: string;
	/** Nothing can be in it. */
	isEmpty: boolean;
	/** Since when it could be read: a list from before that has no bookmark was forgotten. Absent: always. */
	readableSince?: number;
	/** What is in it is new, unless its key is known. */
	isWhole: boolean;
	/** The platform can be asked for what has changed in it. `known`: only once everybody who was there before is known. */
	filter: 'never' | 'known' | 'always';
	/** The session has ended since polling began, and attendance is wanted. */
	endedAt?: Seconds;
	/** The path is that of one record, which is read until its event has started a run. */
	isOneRecord?: boolean;
	/** No bookmark moves beyond this, because some records are listed late. */
	notBeyondAt?: Seconds;
	eventsOf(round: Round, records: readonly JsonObject[]): ListedEvent[];
}

/** A list that was read, or a part of it. */
export interface Polled {
	watch: Watch;
	before: Bookmark;
	/** What was asked for. Absent: everything. */
	sinceAt?: Seconds;
	firstPage: number;
	/** The page from which on it is still to be read. Absent: it was read to its end. */
	restPage?: number;
	/**
	 * The platform says that there is no such list, although it shows the session, or refuses it without words: nothing of it is known, and
	 * the next read begins where this one did.
	 */
	isMissing?: true;
	/** Who stayed away is told with it. */
	settles?: true;
	listed: ListedEvent[];
	news: ListedEvent[];
}

export function bookmarkOf({ cursor, search, nowSeconds }: Round, watch: Watch): Bookmark {
	const stored = cursor.lists[watch.path];
	if (stored) return { ...stored, isWhole: stored.isWhole || watch.isWhole, missedAt: undefined };
	const { startedAt, polledAt } = cursor;
	// A session that only the list of all sessions shows was last seen when that list was read.
	const lastAt = Math.min(polledAt, fullListOf(cursor, search)?.listedAt ?? polledAt);
	const isNew =
		watch.readableSince !== undefined && watch.readableSince >= lastAt - mostListedLateSeconds;
	const sinceAt = isNew ? startedAt : Math.max(startedAt, lastAt - mostListedLateSeconds);
	return {
		sinceAt: Math.min(sinceAt, Math.max(startedAt, nowSeconds)),
		seen: '',
		isWhole: watch.isWhole,
	};
}

/** The read of a list that is due; undefined where nothing is to be read. */
export function dueRead(
	{ nowSeconds }: Round,
	watch: Watch,
	before: Bookmark,
): (Pick<Polled, 'sinceAt' | 'firstPage'> & { isDaily?: boolean }) | undefined {
	const { page, askedSinceAt, againAt = Infinity, kept, sinceAt, readAt, triedAt } = before;
	if (watch.isEmpty) return undefined;
	if (page !== undefined) return { firstPage: page, sinceAt: askedSinceAt };
	const hasChanged = watch.shown === undefined || watch.shown !== before.shown;
	// One person may have left when another one came.
	const isOld = nowSeconds - (readAt ?? triedAt ?? nowSeconds) >= daySeconds;
	if (!hasChanged && againAt > nowSeconds && !isOld) return undefined;
	if (watch.isOneRecord && kept) return undefined;
	const mayFilter = watch.filter === 'always' || (watch.filter === 'known' && kept !== undefined);
	const isDaily = !hasChanged && againAt > nowSeconds;
	if (!mayFilter || watch.endedAt !== undefined) return { firstPage: 0, isDaily };
	// Where polling begins at this moment, nothing has come since.
	if (readAt === undefined && kept === undefined && sinceAt >= nowSeconds) return undefined;
	const since = readAt === undefined ? sinceAt : Math.max(sinceAt, readAt - mostListedLateSeconds);
	return { firstPage: 0, sinceAt: since, isDaily };
}

/** Reads a list that is due, until the time is over. Of attendance, which has no order, no more than one run can take. */
export async function readWatch(
	round: Round,
	watch: Watch,
	before: Bookmark,
	{ sinceAt, firstPage }: Pick<Polled, 'sinceAt' | 'firstPage'>,
): Promise<Polled> {
	const polled: Polled = { watch, before, sinceAt, firstPage, listed: [], news: [] };
	const isNews = makeNewsTest(round, before);
	let nextPage = firstPage;
	try {
		for await (const page of pagesOf(round, watch, sinceAt, firstPage)) {
			const events = watch.eventsOf(round, page.records);
			addAll(polled.listed, events);
			addAll(polled.news, events.filter(isNews));
			nextPage = Math.max(nextPage, (page.number ?? 0) + 1);
			if (watch.endedAt !== undefined && polled.news.length > mostEventsInRun - largestPage)
				return withAbsent(round, { ...polled, restPage: nextPage });
		}
		return withAbsent(round, polled);
	} catch (error) {
		const failure = asFailure(error);
		if (failure.cause === 'not_found' || hasNoSuchPage(failure))
			return withAbsent(round, { ...polled, isMissing: true });
		if (round.limits.isTimeOver() && nextPage > firstPage)
			return withAbsent(round, { ...polled, restPage: nextPage });
		if (sinceAt === undefined) throw failure;
		if (saysNothingPasses(failure)) return withAbsent(round, polled);
		requireFilterRefusal(failure);
		return await readWatch(round, watch, before, { firstPage: 0 });
	}
}

async function* pagesOf(
	{ ask }: Round,
	{ path, isOneRecord }: Watch,
	sinceAt: Seconds | undefined,
	firstPage: number,
): AsyncGenerator<{ records: JsonObject[]; number?: number }> {
	if (!isOneRecord) {
		const query = changedQuery(sinceAt);
		yield* readPages(ask, path, { query, firstPage, isEmptyInWordsOnly: true });
		return;
	}
	const response = await ask({ method: 'GET', path }).catch(goneIfNotFound);
	if (response !== 'gone') yield { records: [response.body as JsonObject] };
}

/** Nobody is absent before attendance has settled: an hour after the end, and when nothing changes any more. */
function withAbsent({ nowSeconds }: Round, polled: Polled): Polled {
	const { watch, before, news } = polled;
	if (watch.endedAt === undefined || before.isSettled) return polled;
	// What is first read so late needs no second look.
	const isLate = before.readAt === undefined || before.readAt < watch.endedAt;
	const isStill =
		isLate ||
		(watch.shown === before.shown && !news.some(({ attendance }) => attendance === 'came'));
	// Who is on the pages before was not told either.
	const goesOnFromEarly = polled.firstPage > 0 && before.isEarly === true;
	if (isStill && !goesOnFromEarly && hasAttendanceSettled(watch.endedAt, nowSeconds))
		return { ...polled, settles: true };
	const isPresent = ({ attendance }: ListedEvent) => attendance !== 'stayedAway';
	return { ...polled, listed: polled.listed.filter(isPresent), news: news.filter(isPresent) };
}

/** The bookmark once all events but those that are left over have started a run. */
export function moveBookmark(
	{ nowSeconds }: Round,
	polled: Polled,
	leftOver: ReadonlySet<ListedEvent>,
): Bookmark {
	const { watch, before, listed, sinceAt: askedSinceAt, firstPage, restPage, isMissing } = polled;
	const told = listed.filter((event) => !leftOver.has(event));
	const isPart = firstPage > 0 || restPage !== undefined;
	const hasLeft = told.length < listed.length;
	const timed = told.filter(({ isUntimed }) => !isUntimed);
	const times = timed.flatMap(({ happenedAtSeconds: at = 0 }) => (at <= nowSeconds ? at : []));
	// A bookmark at a time to come would leave out all that happens until then.
	const latestAt = Math.min(largestOf([before.sinceAt, ...times]), watch.notBeyondAt ?? nowSeconds);
	// A list is in any order: the pages that were not read may hold events from before those that were.
	const sinceAt = isPart
		? before.sinceAt
		: Math.max(before.sinceAt, latestAt - mostListedLateSeconds);
	// An event that was not listed this time may still have happened after `sinceAt`.
	const mayShowMore =
		sinceAt === before.sinceAt || (askedSinceAt !== undefined && askedSinceAt > sinceAt);
	const seen = timed.filter((event) => hasHappenedSince(event, sinceAt)).map(seenKey);
	const untimed = told.filter(({ isUntimed }) => isUntimed).map(seenKey);
	const isEverything = restPage === undefined && askedSinceAt === undefined && !isMissing;
	const next: Bookmark = {
		...before,
		sinceAt,
		seen: writeKeys([...(mayShowMore ? readKeys(before.seen) : []), ...seen]),
		kept:
			isMissing && untimed.length === 0
				? before.kept
				: writeKeys([...readKeys(before.kept), ...untimed]),
		isWhole: before.isWhole || isEverything,
		triedAt: nowSeconds,
		page: undefined,
		askedSinceAt: undefined,
		isEarly: undefined,
	};
	if (restPage !== undefined || (hasLeft && isPart)) {
		// The list may have become shorter meanwhile, so that the page before is read again; but each poll gets a page further than it began.
		const page =
			hasLeft || restPage === undefined
				? firstPage
				: Math.max(restPage - 1, Math.min(restPage, firstPage + 1));
		const isEarly = watch.endedAt !== undefined && !before.isSettled && !polled.settles;
		return { ...next, page, askedSinceAt, isEarly };
	}
	if (hasLeft) return { ...next, againAt: nowSeconds };
	const readAt = isMissing ? before.readAt : nowSeconds;
	return { ...next, ...readAgain(polled, nowSeconds), shown: watch.shown, readAt };
}

/** When a list that was read to its end is read again: ten minutes after a change, and until attendance has settled. */
function readAgain(
	{ watch: { shown, endedAt }, before, news, settles }: Polled,
	nowSeconds: Seconds,
): Pick<Bookmark, 'againAt' | 'isSettled'> {
	const isSettled = before.isSettled || settles;
	const waits = endedAt !== undefined && !isSettled;
	if (shown === undefined && !waits) return { isSettled };
	const hasChanged = shown !== before.shown || news.some(({ attendance }) => attendance === 'came');
	if (hasChanged) return { isSettled, againAt: nowSeconds + mostListedLateSeconds };
	return { isSettled, againAt: waits ? endedAt + settlesAfterSeconds : undefined };
}

/** A list that was not to be read: what its session shows is known all the same, unless it has still to be read. */
export function keepBookmark(watch: Watch, before: Bookmark, nowSeconds: Seconds): Bookmark {
	// Of one that was tried and is missing nothing is known.
	const knownAt = before.triedAt === undefined ? nowSeconds : undefined;
	return { ...before, shown: watch.shown, readAt: before.readAt ?? knownAt };
}

/** The bookmarks of lists that this poll did not watch, without those that were missed for a day. A job stays ended. */
export function missedLists(
	{ cursor, nowSeconds }: Round,
	watched: ReadonlySet<string>,
): Cursor['lists'] {
	const next: Cursor['lists'] = {};
	for (const [path, before] of Object.entries(cursor.lists)) {
		if (watched.has(path)) continue;
		const { missedAt = nowSeconds } = before;
		if (path.startsWith('/jobs/')) next[path] = before;
		else if (nowSeconds - missedAt < daySeconds) next[path] = { ...before, missedAt };
	}
	return next;
}

/** The list has not told all of what has happened. A second look, which `isUnfinished` waits for as well, only makes sure that nothing is missing. */
export function hasUntold({ endedAt, shown, isEmpty }: Watch, next: Bookmark): boolean {
	if (isEmpty) return false;
	const isOpen = endedAt !== undefined && next.isSettled !== true;
	return next.page !== undefined || shown !== next.shown || isOpen;
}

/** Something of the list is still to be read, however long ago its session has ended. */
export function isUnfinished({ shown, isEmpty }: Watch, next: Bookmark): boolean {
	if (isEmpty) return false;
	return next.page !== undefined || next.againAt !== undefined || shown !== next.shown;
}
