/*
 * Begin here: one poll, from the first request to the cursor that it leaves behind.
 *
 *   sessions.ts        reads the sessions that a poll looks at
 *   peoplePlan.ts      decides for which sessions the people are read; people.ts: reads them; peopleBookmark.ts: how far they were read
 *   contents.ts        reads recordings and questions of sessions
 *   jobs.ts            reads the jobs that people named
 *   news.ts            finds the news in a list whose records have times
 *   cursor.ts          the data that are remembered until the next poll
 *   memory.ts          decides how they are remembered, and when they are forgotten
 *   round.ts           the parts that the steps of one poll have in common
 *   latest.ts          finds the latest event, for a test in the editor
 *
 * The unit of time is the second, as in the records of the platform. Only in allowance.ts, which decides
 * how often a poll may happen, it is the millisecond, and each name there says so.
 */
import { asFailure, Failure } from '../client/failure';
import { withPlatformClock } from '../client/quota';
import type { Ask } from '../client/request';
import { listableTypes, listPaths, type ListedEvent } from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import { pollContents, planContents, type PolledContents } from './contents';
import {
	changedSince,
	eventsBookmarkOf,
	mostEventsInRun,
	sessionsBookmarkOf,
	unlimited,
	type Cursor,
	type PollLimits,
	type Search,
	type TimedBookmark,
} from './cursor';
import { readEndedJobs } from './jobs';
import { beginCursor, moveCursor, type PolledLists } from './memory';
import { compareHappened, compareTimes, findTimedNews } from './news';
import { pollPeople, readRegistrationTimes, type PolledPeople } from './people';
import { isUnfinished, lastTriedAt } from './peopleBookmark';
import { planPeople, type PeoplePlan } from './peoplePlan';
import { eventsIn, listDelivered, type Round } from './round';
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
	let hasResponded = false;
	const { ask: api, clock: platform } = withPlatformClock(async (request) => {
		const response = await ask(request);
		hasResponded = true;
		return response;
	}, clock);
	const failures: Failure[] = [];
	const tryToRead: Round['tryToRead'] = (work) =>
		work.catch((error: unknown) => {
			failures.push(failureOfOneList(error));
			return undefined;
		});
	const beginRound = (): Round => {
		const now = Math.floor((clock() - platform.aheadMs) / 1_000);
		return { api, tryToRead, search, limits, cursor: beginCursor(cursor, search, now), now };
	};

	// Until a response tells the platform's time, our clock is used.
	const firstRound = beginRound();
	const inView = await tryToRead(readSessionsInView(firstRound));
	const { sinceAt, readAt } = eventsBookmarkOf(firstRound.cursor);
	const events = await tryToRead(readEvents(firstRound, changedSince(sinceAt, readAt)));
	const round = await withRegistrationTimes(beginRound(), inView);
	const lists = await readRest(round, inView, events, failures);
	const { news, next, isOpen } = takeOldest(round, lists);
	const isBegun = cursor !== undefined || search.startFrom !== undefined || hasResponded;
	return { news, next: isBegun ? next : undefined, failures, isOpen, platformNow: round.now };
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
	const options = { query: { 'filter[updated_since]': sinceAt }, limit };
	return eventsIn(round, 'events', await listDelivered(round.api, listPaths.events, options));
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
	const { cursor, limits, now } = round;
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
				givenUpAt.set(id, now);
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
