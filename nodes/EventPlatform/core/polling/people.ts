import { pathTo } from '../client/path';
import { readKeys, seenKey } from '../events/delivery';
import {
	eventTypeOf,
	hasHappenedSince,
	listableTypes,
	type ListedEvent,
} from '../events/eventTypes';
import { withSessionId, type DeliveredRecord } from '../records/record';
import { changedSince, type ReadPeople, type RegistrationTimes } from './cursor';
import type { PolledList } from './news';
import type { PeoplePlan } from './peoplePlan';
import { eventsIn, listDelivered, noneIfGone, type Round } from './round';

/** The people of a session, whom a poll has read. */
export interface PolledPeople extends PolledList {
	/** The plan by which they were read. */
	plan: PeoplePlan;
	/** The time since which the listed people have changed. Absent: everybody was listed. */
	listedSinceAt?: number;
	/** The bookmark after the poll, without the events that start a run in this poll. */
	next: ReadPeople;
}

/** Reads the people of a session, and finds the news about them. */
export async function pollPeople(round: Round, plan: PeoplePlan): Promise<PolledPeople> {
	const { reads, bookmark } = plan;
	const readAt = bookmark.kind === 'read' ? bookmark.readAt : undefined;
	const listedSinceAt = reads === 'everybody' ? undefined : changedSince(bookmark.sinceAt, readAt);
	const events = await listPeopleEvents(round, plan.session, listedSinceAt);
	return { listedSinceAt, ...findNewPeople(round, plan, events) };
}

/** Lists the events of at most `limit` people of a session. `sinceAt`: the time since which they have changed. Absent: everybody is listed. */
export async function listPeopleEvents(
	round: Round,
	session: DeliveredRecord,
	sinceAt?: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.search.eventTypes, 'people').length === 0) return [];
	const query = sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
	const path = pathTo`/sessions/${session.id}/people`;
	const people = await listDelivered(round.api, path, { query, limit }).catch(noneIfGone);
	const peopleOfSession = people.map((person) => withSessionId(person, session.id));
	return eventsIn(round, 'people', peopleOfSession, session.attributes);
}

/** Finds the people who have to start a run, and decides how the bookmark goes on. */
function findNewPeople(round: Round, plan: PeoplePlan, events: ListedEvent[]): PolledPeople {
	const next = { ...plan.next };
	const isNews = makeNewsTest(round, plan);
	const hasNewAttendee = events.some((event) => event.attendance === 'came' && isNews(event));
	// While the platform still adds attendees, nobody can be called absent.
	if (hasNewAttendee && next.attendance !== 'notOver' && !plan.isFirstAfterEnd) {
		next.attendance = 'open';
		next.changedAt = round.now;
	}
	const isSettled = next.attendance === 'settled';
	const listed = events.filter((event) => isSettled || event.attendance !== 'stayedAway');
	const isWhole = plan.reads === 'everybody' && round.cursor.registrationTimes !== 'present';
	next.isComplete = plan.next.isComplete || isWhole;
	return { plan, next, listed, news: listed.filter(isNews) };
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
