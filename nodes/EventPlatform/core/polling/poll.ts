/*
 * Begin here: one poll, from the first request to the cursor that it leaves behind.
 *
 *   sessions.ts     reads the sessions that a poll looks at
 *   peoplePlan.ts   decides for which sessions the people are read; people.ts: reads them
 *   contents.ts     reads recordings and questions of sessions
 *   round.ts        what the steps of one poll have in common, and how news are found in a list
 *   cursor.ts       the data that are remembered until the next poll; moveCursor.ts: how they move, and when they are forgotten
 *   allowance.ts    decides how often a poll may happen
 *   latest.ts       finds the latest event, for a test in the editor
 *
 * The unit of time is the second, as in the records of the platform, but for allowance.ts, which has milliseconds.
 */
import { asFailure, Failure } from '../client/failure';
import { normalizeId, pathTo } from '../client/path';
import { withPlatformClock, type TimedAsk } from '../client/quota';
import type { Ask } from '../client/request';
import { readKeys, seenKey } from '../events/delivery';
import { eventTypeOf, listableTypes, listPaths, type ListedEvent } from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import { readDelivered } from '../records/record';
import { pollContents, planContents, type PolledContents } from './contents';
import {
	beginCursor,
	changedSince,
	eventsBookmarkOf,
	isUnfinished,
	lastTriedAt,
	mostEventsInRun,
	sessionsBookmarkOf,
	unlimited,
	type Cursor,
	type PollLimits,
	type Search,
	type TimedBookmark,
} from './cursor';
import { moveCursor, type PolledLists } from './moveCursor';
import { pollPeople, readRegistrationTimes, type PolledPeople } from './people';
import { planPeople, type PeoplePlan } from './peoplePlan';
import {
	compareHappened,
	compareTimes,
	eventsIn,
	findTimedNews,
	goneIfNotFound,
	listChanged,
	type Round,
} from './round';
import { readSessionsInView, type SessionsInView } from './sessions';

/** The findings of a poll. */
export interface News {
	/** The new events, oldest first. */
	news: ListedEvent[];
	/** The failures of lists that could not be read. These lists keep their bookmarks. */
	failures: Failure[];
}

/** The result of a poll. */
export interface PollResult extends News {
	/** The cursor to store when the news have started their run. Absent: no response has come yet, so that it is open from when on an event is news. */
	next?: Cursor;
	/** Whether something that has happened has not started a run yet. */
	isOpen: boolean;
	/** The time by the platform's clock, in Unix seconds. */
	platformNow: number;
}

/** Finds what is new since a cursor, within the limits of one poll. */
export async function readNews(
	ask: Ask,
	cursor: Cursor | undefined,
	search: Search,
	clock: () => number,
	limits: PollLimits = unlimited,
): Promise<PollResult> {
	const session = new PollSession(ask, cursor, search, clock, limits);
	const { failures, tryToRead } = session;
	// Until a response tells the platform's time, our clock is used.
	const firstRound = session.beginRound();
	const inView = await tryToRead(readSessionsInView(firstRound));
	const { sinceAt, readAt } = eventsBookmarkOf(firstRound.cursor);
	const events = await tryToRead(readEvents(firstRound, changedSince(sinceAt, readAt)));
	const round = await withRegistrationTimes(session.beginRound(), inView);
	const lists = await readRest(round, inView, events, failures);
	const { news, next, isOpen } = takeOldest(round, lists);
	const isBegun = cursor !== undefined || search.startFrom !== undefined || session.hasResponded;
	return {
		news,
		next: isBegun ? next : undefined,
		failures,
		isOpen,
		platformNow: round.nowSeconds,
	};
}

/** Owns what the requests of one poll have shown so far: the platform's time, and which lists could not be read. */
class PollSession {
	/** The failures of lists that could not be read. */
	readonly failures: Failure[] = [];
	/** Whether the platform has responded at all. */
	hasResponded = false;
	private readonly platform: TimedAsk;

	constructor(
		ask: Ask,
		private readonly stored: Cursor | undefined,
		private readonly search: Search,
		private readonly clock: () => number,
		private readonly limits: PollLimits,
	) {
		this.platform = withPlatformClock(async (request) => {
			const response = await ask(request);
			this.hasResponded = true;
			return response;
		}, clock);
	}

	/** Begins a round of reading, by the platform's time as far as it is told by now. */
	beginRound(): Round {
		const { platform, tryToRead, stored, search, limits } = this;
		const nowSeconds = Math.floor((this.clock() - platform.clock.aheadMs) / 1_000);
		const cursor = beginCursor(stored, search, nowSeconds);
		return { api: platform.ask, tryToRead, search, limits, cursor, nowSeconds };
	}

	readonly tryToRead: Round['tryToRead'] = (reading) =>
		reading.catch((error: unknown) => {
			this.failures.push(failureOfOneList(error));
			return undefined;
		});
}

/** Gives the failure of one list. Throws a failure that every other request would meet, too. */
function failureOfOneList(error: unknown): Failure {
	const failure = asFailure(error);
	const { ends, isPassing, effectOnPerson } = meaningOf(failure);
	if (ends === 'run' || (isPassing === true && effectOnPerson === 'unsent')) throw failure;
	return failure;
}

/** Reads the events of the workspace that have changed since `sinceAt`, at most `limit` of them. */
export async function readEvents(
	round: Round,
	sinceAt: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.search.eventTypes, 'events').length === 0) return [];
	const changed = await listChanged(round.api, listPaths.events, sinceAt, limit);
	return eventsIn(round, 'events', changed);
}

/** Reads the jobs that people named, and finds those that have ended and have not started a run yet. Each job that has not started a run costs a request. */
export async function readEndedJobs(round: Round): Promise<ListedEvent[]> {
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
		const happenedAtSeconds = Math.max(nowSeconds, cursor.startedAt);
		const event = { eventType, record: { ...record, id }, happenedAtSeconds, isUntimed: true };
		if (!search.isDelivered?.(event)) ended.push(event);
	}
	return ended;
}

/** Reads jobs and people, once the lists of sessions and events have told which people there are, and the platform's time. */
async function readRest(
	round: Round,
	inView: SessionsInView | undefined,
	events: ListedEvent[] | undefined,
	failures: Failure[],
): Promise<PolledLists> {
	const { cursor, search } = round;
	const jobs = await readEndedJobs(round);
	const plans = planPeople(round, inView?.sessions ?? []);
	const { people, givenUpAt } = await readAllPeople(round, plans, failures);
	const findNews = (listed: ListedEvent[] | undefined, bookmark: TimedBookmark) =>
		listed && findTimedNews(listed, bookmark, search.isDelivered);
	return {
		inView,
		events: findNews(events, eventsBookmarkOf(cursor)),
		sessions: findNews(
			inView && eventsIn(round, 'sessions', inView.sessions),
			sessionsBookmarkOf(cursor, search),
		),
		jobs,
		contents: await readAllContents(round, inView),
		plans,
		people,
		givenUpAt,
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
	plans: readonly PeoplePlan[],
	failures: Failure[],
): Promise<Pick<PolledLists, 'people' | 'givenUpAt'>> {
	const { cursor, limits, nowSeconds } = round;
	const people = new Map<string, PolledPeople>();
	const givenUpAt = new Map<string, number>();
	const triedAt = ({ session }: PeoplePlan) => lastTriedAt(cursor.people[session.id]);
	const duePlans = plans.filter(({ reads }) => reads !== 'none');
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
	return { people, givenUpAt };
}

/** Reads the recordings and questions of the sessions, until the time is over. */
async function readAllContents(
	round: Round,
	inView: SessionsInView | undefined,
): Promise<PolledContents[]> {
	const contents: PolledContents[] = [];
	for (const list of planContents(round, inView?.sessions ?? [])) {
		if (round.limits.isTimeOver()) break;
		const polled = await round.tryToRead(pollContents(round, list));
		if (polled) contents.push(polled);
	}
	return contents;
}

/** The part of the news that one run takes. */
interface OldestNews {
	/** The events that start the run, oldest first. */
	news: ListedEvent[];
	/** The cursor to store when these events have started the run. */
	next: Cursor;
	/** Whether something that has happened has not started a run yet. */
	isOpen: boolean;
}

/** Takes as many events as one run can hold, the oldest first. */
function takeOldest(round: Round, lists: PolledLists): OldestNews {
	const { events, sessions, jobs, contents, people, plans, inView } = lists;
	const allNews = [
		...(events?.news ?? []),
		...(sessions?.news ?? []),
		...[...people.values()].flatMap((polled) => polled.news),
		...contents.flatMap((polled) => polled.news),
		...jobs,
	].sort(compareHappened);
	const news = allNews.slice(0, mostEventsInRun);
	const leftOver = new Set(allNews.slice(mostEventsInRun));
	const next = moveCursor(round, lists, leftOver);
	const unfinished = plans.filter(({ session }) => isUnfinished(next.people[session.id]));
	if (inView) {
		const unfinishedIds = unfinished.map(({ session }) => session.id);
		next.openSessionIds = [...new Set([...inView.openIds, ...unfinishedIds])];
	}
	return { news, next, isOpen: leftOver.size > 0 || unfinished.length > 0 };
}
