/*
 * Polling: one poll, read from here downwards.
 *
 *   sessions.ts        which sessions are looked at
 *   peoplePlan.ts      whose people are read; people.ts: reads them; peopleBookmark.ts: what is remembered of them
 *   contents.ts        reads recordings and questions of sessions
 *   jobs.ts            reads the jobs that people named
 *   news.ts            what is new in a list, by time or by key
 *   cursor.ts          what is remembered until the next poll
 *   round.ts           what the parts of one poll have in common
 *   latest.ts          the latest event, for a test in the editor
 *
 * How often a poll may happen is decided in pollingBudget.ts, by what monthlyShare.ts says of the month's requests.
 */
import { asFailure, Failure } from '../client/failure';
import { withPlatformClock } from '../client/quota';
import type { Ask } from '../client/request';
import { listableTypes, listPaths, type ListedEvent } from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import {
	beginCursor,
	beginList,
	changedSince,
	unlimited,
	viewOf,
	type Cursor,
	type EventsBookmark,
	type PollLimits,
	type TimedBookmark,
	type Search,
} from './cursor';
import { planContents, readContents, rememberContents, type ContentReading } from './contents';
import { readEndedJobs, rememberJobs } from './jobs';
import { findTimedNews, moveBookmark, type ListReading } from './news';
import { findRegistrationTimes, readPeople, rememberPeople, type PeopleReading } from './people';
import { hidePeople, isUnfinished, lastTriedAt, postponePeople } from './peopleBookmark';
import { planPeople, type PeoplePlan } from './peoplePlan';
import { eventsIn, listDelivered, type Round } from './round';
import { sessionsInView, type SessionsInView } from './sessions';

/** The findings of a poll. */
export interface News {
	/** The new events, oldest first. */
	news: ListedEvent[];
	/** Lists that could not be read. They keep their bookmarks. */
	failures: Failure[];
}

/** How a poll has ended. */
export interface PollResult extends News {
	/** The cursor for when the news have started their run. Absent: no response has told yet from when on anything is news. */
	next?: Cursor;
	/** Whether something that has happened has not started a run yet. */
	isOpen: boolean;
	/** In Unix seconds. */
	platformNow: number;
}

/** All that a poll has read. */
interface Readings {
	/** Absent: the sessions could not be listed. */
	inView?: SessionsInView;
	/** Absent: the list could not be read. So is the next. */
	events?: ListReading;
	sessions?: ListReading;
	jobs: ListedEvent[];
	contents: ContentReading[];
	plans: PeoplePlan[];
	/** By the ids of their sessions. */
	people: ReadonlyMap<string, PeopleReading>;
	/** When reading people was given up because the time was over, by the ids of their sessions. */
	givenUpAt: ReadonlyMap<string, number>;
}

/** More items than these in one run take too much of n8n's memory. The rest comes with the next poll. */
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
	const inView = await tryToRead(sessionsInView(firstRound));
	const events = await tryToRead(
		readEvents(firstRound, listedSinceOf(eventsBookmark(firstRound.cursor))),
	);
	const round = await withRegistrationTimes(beginRound(), inView);
	const readings = await readRest(round, inView, events, failures);
	const { news, next, isOpen } = takeOldest(round, readings);
	const isBegun = cursor !== undefined || search.startFrom !== undefined || hasResponded;
	return { news, next: isBegun ? next : undefined, failures, isOpen, platformNow: round.now };
}

/** Gives the failure of one list. Throws one that every request would meet. */
function failureOfOneList(error: unknown): Failure {
	const failure = asFailure(error);
	const { ends, isPassing, person } = meaningOf(failure);
	if (ends === 'run' || (isPassing === true && person === 'unsent')) throw failure;
	return failure;
}

/** Reads the events of the workspace that have changed since then; at most `limit` of them. */
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
): Promise<Readings> {
	const { cursor, search } = round;
	const jobs = await readEndedJobs(round);
	const plans = planPeople(round, inView?.sessions ?? []);
	const { people, givenUpAt } = await readAllPeople(round, plans, failures);
	const timed = (listed: ListedEvent[] | undefined, bookmark: TimedBookmark) =>
		listed && findTimedNews(listed, bookmark, search.isDelivered);
	return {
		inView,
		events: timed(events, eventsBookmark(cursor)),
		sessions: timed(
			inView && eventsIn(round, 'sessions', inView.sessions),
			sessionsBookmark(round),
		),
		jobs,
		contents: await readAllContents(round, inView),
		plans,
		people,
		givenUpAt,
	};
}

/** The round with a cursor that says whether the platform tells when somebody registered, as far as it can be seen. */
async function withRegistrationTimes(
	round: Round,
	inView: SessionsInView | undefined,
): Promise<Round> {
	const { cursor, limits, tryToRead } = round;
	if (cursor.registrationTimes !== undefined || limits.isTimeOver()) return round;
	const registrationTimes = await tryToRead(findRegistrationTimes(round, inView?.sessions ?? []));
	return { ...round, cursor: { ...cursor, registrationTimes } };
}

/** Reads the people of the sessions until the time is over. Those come first that were read or tried longest ago. */
async function readAllPeople(
	round: Round,
	plans: readonly PeoplePlan[],
	failures: Failure[],
): Promise<Pick<Readings, 'people' | 'givenUpAt'>> {
	const { cursor, limits, now } = round;
	const people = new Map<string, PeopleReading>();
	const givenUpAt = new Map<string, number>();
	const triedAt = ({ session }: PeoplePlan) => lastTriedAt(cursor.people[session.id]);
	const due = plans.filter(({ reads }) => reads !== 'none');
	due.sort((first, second) => triedAt(first) - triedAt(second));
	for (const plan of due) {
		if (limits.isTimeOver()) break;
		const { id } = plan.session;
		try {
			people.set(id, await readPeople(round, plan));
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
): Promise<ContentReading[]> {
	const readings: ContentReading[] = [];
	for (const list of planContents(round, inView?.sessions ?? [])) {
		if (round.limits.isTimeOver()) break;
		const reading = await round.tryToRead(readContents(round, list));
		if (reading) readings.push(reading);
	}
	return readings;
}

/** The events that start the run, and the cursor that is kept when it has started. */
interface OldestNews {
	news: ListedEvent[];
	next: Cursor;
	/** Whether something that has happened has not started a run yet. */
	isOpen: boolean;
}

/** Takes as many events as one run can hold, the oldest first. */
function takeOldest(round: Round, readings: Readings): OldestNews {
	const { events, sessions, jobs, contents, people, plans, inView } = readings;
	const all = [
		...(events?.news ?? []),
		...(sessions?.news ?? []),
		...[...people.values()].flatMap((reading) => reading.news),
		...contents.flatMap((reading) => reading.news),
		...jobs,
	].sort((first, second) => first.at - second.at);
	const news = all.slice(0, mostAtOnce);
	const leftOver = new Set(all.slice(mostAtOnce));
	const next = cursorAfter(round, readings, leftOver);
	const unfinished = plans.filter(({ session }) => isUnfinished(next.people[session.id]));
	const open = [...(inView?.open ?? []), ...unfinished.map(({ session }) => session.id)];
	if (inView) next.open = [...new Set(open)];
	return { news, next, isOpen: leftOver.size > 0 || unfinished.length > 0 };
}

/** The cursor when all events but those that are left over have started a run. */
function cursorAfter(round: Round, readings: Readings, leftOver: ReadonlySet<ListedEvent>): Cursor {
	const { cursor, search, now } = round;
	const { inView, events, sessions, jobs } = readings;
	const started = (listed: ListedEvent[] = []) => listed.filter((event) => !leftOver.has(event));
	const isAsked = (recordType: string) => listableTypes(search.eventTypes, recordType).length > 0;
	// A session that only the list of all sessions shows is seen up to a day late.
	const listedAt = viewOf(cursor, search)?.listedAt;
	const next: Cursor = {
		...cursor,
		events: isAsked('events') ? eventsAfter(round, started(events?.listed), events) : undefined,
		sessions: isAsked('sessions')
			? moveBookmark(sessionsBookmark(round), started(sessions?.listed), {
					now,
					notBeyondAt: listedAt,
				})
			: undefined,
		contents: rememberContents(round, readings.contents, leftOver),
		jobs: rememberJobs(cursor.jobs, started(jobs)),
		hasMore: leftOver.size > 0,
	};
	if (inView === undefined) return next;
	return {
		...next,
		people: peopleAfter(round, readings, leftOver),
		polledAt: now,
		view: inView.view,
	};
}

/** The bookmarks of people when all events but those that are left over have started a run. */
function peopleAfter(
	{ cursor, now }: Round,
	{ plans, people, givenUpAt }: Readings,
	leftOver: ReadonlySet<ListedEvent>,
): Cursor['people'] {
	const next: Cursor['people'] = {};
	for (const [id, bookmark] of Object.entries(cursor.people)) {
		const hidden = hidePeople(bookmark, now);
		if (hidden) next[id] = hidden;
	}
	for (const plan of plans) {
		const { id } = plan.session;
		const reading = people.get(id);
		if (reading) next[id] = rememberPeople(reading, leftOver, now);
		else if (plan.reads === 'none') next[id] = plan.next;
		else next[id] = postponePeople(plan.bookmark, givenUpAt.get(id));
	}
	return next;
}

function eventsBookmark(cursor: Cursor): EventsBookmark {
	return cursor.events ?? beginList(cursor);
}

function listedSinceOf({ sinceAt, readAt }: EventsBookmark): number {
	return changedSince(sinceAt, readAt);
}

function eventsAfter(
	{ cursor, now }: Round,
	started: ListedEvent[],
	reading: ListReading | undefined,
): EventsBookmark {
	const bookmark = eventsBookmark(cursor);
	const moved = moveBookmark(bookmark, started, { now, listedSinceAt: listedSinceOf(bookmark) });
	const isWhole = reading !== undefined && started.length === reading.listed.length;
	return { ...moved, readAt: isWhole ? now : bookmark.readAt };
}

function sessionsBookmark({ cursor, search }: Round): TimedBookmark {
	return cursor.sessions ?? beginList(cursor, viewOf(cursor, search));
}
