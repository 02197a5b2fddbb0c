/*
 * The lists of one poll: those that are due are read, the oldest events are taken, and the cursor moves past them.
 */
import { Failure } from '../../client/failure';
import type { Ask } from '../../client/request';
import { listableTypes, listPaths, type ListedEvent } from '../../events/eventTypes';
import { mostEventsInRun, type Bookmark, type Cursor } from './cursor';
import { listDelivered } from '../pollRequests';
import { sessionsWatch, watchedLists } from './watchedLists';
import { compareHappened, compareTimes, makeNewsTest } from './isNews';
import { beginRound, type PollContext, type Round } from '../pollContext';
import { readSessionsInView, type SessionsInView } from './sessionsInView';
import {
	bookmarkOf,
	dueRead,
	hasUntold,
	isUnfinished,
	isWaiting,
	missedLists,
	moveBookmark,
	type Polled,
	type Watch,
	type WatchRead,
} from './watch';
import { readWatch } from './readList';
import { withRegistrationTimes } from './registrationTimes';

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
	/** By the platform's clock, in Unix seconds. */
	platformNow: number;
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
	const { ask, search, tryToRead, failures, time } = context;
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
	// Where not even the sessions could be listed in time, no list was read, and people have to hear of it.
	if (inView === undefined && time.outOfTime) failures.push(time.outOfTime);
	return { ...taken, next: isBegun ? next : undefined, failures, platformNow: nowSeconds };
}

interface PolledLists {
	/** Absent: the sessions could not be listed. */
	inView?: SessionsInView;
	watches: Watch[];
	polled: Map<string, Polled>;
	/** The lists that were due and were not read, by path, and their bookmarks. */
	unread: Map<string, Bookmark>;
}

/** Reads the lists that are due until the time is over. */
async function readLists(round: Round, inView: SessionsInView | undefined): Promise<PolledLists> {
	const watches = watchedLists(round, inView?.sessions ?? []);
	const polled = new Map<string, Polled>();
	const unread = new Map<string, Bookmark>();
	if (inView && listableTypes(round.search.eventTypes, 'sessions').length > 0)
		polled.set(sessionsWatch.path, sessionsOf(round, inView));
	for (const due of findDue(round, watches)) {
		const { path } = due.watch;
		const result = await readDue(round, due);
		if ('watch' in result) polled.set(path, result);
		else unread.set(path, result);
	}
	return { inView, watches, polled, unread };
}

/** The sessions are read already. */
function sessionsOf(round: Round, { sessions, extent }: SessionsInView): Polled {
	const before = bookmarkOf(round, sessionsWatch);
	const listed = sessionsWatch.eventsOf(round, sessions);
	return {
		watch: sessionsWatch,
		before,
		read: { firstPage: 0 },
		end: 'reached',
		isPart: extent !== 'all',
		listed,
		news: listed.filter(makeNewsTest(round, before)),
	};
}

interface DueList {
	watch: Watch;
	before: Bookmark;
	read: WatchRead;
}

/** Of the lists in which nothing shows news, one poll reads so many: five requests delay the next poll of a lone trigger by 67 minutes. */
const mostUnchanged = 5;

/** Finds the lists that are due. Those that were read or tried longest ago come first. */
function findDue(round: Round, watches: readonly Watch[]): DueList[] {
	const due = watches.flatMap((watch) => {
		const before = bookmarkOf(round, watch);
		const read = dueRead(round, watch, before);
		return read ? { watch, before, read } : [];
	});
	due.sort((first, second) => compareTimes(first.before.triedAt, second.before.triedAt));
	const unchanged = due.filter(({ read }) => read.isUnchanged).slice(0, mostUnchanged);
	return [...due.filter(({ read }) => !read.isUnchanged), ...unchanged];
}

/** Reads a list, unless the time is over or it has to wait; gives its bookmark where it was not read. */
async function readDue(round: Round, { watch, before, read }: DueList): Promise<Polled | Bookmark> {
	const { limits, tryToRead, nowSeconds: triedAt } = round;
	if (limits.isTimeOver() || isWaiting(round, before)) return before;
	const reading = readWatch(round, watch, before, read).catch((error: unknown) => {
		// A list that takes all the time is no failure.
		if (!limits.isTimeOver() || !(error instanceof Failure)) throw error;
		return undefined;
	});
	const polled = await tryToRead(reading);
	if (polled) return polled;
	const { failingSinceAt = limits.isTimeOver() ? undefined : triedAt } = before;
	return { ...before, triedAt, failingSinceAt };
}

/** Takes as many events as one run can hold, the oldest first, and moves the cursor past them. */
function takeOldest(
	round: Round,
	lists: PolledLists,
	mostEvents: number,
): Pick<Required<ListNews>, 'news' | 'next' | 'hasUntold'> {
	const allNews = [...lists.polled.values()].flatMap(({ news }) => news).sort(compareHappened);
	const leftOver = new Set(allNews.slice(mostEvents));
	const next = moveCursor(round, lists, leftOver);
	const isUntold = (watch: Watch) => {
		const bookmark = next.lists[watch.path];
		return bookmark !== undefined && hasUntold(watch, bookmark);
	};
	return {
		news: allNews.slice(0, mostEvents),
		next,
		hasUntold: next.hasMore === true || lists.watches.some(isUntold),
	};
}

function moveCursor(
	round: Round,
	{ inView, watches, polled, unread }: PolledLists,
	leftOver: ReadonlySet<ListedEvent>,
): Cursor {
	const { cursor, nowSeconds, limits } = round;
	const isSessionsPolled = inView !== undefined;
	const watched = new Set([...watches.map(({ path }) => path), ...polled.keys()]);
	// Without a list of sessions nobody knows which lists there are.
	const lists = isSessionsPolled ? missedLists(round, watched) : { ...cursor.lists };
	const unfinishedIds: string[] = [];
	for (const watch of watches) {
		const { path, session } = watch;
		const read = polled.get(path);
		lists[path] = read
			? moveBookmark(round, read, leftOver)
			: (unread.get(path) ?? { ...bookmarkOf(round, watch), shown: watch.shown });
		// What could not be read keeps its session in view.
		if (session && (unread.has(path) || isUnfinished(watch, lists[path])))
			unfinishedIds.push(session.id);
	}
	const sessionsRead = polled.get(listPaths.sessions);
	if (sessionsRead) lists[listPaths.sessions] = moveBookmark(round, sessionsRead, leftOver);
	const hasRest = [...polled.values()].some(({ end }) => typeof end === 'object');
	// A list that could not be read for another reason has to wait: tried again at once it would spend requests for nothing.
	const hasUnread = unread.size > 0 && limits.isTimeOver();
	const next: Cursor = { ...cursor, lists, hasMore: leftOver.size > 0 || hasRest || hasUnread };
	if (!isSessionsPolled) return next;
	const keptSessionIds = [...new Set([...inView.keptIds, ...unfinishedIds])];
	// The days of a session that was not looked at still count from the last poll that did.
	const polledAt = inView.extent === 'unclear' ? cursor.polledAt : nowSeconds;
	return { ...next, polledAt, fullList: inView.fullList, keptSessionIds };
}
