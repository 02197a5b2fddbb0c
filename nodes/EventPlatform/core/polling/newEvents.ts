/*
 * One poll, read from here downwards. `sessions.ts` decides which sessions are looked at, `people.ts` whose people are
 * read, `jobs.ts` reads named jobs. What is new is found by time or by key (`news.ts`), the oldest events start the run,
 * and `cursor.ts` is what is remembered. How often this may happen is decided in `ledger.ts`.
 */
import { asFailure, Failure } from '../client/failure';
import { withPlatformClock } from '../client/quota';
import type { Ask } from '../client/request';
import { listableTypes, lists, type ListedEvent } from '../events/eventTypes';
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
	type Wanted,
} from './cursor';
import { planContents, readContents, rememberContents, type ContentReading } from './contents';
import { readEndedJobs, rememberJobs } from './jobs';
import { findTimedNews, moveBookmark, type ListReading } from './news';
import {
	findRegistrationTimes,
	hidePeople,
	isUnfinished,
	lastTriedAt,
	planPeople,
	postponePeople,
	readPeople,
	rememberPeople,
	type PeoplePlan,
	type PeopleReading,
} from './people';
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
	/** For when the news have started their run. Absent: no answer has told yet from when on anything is news. */
	next?: Cursor;
	/** Something that was there is still to be told of. */
	isOpen: boolean;
	/** In Unix seconds. */
	platformNow: number;
}

/** All that a poll has read. */
interface Readings {
	/** Undefined: the sessions could not be listed. */
	inView?: SessionsInView;
	/** Undefined: the list could not be read, like the next. */
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
	former: Cursor | undefined,
	wanted: Wanted,
	clock: () => number,
	limits: PollLimits = unlimited,
): Promise<PollResult> {
	let hasAnswered = false;
	const { ask: api, clock: platform } = withPlatformClock(async (request) => {
		const answer = await ask(request);
		hasAnswered = true;
		return answer;
	}, clock);
	const failures: Failure[] = [];
	const attempt: Round['attempt'] = (work) =>
		work.catch((error: unknown) => {
			failures.push(failureOfOneList(error));
			return undefined;
		});
	const beginRound = (): Round => {
		const now = Math.floor((clock() - platform.aheadMs) / 1_000);
		return { api, attempt, wanted, limits, cursor: beginCursor(former, wanted, now), now };
	};

	// Until an answer tells the platform's time, our clock has to do.
	const first = beginRound();
	const inView = await attempt(sessionsInView(first));
	const events = await attempt(readEvents(first, shownSince(eventsBookmark(first.cursor))));
	const round = await withRegistrationTimes(beginRound(), inView);
	const readings = await readRest(round, inView, events, failures);
	const { news, next, isOpen } = takeOldest(round, readings);
	const isBegun = former !== undefined || wanted.startFrom !== undefined || hasAnswered;
	return { news, next: isBegun ? next : undefined, failures, isOpen, platformNow: round.now };
}

/** The failure of one list. Throws one that every request would meet. */
function failureOfOneList(error: unknown): Failure {
	const failure = asFailure(error);
	const { ends, again, person } = meaningOf(failure);
	if (ends === 'run' || (again === true && person === 'unsent')) throw failure;
	return failure;
}

export async function readEvents(
	round: Round,
	sinceAt: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.wanted.eventTypes, 'events').length === 0) return [];
	const asked = { query: { 'filter[updated_since]': sinceAt }, limit };
	return eventsIn(round, 'events', await listDelivered(round.api, lists.events, asked));
}

/** Reads jobs and people, after the lists that tell which people there are, and the platform's time. */
async function readRest(
	round: Round,
	inView: SessionsInView | undefined,
	events: ListedEvent[] | undefined,
	failures: Failure[],
): Promise<Readings> {
	const { cursor, wanted } = round;
	const jobs = await readEndedJobs(round);
	const plans = planPeople(round, inView?.sessions ?? []);
	const { people, givenUpAt } = await readAllPeople(round, plans, failures);
	const timed = (shown: ListedEvent[] | undefined, bookmark: TimedBookmark) =>
		shown && findTimedNews(shown, bookmark, wanted.wasDelivered);
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
	const { cursor, limits, attempt } = round;
	if (cursor.registrationTimes !== undefined || limits.isTimeOver()) return round;
	const registrationTimes = await attempt(findRegistrationTimes(round, inView?.sessions ?? []));
	return { ...round, cursor: { ...cursor, registrationTimes } };
}

/** Reads the people of the sessions, those first that were read or tried longest ago, until the time is over. */
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
				// Those who take all the time do not come first again, so that they keep out no others.
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
		const reading = await round.attempt(readContents(round, list));
		if (reading) readings.push(reading);
	}
	return readings;
}

/** The events that start the run, and the cursor that is kept when it has started. */
interface OldestNews {
	news: ListedEvent[];
	next: Cursor;
	/** Something that was there is still to be told of. */
	isOpen: boolean;
}

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
	const left = new Set(all.slice(mostAtOnce));
	const next = cursorAfter(round, readings, left);
	const unfinished = plans.filter(({ session }) => isUnfinished(next.people[session.id]));
	const open = [...(inView?.open ?? []), ...unfinished.map(({ session }) => session.id)];
	if (inView) next.open = [...new Set(open)];
	return { news, next, isOpen: left.size > 0 || unfinished.length > 0 };
}

/** The cursor when all but these events have started a run. */
function cursorAfter(round: Round, readings: Readings, left: ReadonlySet<ListedEvent>): Cursor {
	const { cursor, wanted, now } = round;
	const { inView, events, sessions, jobs } = readings;
	const started = (shown: ListedEvent[] = []) => shown.filter((event) => !left.has(event));
	const isAsked = (recordType: string) => listableTypes(wanted.eventTypes, recordType).length > 0;
	// A session that only the list of all sessions shows comes up to a day late.
	const listedAt = viewOf(cursor, wanted)?.listedAt;
	const next: Cursor = {
		...cursor,
		events: isAsked('events') ? eventsAfter(round, started(events?.shown), events) : undefined,
		sessions: isAsked('sessions')
			? moveBookmark(sessionsBookmark(round), started(sessions?.shown), { now, mostAt: listedAt })
			: undefined,
		contents: rememberContents(round, readings.contents, left),
		jobs: rememberJobs(cursor.jobs, started(jobs)),
		hasMore: left.size > 0,
	};
	if (inView === undefined) return next;
	return { ...next, people: peopleAfter(round, readings, left), polledAt: now, view: inView.view };
}

/** The bookmarks of people when all but these events have started a run. */
function peopleAfter(
	{ cursor, now }: Round,
	{ plans, people, givenUpAt }: Readings,
	left: ReadonlySet<ListedEvent>,
): Cursor['people'] {
	const next: Cursor['people'] = {};
	for (const [id, bookmark] of Object.entries(cursor.people)) {
		const hidden = hidePeople(bookmark, now);
		if (hidden) next[id] = hidden;
	}
	for (const plan of plans) {
		const { id } = plan.session;
		const reading = people.get(id);
		if (reading) next[id] = rememberPeople(reading, left, now);
		else if (plan.reads === 'none') next[id] = plan.next;
		else next[id] = postponePeople(plan, givenUpAt.get(id));
	}
	return next;
}

function eventsBookmark(cursor: Cursor): EventsBookmark {
	return cursor.events ?? beginList(cursor);
}

function shownSince({ sinceAt, readAt }: EventsBookmark): number {
	return changedSince(sinceAt, readAt);
}

function eventsAfter(
	{ cursor, now }: Round,
	started: ListedEvent[],
	reading: ListReading | undefined,
): EventsBookmark {
	const former = eventsBookmark(cursor);
	const moved = moveBookmark(former, started, { now, shownSinceAt: shownSince(former) });
	const isWhole = reading !== undefined && started.length === reading.shown.length;
	return { ...moved, readAt: isWhole ? now : former.readAt };
}

function sessionsBookmark({ cursor, wanted }: Round): TimedBookmark {
	return cursor.sessions ?? beginList(cursor, viewOf(cursor, wanted));
}
