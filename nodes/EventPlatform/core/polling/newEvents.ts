/*
 * Begin here: one poll, from the first request to the cursor that it leaves behind.
 *
 *   sessions.ts        which sessions are looked at
 *   peoplePlan.ts      whose people are read; people.ts: reads them; peopleBookmark.ts: how far they were read
 *   contents.ts        reads recordings and questions of sessions
 *   jobs.ts            reads the jobs that people named
 *   news.ts            what is new in a list whose records have times
 *   cursor.ts          what is remembered until the next poll
 *   memory.ts          how it is remembered, and when it is forgotten
 *   round.ts           what the steps of one poll have in common
 *   latest.ts          the latest event, for a test in the editor
 *
 * The unit of time is the second, as in the records of the platform. Only in pollingBudget.ts and monthlyShare.ts, which decide
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
	/** Lists that could not be read. They keep their bookmarks. */
	failures: Failure[];
}

/** How a poll has ended. */
export interface PollResult extends News {
	/** The cursor to store when the news have started their run. Absent: no response has told yet from when on anything is news. */
	next?: Cursor;
	/** Whether something that has happened has not started a run yet. */
	isOpen: boolean;
	/** The time by the platform's clock, in Unix seconds. */
	platformNow: number;
}

/** More than 2,000 items in one run take too much of n8n's memory. The rest comes with the next poll. */
export const mostAtOnce = 2_000;

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

/** Gives the failure of one list. Throws one that every request would meet. */
function failureOfOneList(error: unknown): Failure {
	const failure = asFailure(error);
	const { ends, isPassing, effectOnPerson } = meaningOf(failure);
	if (ends === 'run' || (isPassing === true && effectOnPerson === 'unsent')) throw failure;
	return failure;
}

/** Reads the events of the workspace that have changed since then, at most `limit` of them. */
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
	const timed = (listed: ListedEvent[] | undefined, bookmark: TimedBookmark) =>
		listed && findTimedNews(listed, bookmark, search.isDelivered);
	return {
		inView,
		events: timed(events, eventsBookmarkOf(cursor)),
		sessions: timed(
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

/** Gives the round a cursor that says whether the platform tells when somebody registered, as far as it can be seen. */
async function withRegistrationTimes(
	round: Round,
	inView: SessionsInView | undefined,
): Promise<Round> {
	const { cursor, limits, tryToRead } = round;
	if (cursor.registrationTimes !== undefined || limits.isTimeOver()) return round;
	const registrationTimes = await tryToRead(readRegistrationTimes(round, inView?.sessions ?? []));
	return { ...round, cursor: { ...cursor, registrationTimes } };
}

/** Reads the people of the sessions until the time is over. People come first who were read or tried longest ago. */
async function readAllPeople(
	round: Round,
	plans: readonly PeoplePlan[],
	failures: Failure[],
): Promise<Pick<PolledLists, 'people' | 'givenUpAt'>> {
	const { cursor, limits, now } = round;
	const people = new Map<string, PolledPeople>();
	const givenUpAt = new Map<string, number>();
	const triedAt = ({ session }: PeoplePlan) => lastTriedAt(cursor.people[session.id]);
	const due = plans.filter(({ reads }) => reads !== 'none');
	due.sort((first, second) => compareTimes(triedAt(first), triedAt(second)));
	for (const plan of due) {
		if (limits.isTimeOver()) break;
		const { id } = plan.session;
		try {
			people.set(id, await pollPeople(round, plan));
		} catch (error) {
			if (limits.isTimeOver() && error instanceof Failure) {
				// People who take all the time do not come first again, so that the others are read, too.
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
	/** The cursor to store when they have started it. */
	next: Cursor;
	/** Whether something that has happened has not started a run yet. */
	isOpen: boolean;
}

/** Takes as many events as one run can hold, the oldest first. */
function takeOldest(round: Round, lists: PolledLists): OldestNews {
	const { events, sessions, jobs, contents, people, plans, inView } = lists;
	const all = [
		...(events?.news ?? []),
		...(sessions?.news ?? []),
		...[...people.values()].flatMap((polled) => polled.news),
		...contents.flatMap((polled) => polled.news),
		...jobs,
	].sort(compareHappened);
	const news = all.slice(0, mostAtOnce);
	const leftOver = new Set(all.slice(mostAtOnce));
	const next = moveCursor(round, lists, leftOver);
	const unfinished = plans.filter(({ session }) => isUnfinished(next.people[session.id]));
	if (inView) {
		const unfinishedIds = unfinished.map(({ session }) => session.id);
		next.openSessionIds = [...new Set([...inView.openIds, ...unfinishedIds])];
	}
	return { news, next, isOpen: leftOver.size > 0 || unfinished.length > 0 };
}
