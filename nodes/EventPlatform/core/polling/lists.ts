import { Failure } from '../client/failure';
import type { Cause } from '../client/cause';
import { largestPage, listRecords, type List } from '../client/pages';
import { asSpelled, pathTo } from '../client/path';
import type { ApiRequest, Ask } from '../client/request';
import { seconds } from '../values/time';
import type { JsonObject } from '../values/json';
import { isOpen } from '../sessions/phase';
import { askForSession, besideEvent, withEvent } from '../sessions/readSession';
import { titled, titlesOf } from '../sessions/titles';
import {
	bookmarkOf,
	day,
	unlimited,
	type Cursor,
	type Round,
	type View,
	type Wanted,
} from './cursor';
import { readKeys, seenKey } from '../events/delivery';
import { eventTypeOf, listed, lists, passes, type ListedEvent } from '../events/eventTypes';
import { inSession, readDelivered, type DeliveredRecord } from '../records/record';

export function peopleOf({ id }: DeliveredRecord): string {
	return pathTo`/sessions/${id}/people`;
}

/** What the records of a list show to have happened, whenever that was. */
export function eventsIn(
	{ wanted }: Round,
	type: string,
	records: readonly DeliveredRecord[],
	session?: JsonObject,
): ListedEvent[] {
	const eventTypes = listed(wanted.eventTypes, type);
	return records.flatMap((record) =>
		eventTypes.flatMap((eventType) => {
			const { when, comesLate, attendance } = eventTypeOf(eventType);
			const at = when?.(record, session ?? {});
			if (at === undefined || !passes({ eventType, record }, wanted.filters)) return [];
			const titles = titlesOf(session ?? record.attributes);
			return { eventType, record, at, titles, attendance, isLate: comesLate?.(record) ?? false };
		}),
	);
}

/** Of the people that changed since then, or of all; at most so many. */
export async function eventsOfPeople(
	round: Round,
	session: DeliveredRecord,
	since?: number,
	limit?: number,
): Promise<ListedEvent[]> {
	if (listed(round.wanted.eventTypes, 'people').length === 0) return [];
	const query = since === undefined ? undefined : { 'filter[updated_since]': since };
	const people = await list(round.api, peopleOf(session), { query, limit }).catch(unlessGone);
	const inIt = people?.map((person) => inSession(person, session.id));
	return eventsIn(round, 'people', inIt ?? [], session.attributes);
}

export async function readEvents(round: Round, since: number, limit?: number) {
	if (listed(round.wanted.eventTypes, 'events').length === 0) return [];
	const query = { 'filter[updated_since]': since };
	return eventsIn(round, 'events', await list(round.api, lists.events, { query, limit }));
}

async function list(api: Ask, path: string, asked: List): Promise<DeliveredRecord[]> {
	const records = await listRecords(api, path, asked);
	return records.flatMap((one) => readDelivered(one) ?? []);
}

/** Those of the named jobs that have ended and are not known: one request for each that is not. */
export async function readJobs({ api, attempt, cursor, wanted, limits, now }: Round) {
	const eventType = wanted.eventTypes.find((one) => eventTypeOf(one).isNamed);
	if (eventType === undefined) return [];
	const told = readKeys(bookmarkOf(cursor, lists.jobs).known);
	const ended: ListedEvent[] = [];
	for (const id of new Set(wanted.filters.jobIds.map(asSpelled))) {
		if (limits.isTimeOver()) break;
		const path = pathTo`/jobs/${id}`;
		const named = readDelivered({ id });
		if (named && told.has(seenKey({ eventType, record: named }))) continue;
		const answer = await attempt(api({ method: 'GET', path }).catch(unlessGone));
		const record = readDelivered(answer?.body);
		if (record === undefined || eventTypeOf(eventType).isBorneOut?.(record) === false) continue;
		ended.push({
			eventType,
			record: { ...record, id },
			at: Math.max(now, cursor.from),
			isLate: true,
		});
	}
	return ended;
}

/** What was deleted after it was listed, or never was there, holds up nothing else. */
function unlessGone(error: unknown): null {
	if (error instanceof Failure && error.reason === 'not_found') return null;
	throw error;
}

/** People may have registered until one of these. */
const lastTimes = ['ended_at', 'canceled_at', 'estimated_started_at', 'created_at'];

/** The sessions of a poll, and what is remembered of them. */
export interface SessionsInView {
	/** Those that are looked at. */
	sessions: DeliveredRecord[];
	view?: View;
	/** The ids of those that are open, or could not be read. */
	open: string[];
}

/**
 * The sessions that are not over, and those that ended lately. The platform can only filter by the planned start, which
 * leaves out those that have none or are live for days. So all are listed once a day, or each time where that costs no
 * more, and what was open and is not listed any more is asked for by itself.
 */
export async function sessionsInView(round: Round): Promise<SessionsInView> {
	const { api, cursor, wanted, now } = round;
	const { view, polledAt, open: formerly = [] } = cursor;
	const { sessionId } = wanted.filters;
	const others = { view, open: formerly };
	if (listed(wanted.eventTypes, 'sessions', 'people').length === 0)
		return { sessions: [], ...others };
	if (sessionId !== '') {
		const session = await readOne(api, sessionId);
		return { sessions: session ? [session] : [], ...others };
	}
	// From the last poll, so that none is overlooked that ended while nobody polled.
	const oldest = Math.min(now, polledAt) - wanted.endedWithinDays * day;
	const { sessions, unread, next } = await listSessions(round, oldest);
	const isRecent = ({ attributes }: DeliveredRecord) =>
		lastTimes.some((name) => (seconds(attributes[name]) ?? 0) >= oldest);
	const inView = sessions.filter(
		(one) => isOpen(one.attributes) || isRecent(one) || formerly.includes(one.id),
	);
	const open = inView.filter(({ attributes }) => isOpen(attributes)).map(({ id }) => id);
	return { sessions: inView, view: next, open: [...open, ...unread] };
}

/** All sessions; or those that came since a time, those on demand, and what else was open. */
async function listSessions({ api, attempt, cursor, wanted, now }: Round, oldest: number) {
	const { view, open: formerly = [] } = cursor;
	const { eventId } = wanted.filters;
	const path = eventId === '' ? lists.sessions : pathTo`/events/${eventId}/sessions`;
	const onPage = (body: unknown) => (session: JsonObject) => titled(besideEvent(body, session));
	const listFrom = (query: ApiRequest['query']) =>
		list(api, path, { query: { ...query, ...withEvent }, fallbackQuery: query ?? {}, onPage });
	const isDue = view === undefined || Math.abs(now - view.listedAt) >= day;
	const last: View = isDue ? { listedAt: now, pages: 0, hidden: 0 } : view;
	const onDemandPages = Math.ceil((last.onDemand ?? 0) / largestPage);
	let isPart = last.pages > 1 + onDemandPages + last.hidden;
	const recent = { 'filter[date_from]': Math.max(0, Math.floor(oldest) - day) };
	let sessions = await listFrom(isPart ? recent : {});
	// They may have been planned years ago, and people register for them all the time.
	if (isPart && onDemandPages > 0) {
		const onDemand = await listFrom({ 'filter[status]': 'on_demand' }).catch(noneIfRefused);
		sessions = [...new Map([...sessions, ...onDemand].map((one) => [one.id, one])).values()];
	}
	const shown = new Set(sessions.map(({ id }) => id));
	const hidden = isDue ? [] : formerly.filter((id) => !shown.has(id));
	if (isPart && hidden.length > last.pages) {
		isPart = false;
		sessions = await listFrom({});
	}
	const unread: string[] = [];
	for (const id of isPart ? hidden : []) {
		const session = await attempt(readOne(api, id).catch(unlessGone));
		if (session) sessions.push(session);
		else if (session === undefined) unread.push(id);
	}
	const pages = Math.ceil(sessions.length / largestPage);
	const isOnDemand = ({ attributes }: DeliveredRecord) => attributes.status === 'on_demand';
	const onDemand = sessions.filter(isOnDemand).length || undefined;
	const whole: Omit<View, 'hidden'> = isPart ? last : { listedAt: now, pages, onDemand };
	const next: View = { ...whole, hidden: Math.max(last.hidden, hidden.length) };
	return { sessions, unread, next };
}

async function readOne(api: Ask, id: string): Promise<DeliveredRecord | undefined> {
	return readDelivered(titled(await askForSession(api, id)));
}

/** A platform that does not know the filter: the sessions are asked for one by one. */
function noneIfRefused(error: unknown): DeliveredRecord[] {
	const refusals: Cause[] = ['refused', 'unprocessable', 'not_found', 'page_out_of_range'];
	if (error instanceof Failure && refusals.includes(error.reason)) return [];
	throw error;
}

/** The latest of what there is, whenever it happened: for a test, so that few requests are enough. */
export async function findLatest(api: Ask, sought: Wanted, now: number) {
	const wanted = { ...sought, endedWithinDays: Math.max(30, sought.endedWithinDays) };
	const cursor: Cursor = { from: now, polledAt: now, lists: {} };
	const limits = unlimited;
	const attempt: Round['attempt'] = (work) => work;
	const round: Round = { api, attempt, wanted, limits, cursor, now, platformNow: now };
	const jobs = await readJobs(round);
	if (jobs.length > 0) return jobs.at(-1);
	const { sessions } = await sessionsInView(round);
	const updatedAt = ({ attributes }: DeliveredRecord) => seconds(attributes.updated_at) ?? 0;
	const latest = sessions
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((one, other) => updatedAt(other) - updatedAt(one))
		.slice(0, 3);
	for (const since of [now - day, 0]) {
		const found = eventsIn(round, 'sessions', sessions);
		found.push(...(await readEvents(round, since, largestPage)));
		for (const session of latest)
			found.push(...(await eventsOfPeople(round, session, since, largestPage)));
		const timely = found.filter(({ at, isLate }) => isLate || at >= since);
		if (timely.length > 0) return timely.sort((one, other) => one.at - other.at).at(-1);
	}
	return undefined;
}
