/*
 * The lists of one poll: those that are due are read, the oldest events are taken, and the cursor moves past them.
 */
import { asFailure, Failure } from '../../client/failure';
import type { Ask } from '../../client/request';
import { listableTypes, listPaths, type ListedEvent } from '../../events/eventTypes';
import type { Seconds } from '../../values/units';
import { beginRound, type PollContext, type Round } from '../pollContext';
import { listDelivered } from '../pollRequests';
import {
	afterRead,
	bookmarkOf,
	cutShort,
	dueRead,
	failed,
	hasUntold,
	isUnfinished,
	lastTriedAt,
	missed,
	mustWait,
	notDue,
	type Bookmark,
} from './bookmark';
import { lookedAt, mostEventsInRun, type Cursor } from './cursor';
import { compareHappened, compareTimes, makeNewsTest, withAbsent } from './isNews';
import { readList } from './readList';
import { withRegistrationTimes } from './registrationTimes';
import { readSessionsInView, type SessionsInView } from './sessionsInView';
import type { Polled, Watch, WatchRead } from './watch';
import { watchedLists, workspaceList } from './watchedLists';

export interface News {
	/** The new events, oldest first. */
	news: ListedEvent[];
	/** The failures of lists that could not be read. These lists keep their bookmarks. */
	failures: Failure[];
}

export interface ListNews extends News {
	/** The cursor to store when the news have started their run. Absent: no response has told from when on an event is news. */
	next?: Cursor;
	/** Something that has happened has not started a run yet. */
	hasUntold: boolean;
	/** What happened until then stood in the lists that were read, unless it came late. */
	readUntil: Seconds;
}

type ReadInView = (askForList: Ask) => Promise<SessionsInView>;

/** The sessions in view are listed when somebody first needs them, as patiently as that one asks, and once. */
export function whenNeeded(context: PollContext, stored: Cursor | undefined): ReadInView {
	let inView: Promise<SessionsInView> | undefined;
	return (askForList) => (inView ??= readSessionsInView(beginRound(context, stored), askForList));
}

/** Finds what is new in the lists that are due, as many events as one run can take. */
export async function pollLists(
	context: PollContext,
	stored: Cursor | undefined,
	readInView: ReadInView,
	mostEvents = mostEventsInRun,
): Promise<ListNews> {
	const { ask, search, tryToRead, keepFailure, failures, time } = context;
	const inView = await tryToRead(readInView(ask));
	// A new trigger begins by the platform's time, which the list of sessions has told, unless events alone are wanted. A job needs no time.
	const needsTime = stored === undefined && search.startFrom === undefined;
	if (needsTime && !time.hasResponded && listableTypes(search.eventTypes, 'events').length > 0)
		await tryToRead(listDelivered(ask, listPaths.events, { limit: 1 }));
	const round = await withRegistrationTimes(beginRound(context, stored), inView?.sessions ?? []);
	const lists = await readLists(round, inView);
	// By now a response has told the platform's time, up to which the lists were read.
	const { nowSeconds } = time;
	const { next, ...taken } = takeOldest({ ...round, nowSeconds }, lists, mostEvents);
	const isBegun = stored !== undefined || search.startFrom !== undefined || time.hasResponded;
	// Where not even the sessions could be listed in time, or a limit has kept out all that was due, people have to hear of it: it may do so in each
	// poll.
	const { outOfTime } = time;
	const isSaid = inView === undefined || (lists.unread.size > 0 && areKeptOut(round, lists));
	if (outOfTime && isSaid) keepFailure(outOfTime);
	return { ...taken, next: isBegun ? next : undefined, failures, readUntil: nowSeconds };
}

interface WatchedList {
	watch: Watch;
	bookmark: Bookmark;
}

interface PolledLists {
	/** Absent: the sessions could not be listed. */
	inView?: SessionsInView;
	watched: WatchedList[];
	polled: Map<string, Polled>;
	/** The lists that were due and were not read, by path, and their bookmarks. */
	unread: Map<string, Bookmark>;
}

/** Reads the lists that are due until the time is over. */
async function readLists(round: Round, inView: SessionsInView | undefined): Promise<PolledLists> {
	const { cursor, search, nowSeconds } = round;
	const { startedAt } = cursor;
	const beginning = { startedAt, lookedAt: lookedAt(cursor, search, nowSeconds) };
	const withBookmark = (watch: Watch): WatchedList => ({
		watch,
		bookmark: bookmarkOf(cursor.lists[watch.path], watch, beginning),
	});
	const watched = watchedLists(round, inView?.sessions ?? []).map(withBookmark);
	const due = findDue(watched, nowSeconds);
	const polled = new Map<string, Polled>();
	const unread = new Map<string, Bookmark>();
	if (inView && listableTypes(search.eventTypes, 'sessions').length > 0) {
		const sessions = withBookmark(workspaceList(round, 'sessions'));
		watched.push(sessions);
		polled.set(sessions.watch.path, sessionsOf(round, sessions, inView));
	}
	for (const list of due) {
		const { path } = list.watch;
		const result = await readDue(round, list);
		if ('watch' in result) polled.set(path, result);
		else unread.set(path, result);
	}
	return { inView, watched, polled, unread };
}

/** Others use up the limit per second, so that no list was read but that of the sessions. */
function areKeptOut({ time }: Round, { polled }: PolledLists): boolean {
	return time.isLimited && [...polled.keys()].every((path) => path === listPaths.sessions);
}

/** The sessions are read already. */
function sessionsOf(
	round: Round,
	{ watch, bookmark }: WatchedList,
	{ sessions, isAll }: SessionsInView,
): Polled {
	const listed = watch.eventsOf(sessions);
	const news = listed.filter(makeNewsTest(round, bookmark));
	return { watch, read: { firstPage: 0 }, end: 'reached', isPart: !isAll, listed, news };
}

interface DueList extends WatchedList {
	read: WatchRead;
}

/** Of the lists in which nothing shows news, one poll reads so many: five requests delay the next poll of a lone trigger by 67 minutes. */
const mostUnchanged = 5;

/** Finds the lists that are due. Those that were read or tried longest ago come first. */
function findDue(watched: readonly WatchedList[], nowSeconds: Seconds): DueList[] {
	const due = watched.flatMap((list) => {
		const read = dueRead(list.bookmark, list.watch, nowSeconds);
		return read ? { ...list, read } : [];
	});
	due.sort((first, second) =>
		compareTimes(lastTriedAt(first.bookmark), lastTriedAt(second.bookmark)),
	);
	const unchanged = due.filter(({ read }) => read.isUnchanged).slice(0, mostUnchanged);
	return [...due.filter(({ read }) => !read.isUnchanged), ...unchanged];
}

/**
 * Reads a list, unless the time is over or it has to wait; gives its bookmark where it was not read. Where another one of its kind was refused, it counts
 * as not tried, so that the next poll reads it before that one.
 */
async function readDue(
	round: Round,
	{ watch, bookmark: before, read }: DueList,
): Promise<Polled | Bookmark> {
	const { limits, tryToRead, isKindRefused, nowSeconds } = round;
	if (limits.isTimeOver() || isKindRefused(watch.path)) return before;
	if (mustWait(before, nowSeconds)) return before;
	const isNews = makeNewsTest(round, before);
	const reading = readList(round, watch, read, isNews).catch((error: unknown) => {
		const { cause } = asFailure(error);
		// A list that takes all the time is no failure. A job that is not known is none either: people may have named it too early, or mistyped it.
		const isUnknownJob = watch.isOneRecord && cause === 'not_found';
		// Nor is it that page 0 does not exist (4.2), where no count of the session tells of records: the list may have none yet.
		const mayBeEmpty = cause === 'page_out_of_range' && watch.shown === undefined;
		const isOutOfTime = limits.isTimeOver() && error instanceof Failure;
		if (isUnknownJob || mayBeEmpty || isOutOfTime) return undefined;
		throw error;
	});
	const polled = await tryToRead(reading);
	if (polled) return withAbsent(before, polled, nowSeconds);
	return limits.isTimeOver() ? cutShort(before, nowSeconds) : failed(before, nowSeconds);
}

/** Takes as many events as one run can hold, the oldest first, and moves the cursor past them. */
function takeOldest(
	round: Round,
	lists: PolledLists,
	mostEvents: number,
): Pick<Required<ListNews>, 'news' | 'next' | 'hasUntold'> {
	const { watched, polled, unread } = lists;
	const allNews = [...polled.values()].flatMap(({ news }) => news).sort(compareHappened);
	const leftOver = new Set(allNews.slice(mostEvents));
	const moved = watched.map(({ watch, bookmark: before }): WatchedList => {
		const { path } = watch;
		const read = polled.get(path);
		const bookmark = read
			? afterRead(before, read, leftOver, round.nowSeconds)
			: (unread.get(path) ?? notDue(before, watch));
		return { watch, bookmark };
	});
	const next = moveCursor(round, lists, moved, leftOver.size > 0);
	const isUntold = moved.some(({ watch, bookmark }) => hasUntold(bookmark, watch));
	return {
		news: allNews.slice(0, mostEvents),
		next,
		hasUntold: next.hasMore === true || isUntold,
	};
}

function moveCursor(
	round: Round,
	polledLists: PolledLists,
	moved: readonly WatchedList[],
	hasLeftOver: boolean,
): Cursor {
	const { cursor, nowSeconds, limits } = round;
	const { inView, polled, unread } = polledLists;
	const lists: Cursor['lists'] = {};
	for (const [path, before] of Object.entries(cursor.lists)) {
		// Only a list of the sessions says which lists there are.
		const bookmark = inView ? missed(path, before, nowSeconds) : before;
		if (bookmark) lists[path] = bookmark;
	}
	for (const { watch, bookmark } of moved) lists[watch.path] = bookmark;
	// What could not be read keeps its session in view.
	const unfinishedIds = moved.flatMap(({ watch, bookmark }) =>
		watch.session && (unread.has(watch.path) || isUnfinished(bookmark, watch))
			? watch.session.id
			: [],
	);
	const hasRest = [...polled.values()].some(({ end }) => typeof end === 'object');
	// Only want of time makes the next poll come sooner. Where others use up the limit `hasMore` stays as it is: to come sooner would spend requests
	// for nothing, and a backlog is still one.
	const hasUnread = areKeptOut(round, polledLists)
		? cursor.hasMore
		: unread.size > 0 && limits.isTimeOver();
	const hasMore = hasLeftOver || hasRest || hasUnread === true;
	const next: Cursor = { ...cursor, lists, hasMore };
	if (inView === undefined) return next;
	const keptSessionIds = [...new Set([...inView.keptIds, ...unfinishedIds])];
	return { ...next, polledAt: nowSeconds, fullList: inView.fullList, keptSessionIds };
}
