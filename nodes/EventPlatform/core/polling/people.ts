import { pathTo } from '../client/path';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { eventTypeOf, listableTypes, type ListedEvent } from '../events/eventTypes';
import { inSession, type DeliveredRecord } from '../records/record';
import {
	changedSince,
	type PeopleBookmark,
	type ReadPeople,
	type RegistrationTimes,
} from './cursor';
import { moveBookmark, type ListReading } from './news';
import type { PeoplePlan } from './peoplePlan';
import { eventsIn, listDelivered, noneIfGone, type Round } from './round';

/** People who were read in a poll. */
export interface PeopleReading extends ListReading {
	plan: PeoplePlan;
	/** Only people who have changed since then were listed. Absent: everybody was. */
	listedSinceAt?: number;
	/** The bookmark after the poll, without the events that start a run in it. */
	next: ReadPeople;
}

/** Reads the people of a session, and finds what is new of them. */
export async function readPeople(round: Round, plan: PeoplePlan): Promise<PeopleReading> {
	const { reads, bookmark } = plan;
	const readAt = bookmark.kind === 'read' ? bookmark.readAt : undefined;
	const listedSinceAt = reads === 'everybody' ? undefined : changedSince(bookmark.sinceAt, readAt);
	const events = await eventsOfPeople(round, plan.session, listedSinceAt);
	return { listedSinceAt, ...findNewPeople(round, plan, events) };
}

/** Lists the events of people who have changed since then, or of everybody; of at most `limit` people. */
export async function eventsOfPeople(
	round: Round,
	session: DeliveredRecord,
	sinceAt?: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listableTypes(round.search.eventTypes, 'people').length === 0) return [];
	const query = sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
	const path = pathTo`/sessions/${session.id}/people`;
	const people = await listDelivered(round.api, path, { query, limit }).catch(noneIfGone);
	const registered = people.map((person) => inSession(person, session.id));
	return eventsIn(round, 'people', registered, session.attributes);
}

function findNewPeople(round: Round, plan: PeoplePlan, events: ListedEvent[]): PeopleReading {
	const { bookmark } = plan;
	const next = { ...plan.next };
	const isNews = newsTest(round, plan);
	const hasCome = events.some((event) => event.attendance === 'came' && isNews(event));
	// As long as more people turn out to have attended, nobody is certainly absent.
	if (hasCome && next.attendance !== 'notOver' && !plan.isFirstAfterEnd) {
		next.attendance = 'open';
		next.changedAt = round.now;
	}
	const isSettled = next.attendance === 'settled';
	const listed = events.filter((event) => isSettled || event.attendance !== 'stayedAway');
	const isWhole = plan.reads === 'everybody' && round.cursor.registrationTimes !== 'given';
	next.isComplete = bookmark.isComplete || plan.next.isComplete || isWhole;
	return { plan, next, listed, news: listed.filter(isNews) };
}

/** Gives a function that tells whether an event of the people of a session has to start a run. */
function newsTest(
	{ cursor, search }: Round,
	{ bookmark, next }: PeoplePlan,
): (event: ListedEvent) => boolean {
	const [seen, untimed] = [readKeys(bookmark.seen), readKeys(bookmark.untimed)];
	// Where the people were never read, some of them may have been there before the trigger began.
	const untimedSinceAt = bookmark.untimed === undefined ? bookmark.sinceAt : cursor.startedAt;
	return (event: ListedEvent): boolean => {
		const key = seenKey(event);
		if (seen.has(key) || untimed.has(key) || search.isDelivered?.(event) === true) return false;
		if (!event.isUntimed) return event.at >= bookmark.sinceAt;
		return event.at >= untimedSinceAt || (next.isComplete && event.attendance === undefined);
	};
}

/** The bookmark when all events but those that are left over have started a run. */
export function rememberPeople(
	{ plan, listed, listedSinceAt, next }: PeopleReading,
	leftOver: ReadonlySet<ListedEvent>,
	now: number,
): PeopleBookmark {
	const started = listed.filter((event) => !leftOver.has(event));
	const timed = started.filter(({ isUntimed }) => !isUntimed);
	const untimed = started.filter(({ isUntimed }) => isUntimed).map(seenKey);
	const keys = {
		...moveBookmark(plan.bookmark, timed, { now, listedSinceAt }),
		untimed: writeKeys([...readKeys(plan.bookmark.untimed), ...untimed]),
		isComplete: next.isComplete,
	};
	if (started.length === listed.length) return { ...next, ...keys };
	// The events that are left over are found again: by their time, or because their key is not remembered.
	return { kind: 'due', triedAt: now, ...keys };
}

/** Finds out, with one request, whether the platform tells when somebody registered; undefined: no session shows it. */
export async function findRegistrationTimes(
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
	const [event] = await eventsOfPeople(forRegistrations, session, undefined, 1);
	return event && (event.isUntimed ? 'missing' : 'given');
}
