import { asFailure } from '../client/failure';
import { largestPage, readPages } from '../client/pages';
import { pathTo } from '../client/path';
import { readKeys, seenKey } from '../events/delivery';
import {
	eventTypeOf,
	hasHappenedSince,
	listableTypes,
	type ListedEvent,
} from '../events/eventTypes';
import type { JsonObject } from '../values/json';
import { readDelivered, withSessionId, type DeliveredRecord } from '../records/record';
import { mostEventsInRun, type ReadPeople, type RegistrationTimes } from './cursor';
import type { PeoplePlan } from './peoplePlan';
import {
	changedQuery,
	eventsIn,
	listChanged,
	noneIfGone,
	type PolledList,
	type Round,
} from './round';

/** The people of a session, whom a poll has read. */
export interface PolledPeople extends PolledList {
	/** The plan by which they were read. */
	plan: PeoplePlan;
	/** The number of the page from which on the list is still to be read. Absent: it was read to its end. */
	restPage?: number;
	/** The bookmark after the poll, without the events that start a run in this poll. */
	next: ReadPeople;
}

/** Reads the people of a session, and finds the news about them. */
export async function pollPeople(round: Round, plan: PeoplePlan): Promise<PolledPeople> {
	const { events, restPage } = await readPeoplePages(round, plan);
	return { ...findNewPeople(round, plan, events, restPage === undefined), restPage };
}

/** The events of the people whom one poll has read. */
type PeoplePages = Pick<PolledPeople, 'restPage'> & { events: ListedEvent[] };

/**
 * Reads the pages of a list of people, from the first that is planned on, until the time is over. Of attendance, which has no
 * order, it reads no more than one run can take.
 */
async function readPeoplePages(round: Round, plan: PeoplePlan): Promise<PeoplePages> {
	const { session, firstPage, changedSinceAt } = plan;
	const isNews = makeNewsTest(round, plan);
	const events: ListedEvent[] = [];
	let newsOfAttendance = 0;
	let nextPage = firstPage;
	try {
		for await (const page of readPages(round.api, pathTo`/sessions/${session.id}/people`, {
			query: changedQuery(changedSinceAt),
			firstPage,
		})) {
			for (const event of eventsOfPeople(round, session, page.records)) {
				events.push(event);
				if (event.attendance && mayBeTold(plan.next, event) && isNews(event)) newsOfAttendance += 1;
			}
			nextPage = Math.max(nextPage, (page.number ?? 0) + 1);
			if (newsOfAttendance > mostEventsInRun - largestPage) return { events, restPage: nextPage };
		}
		return { events };
	} catch (error) {
		const failure = asFailure(error);
		if (failure.cause === 'not_found') return { events };
		if (failure.cause === 'nothing_or_filter' && changedSinceAt !== undefined)
			return await readPeoplePages(round, { ...plan, changedSinceAt: undefined });
		if (!round.limits.isTimeOver() || nextPage === firstPage) throw failure;
		return { events, restPage: nextPage };
	}
}

/** Lists the events of at most `limit` people of a session. `sinceAt`: the time since which they have changed. Absent: everybody is listed. */
export async function listPeopleEvents(
	round: Round,
	session: DeliveredRecord,
	sinceAt?: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.search.eventTypes, 'people').length === 0) return [];
	const path = pathTo`/sessions/${session.id}/people`;
	const people = await listChanged(round.api, path, sinceAt, limit).catch(noneIfGone);
	return eventsOfPeople(round, session, people);
}

/** Finds the events that records of people of a session show. */
function eventsOfPeople(
	round: Round,
	session: DeliveredRecord,
	records: readonly JsonObject[],
): ListedEvent[] {
	const people = records.map(readDelivered).filter((person) => person !== undefined);
	const peopleOfSession = people.map((person) => withSessionId(person, session.id));
	return eventsIn(round, 'people', peopleOfSession, session.attributes);
}

/** Finds the people who have to start a run, and decides how the bookmark goes on. */
function findNewPeople(
	round: Round,
	plan: PeoplePlan,
	events: ListedEvent[],
	isToTheEnd: boolean,
): PolledPeople {
	const next = { ...plan.next };
	const isNews = makeNewsTest(round, plan);
	const hasNewAttendee = events.some((event) => event.attendance === 'came' && isNews(event));
	// While the platform still adds attendees, nobody can be called absent.
	if (hasNewAttendee && next.attendance !== 'notOver' && !plan.isFirstAfterEnd) {
		next.attendance = 'open';
		next.changedAt = round.nowSeconds;
	}
	const listed = events.filter((event) => mayBeTold(next, event));
	const isWhole =
		isToTheEnd && plan.reads === 'everybody' && round.cursor.registrationTimes !== 'present';
	next.isComplete = plan.next.isComplete || isWhole;
	return { plan, next, listed, news: listed.filter(isNews) };
}

/** Whether an event may be told while attendance is in that state: nobody is absent before it has settled. */
function mayBeTold({ attendance }: ReadPeople, event: ListedEvent): boolean {
	return attendance === 'settled' || event.attendance !== 'stayedAway';
}

/** Makes a function that tells whether an event of the people of a session has to start a run. */
function makeNewsTest(
	{ cursor, search }: Round,
	{ bookmark, next }: PeoplePlan,
): (event: ListedEvent) => boolean {
	const [seenKeys, untimedKeys] = [readKeys(bookmark.seen), readKeys(bookmark.untimed)];
	// Where the people were never read, some of them may have been there before the trigger began.
	const untimedSinceAt = bookmark.untimed === undefined ? bookmark.sinceAt : cursor.startedAt;
	// Where no time tells it: who was not in the list when attendance had settled has registered for the replay.
	const wasSettled = bookmark.kind === 'read' && bookmark.attendance === 'settled';
	return (event: ListedEvent): boolean => {
		if (wasSettled && event.attendance === 'stayedAway') return false;
		const key = seenKey(event);
		if (seenKeys.has(key) || untimedKeys.has(key) || search.isDelivered?.(event) === true)
			return false;
		if (!event.isUntimed) return hasHappenedSince(event, bookmark.sinceAt);
		const isNewcomer = next.isComplete && event.attendance === undefined;
		return hasHappenedSince(event, untimedSinceAt) || isNewcomer;
	};
}

/** Reads one person to see whether the platform tells when somebody registered; undefined where no session shows it. */
export async function readRegistrationTimes(
	round: Round,
	sessions: readonly DeliveredRecord[],
): Promise<RegistrationTimes | undefined> {
	const { cursor, search } = round;
	const eventTypes = search.eventTypes.filter((name) => !eventTypeOf(name).attendance);
	const session = sessions.find(
		({ id, attributes }) => !cursor.people[id] && attributes.registrants_count !== 0,
	);
	if (session === undefined) return undefined;
	const forRegistrations = { ...round, search: { ...search, eventTypes } };
	const [event] = await listPeopleEvents(forRegistrations, session, undefined, 1);
	return event && (event.isUntimed ? 'missing' : 'present');
}
