/*
 * Begin here: one poll, from the first request to the cursor that it leaves behind.
 *
 *   sessions.ts    reads the sessions that a poll looks at
 *   people.ts      decides for which sessions the people are read, and reads them
 *   contents.ts    reads recordings and questions of sessions
 *   round.ts       what the steps of one poll have in common, and how news are found in a list
 *   cursor.ts      the data that are remembered until the next poll, and when they are forgotten
 *   allowance.ts   decides how often a poll may happen
 *   pollSchedule.ts  tells the events of the clock, which no list shows; leadTime.ts reads how long before a start
 *
 * The unit of time is the second, as in the records of the platform, but for allowance.ts, which has milliseconds.
 */
import { Failure } from '../client/failure';
import { largestPage } from '../client/pages';
import { normalizeId, pathTo } from '../client/path';
import { withPlatformClock, type TimedAsk } from '../client/quota';
import type { Ask } from '../client/request';
import { parseSeconds } from '../dialect/time';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import {
	eventTypeOf,
	hasHappenedSince,
	listableTypes,
	listPaths,
	type ListedEvent,
} from '../events/eventTypes';
import { readDelivered, type DeliveredRecord } from '../records/record';
import { addAll } from '../values/collections';
import {
	listContentEvents,
	moveAllContents,
	planContents,
	pollContents,
	type AllContents,
	type PolledContents,
} from './contents';
import {
	beginCursor,
	changedSince,
	daySeconds,
	eventsBookmarkOf,
	isUnfinished,
	lastTriedAt,
	mostEventsInRun,
	moveBookmark,
	sessionsBookmarkOf,
	unlimited,
	viewOf,
	type Cursor,
	type EventsBookmark,
	type PollLimits,
	type Search,
	type TimedBookmark,
} from './cursor';
import {
	listPeopleEvents,
	moveAllPeople,
	planPeople,
	pollPeople,
	readRegistrationTimes,
	type AllPeople,
	type PeoplePlan,
	type PolledPeople,
} from './people';
import {
	compareHappened,
	compareTimes,
	eventsIn,
	failureOfOneList,
	findTimedNews,
	goneIfNotFound,
	listChanged,
	tryToReadInto,
	type PolledList,
	type Round,
} from './round';
import { readSessionsInView, type SessionsInView } from './sessions';

export interface News {
	/** The new events, oldest first. */
	news: ListedEvent[];
	/** The failures of lists that could not be read. These lists keep their bookmarks. */
	failures: Failure[];
}

/** The result of a poll. */
export interface PollResult extends News {
	/** The cursor to store when the news have started their run. Absent: no response has come yet, so that it is not known from when on an event is news. */
	next?: Cursor;
	/** Something that has happened has not started a run yet. */
	hasLeftOver: boolean;
	/** The time by the platform's clock, in Unix seconds. */
	platformNow: number;
}

/** Finds what is new since a cursor, within the limits of one poll. */
export async function readNews(
	ask: Ask,
	cursor: Cursor | undefined,
	search: Search,
	ourClockMs: () => number,
	limits: PollLimits = unlimited,
): Promise<PollResult> {
	const session = new PollSession(ask, cursor, search, ourClockMs, limits);
	const { failures, tryToRead } = session;
	// Until a response tells the platform's time, our clock is used.
	const firstRound = session.beginRound();
	const inView = await tryToRead(readSessionsInView(firstRound));
	const { sinceAt, readAt } = eventsBookmarkOf(firstRound.cursor);
	const events = await tryToRead(readEvents(firstRound, changedSince(sinceAt, readAt)));
	const round = await withRegistrationTimes(session.beginRound(), inView);
	const lists = await readRest(round, inView, events, failures);
	const { news, next, hasLeftOver } = takeOldest(round, lists);
	const isBegun = cursor !== undefined || search.startFrom !== undefined || session.hasResponded;
	return {
		news,
		next: isBegun ? next : undefined,
		failures,
		hasLeftOver,
		platformNow: round.nowSeconds,
	};
}

/** Owns what the requests of one poll have shown so far: the platform's time, and which lists could not be read. */
class PollSession {
	readonly failures: Failure[] = [];
	hasResponded = false;
	private readonly platform: TimedAsk;

	constructor(
		ask: Ask,
		private readonly stored: Cursor | undefined,
		private readonly search: Search,
		private readonly ourClockMs: () => number,
		private readonly limits: PollLimits,
	) {
		this.platform = withPlatformClock(async (request) => {
			const response = await ask(request);
			this.hasResponded = true;
			return response;
		}, ourClockMs);
	}

	/** Begins a round of reading, by the platform's time as far as it is told by now. */
	beginRound(): Round {
		const { platform, tryToRead, stored, search, limits } = this;
		const nowSeconds = Math.floor((this.ourClockMs() - platform.clock.aheadMs) / 1_000);
		const cursor = beginCursor(stored, search, nowSeconds);
		return { api: platform.ask, tryToRead, search, limits, cursor, nowSeconds };
	}

	readonly tryToRead = tryToReadInto(this.failures);
}

/** Reads the events of the workspace that have changed since `sinceAt`, at most `limit` of them. */
async function readEvents(round: Round, sinceAt: number, limit?: number): Promise<ListedEvent[]> {
	if (listableTypes(round.search.eventTypes, 'events').length === 0) return [];
	const changed = await listChanged(round.api, listPaths.events, sinceAt, limit);
	return eventsIn(round, 'events', changed);
}

/** Reads the jobs that people named, and finds those that have ended and have not started a run yet. Each job that has not started a run costs a request. */
async function readEndedJobs(round: Round): Promise<ListedEvent[]> {
	const { api, tryToRead, cursor, search, limits, nowSeconds } = round;
	const eventType = search.eventTypes.find((name) => eventTypeOf(name).isAskedById);
	if (eventType === undefined) return [];
	const seenKeys = readKeys(cursor.jobs);
	const ended: ListedEvent[] = [];
	for (const id of new Set(search.filters.jobIds.map(normalizeId))) {
		if (limits.isTimeOver()) break;
		const path = pathTo`/jobs/${id}`;
		const recordOfId = readDelivered({ id });
		if (recordOfId && seenKeys.has(seenKey({ eventType, record: recordOfId }))) continue;
		const response = await tryToRead(api({ method: 'GET', path }).catch(goneIfNotFound));
		if (response === undefined || response === 'gone') continue;
		const record = readDelivered(response.body);
		if (record === undefined || eventTypeOf(eventType).isConfirmedBy?.(record) === false) continue;
		// A job has no time, and people have named it: it is told whatever 'Start From' says.
		const happenedAtSeconds = Math.max(nowSeconds, cursor.startedAt);
		const event = { eventType, record: { ...record, id }, happenedAtSeconds, isUntimed: true };
		if (!search.isDelivered?.(event)) ended.push(event);
	}
	return ended;
}

interface PolledLists {
	/** The sessions that the poll looks at. Absent: the sessions could not be listed. */
	inView?: SessionsInView;
	/** The events of the workspace. Absent: their list could not be read. */
	events?: PolledList;
	/** The events that the list of sessions shows. Absent: the sessions could not be listed. */
	sessions?: PolledList;
	jobs: ListedEvent[];
	people: AllPeople;
	contents: AllContents;
}

/** Reads jobs and people, once the lists of sessions and events have told which people there are, and the platform's time. */
async function readRest(
	round: Round,
	inView: SessionsInView | undefined,
	events: ListedEvent[] | undefined,
	failures: Failure[],
): Promise<PolledLists> {
	const { cursor, search } = round;
	const findNews = (listed: ListedEvent[] | undefined, bookmark: TimedBookmark) =>
		listed && findTimedNews(listed, bookmark, search.isDelivered);
	const sessions = inView?.sessions ?? [];
	return {
		inView,
		events: findNews(events, eventsBookmarkOf(cursor)),
		sessions: findNews(
			inView && eventsIn(round, 'sessions', sessions),
			sessionsBookmarkOf(cursor, search),
		),
		jobs: await readEndedJobs(round),
		people: await readAllPeople(round, sessions, failures),
		contents: await readAllContents(round, sessions),
	};
}

/** Adds to the cursor of a round whether the platform tells when somebody registered, where a request can show it. */
async function withRegistrationTimes(
	round: Round,
	inView: SessionsInView | undefined,
): Promise<Round> {
	const { cursor, limits, tryToRead } = round;
	if (cursor.registrationTimes !== undefined || limits.isTimeOver()) return round;
	const registrationTimes = await tryToRead(readRegistrationTimes(round, inView?.sessions ?? []));
	return { ...round, cursor: { ...cursor, registrationTimes } };
}

/** Reads the people of the sessions until the time is over. People who were read or tried longest ago come first. */
async function readAllPeople(
	round: Round,
	sessions: readonly DeliveredRecord[],
	failures: Failure[],
): Promise<AllPeople> {
	const { cursor, limits, nowSeconds } = round;
	const plans = planPeople(round, sessions);
	const people = new Map<string, PolledPeople>();
	const givenUpAt = new Map<string, number>();
	const triedAt = ({ session }: PeoplePlan) => lastTriedAt(cursor.people[session.id]);
	const duePlans = plans.filter(({ isRead }) => isRead);
	duePlans.sort((first, second) => compareTimes(triedAt(first), triedAt(second)));
	for (const plan of duePlans) {
		if (limits.isTimeOver()) break;
		const { id } = plan.session;
		try {
			people.set(id, await pollPeople(round, plan));
		} catch (error) {
			if (limits.isTimeOver() && error instanceof Failure) {
				// People who take all the time do not come first again in the next poll, so that the others are read, too.
				givenUpAt.set(id, nowSeconds);
			} else {
				failures.push(failureOfOneList(error));
			}
		}
	}
	return { plans, people, givenUpAt };
}

/** Reads the recordings and questions of the sessions, until the time is over. */
async function readAllContents(
	round: Round,
	sessions: readonly DeliveredRecord[],
): Promise<AllContents> {
	const planned = planContents(round, sessions);
	const polled: PolledContents[] = [];
	for (const list of planned) {
		if (round.limits.isTimeOver()) break;
		const contents = await round.tryToRead(pollContents(round, list));
		if (contents) polled.push(contents);
	}
	return { planned, polled };
}

/** Takes as many events as one run can hold, the oldest first, and moves the cursor past them. */
function takeOldest(
	round: Round,
	lists: PolledLists,
): Pick<Required<PollResult>, 'news' | 'next' | 'hasLeftOver'> {
	const { events, sessions, jobs, contents, people } = lists;
	const allNews = [
		...(events?.news ?? []),
		...(sessions?.news ?? []),
		...[...people.people.values()].flatMap((polled) => polled.news),
		...contents.polled.flatMap((polled) => polled.news),
		...jobs,
	].sort(compareHappened);
	const { mostEvents = mostEventsInRun } = round.limits;
	const news = allNews.slice(0, mostEvents);
	const leftOver = new Set(allNews.slice(mostEvents));
	const next = moveCursor(round, lists, leftOver);
	const hasUnfinished = unfinishedIds(people, next.people).length > 0;
	return { news, next, hasLeftOver: leftOver.size > 0 || hasUnfinished };
}

/** The cursor holds once all events but those that are left over have started a run. */
function moveCursor(round: Round, lists: PolledLists, leftOver: ReadonlySet<ListedEvent>): Cursor {
	const { cursor, search, nowSeconds } = round;
	const { inView, events, sessions, jobs, people, contents } = lists;
	const withoutLeftOver = (listed: ListedEvent[] = []) =>
		listed.filter((event) => !leftOver.has(event));
	const isSearched = (recordType: string) =>
		listableTypes(search.eventTypes, recordType).length > 0;
	// A session that only the list of all sessions shows is seen up to a day late.
	const reach = { nowSeconds, notBeyondAt: viewOf(cursor, search)?.listedAt };
	const startedJobs = withoutLeftOver(jobs).map(seenKey);
	const next: Cursor = {
		...cursor,
		events: isSearched('events')
			? moveEvents(round, withoutLeftOver(events?.listed), events)
			: undefined,
		sessions: isSearched('sessions')
			? moveBookmark(sessionsBookmarkOf(cursor, search), withoutLeftOver(sessions?.listed), reach)
			: undefined,
		jobs: writeKeys([...readKeys(cursor.jobs), ...startedJobs]),
		hasMore: leftOver.size > 0,
	};
	if (inView === undefined) return next;
	const movedPeople = moveAllPeople(round, people, leftOver);
	const hasRest = [...people.people.values()].some(({ restPage }) => restPage !== undefined);
	return {
		...next,
		...moveAllContents(round, contents, leftOver),
		people: movedPeople,
		polledAt: nowSeconds,
		view: inView.view,
		openSessionIds: [...new Set([...inView.openIds, ...unfinishedIds(people, movedPeople)])],
		hasMore: leftOver.size > 0 || hasRest,
	};
}

function unfinishedIds({ plans }: AllPeople, bookmarks: Cursor['people']): string[] {
	return plans.map(({ session }) => session.id).filter((id) => isUnfinished(bookmarks[id]));
}

function moveEvents(
	{ cursor, nowSeconds }: Round,
	started: ListedEvent[],
	list: PolledList | undefined,
): EventsBookmark {
	const bookmark = eventsBookmarkOf(cursor);
	const listedSinceAt = changedSince(bookmark.sinceAt, bookmark.readAt);
	const moved = moveBookmark(bookmark, started, { nowSeconds, listedSinceAt });
	const isWhole = list !== undefined && started.length === list.listed.length;
	return { ...moved, readAt: isWhole ? nowSeconds : bookmark.readAt };
}

/** A test in the editor looks at sessions that ended within so many days, even if people chose fewer: most workspaces have one in a month. */
const leastDays = 30;
/** The people of three sessions are enough to find somebody to test with. */
const mostSessions = 3;

/** Finds the latest event, whenever it happened, with few requests, for a test in the editor. */
export async function findLatest(
	api: Ask,
	search: Search,
	nowSeconds: number,
): Promise<ListedEvent | undefined> {
	const endedWithinDays = Math.max(leastDays, search.endedWithinDays);
	const cursor = { startedAt: nowSeconds, polledAt: nowSeconds, people: {} };
	const round: Round = {
		api,
		tryToRead: (work) => work,
		search: { ...search, endedWithinDays },
		limits: unlimited,
		cursor,
		nowSeconds,
	};
	const jobs = await readEndedJobs(round);
	if (jobs.length > 0) return jobs.at(-1);
	const { sessions } = await readSessionsInView(round);
	const updatedAt = ({ attributes }: DeliveredRecord) => parseSeconds(attributes.updated_at);
	const lastChanged = sessions
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((first, second) => compareTimes(updatedAt(second), updatedAt(first)))
		.slice(0, mostSessions);
	// One page of a list need not hold the newest, whatever its order. What has changed within a day does, if there is any.
	const [dayAgoAt, beginningAt] = [nowSeconds - daySeconds, 0];
	for (const sinceAt of [dayAgoAt, beginningAt]) {
		const events = eventsIn(round, 'sessions', sessions);
		addAll(events, await readEvents(round, sinceAt, largestPage));
		for (const session of lastChanged)
			addAll(events, await listPeopleEvents(round, session, sinceAt, largestPage));
		for (const list of planContents(round, lastChanged))
			addAll(events, await listContentEvents(round, list));
		const recent = events.filter((event) => event.isUntimed || hasHappenedSince(event, sinceAt));
		if (recent.length > 0) return recent.sort(compareHappened).at(-1);
	}
	return undefined;
}
