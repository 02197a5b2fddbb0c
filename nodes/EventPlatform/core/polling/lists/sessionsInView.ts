import { largestPage } from '../../client/pages';
import type { Ask } from '../../client/request';
import { parseSeconds, plannedStart } from '../../dialect/time';
import { listableTypes, typesOfContent } from '../../events/eventTypes';
import type { DeliveredRecord } from '../../records/record';
import { isOpen, sessionStatus } from '../../sessions/phase';
import { ageOf } from '../../values/recentTimes';
import { daySeconds, type Seconds } from '../../values/units';
import type { Round } from '../pollContext';
import { searchKey } from '../pollSettings';
import { listOnDemand, listSessions, ofTitle, readAlone } from '../sessionList';
import { fullListOf, type FullList } from './cursor';

/** The sessions that a poll looks at, and the facts about them that the next poll needs. */
export interface SessionsInView {
	/** The sessions, with the title of their event where the filter needs it. */
	sessions: DeliveredRecord[];
	/** All sessions were looked at, and not only the recent ones. */
	isAll: boolean;
	/** The sessions that were listed. Those that are planned to start are among them. */
	listed: DeliveredRecord[];
	/** The last list of all sessions, which decides how the next poll lists them. Absent: it lists all. */
	fullList?: FullList;
	/** The ids of sessions that stay in view: they are open, or could not be read. */
	keptIds: string[];
}

/** The sessions that were listed, whether or not the poll looks at them. */
interface SessionList {
	sessions: DeliveredRecord[];
	isAll: boolean;
	unreadIds: string[];
	/** The last list of all sessions. */
	fullList: FullList;
}

/** The times of a session. People may have registered for it until the latest of them. */
function lastTimesOf({ attributes }: DeliveredRecord): Array<Seconds | undefined> {
	const { ended_at, canceled_at, created_at } = attributes;
	return [
		...[ended_at, canceled_at, created_at].map((time) => parseSeconds(time)),
		plannedStart(attributes),
	];
}

/** Reads the sessions that are not over, those that ended lately, and those about which something is still to be read. */
export async function readSessionsInView(
	round: Round,
	askForList = round.ask,
): Promise<SessionsInView> {
	const { cursor, search } = round;
	const keptIds = cursor.keptSessionIds ?? [];
	if (!needsSessions(search.eventTypes)) {
		return { sessions: [], isAll: true, listed: [], fullList: cursor.fullList, keptIds };
	}
	const { sessions, isAll, unreadIds, fullList } = await listForView(round, askForList);
	const oldestAt = oldestInViewAt(round);
	const isRecent = (session: DeliveredRecord) =>
		lastTimesOf(session).some((time = 0) => time >= oldestAt);
	const recent = sessions.filter(
		(session) => isOpen(session.attributes) || isRecent(session) || keptIds.includes(session.id),
	);
	const within = await ofTitle(round, recent);
	const openNow = within.filter(({ attributes }) => isOpen(attributes));
	return {
		sessions: within,
		listed: sessions,
		fullList,
		keptIds: [...openNow.map(({ id }) => id), ...unreadIds],
		isAll,
	};
}

export function needsSessions(eventTypes: readonly string[]): boolean {
	const recordTypes = ['sessions', 'people', ...typesOfContent];
	return recordTypes.some((recordType) => listableTypes(eventTypes, recordType).length > 0);
}

/**
 * So many open sessions that the parts do not show are read alone. Where there are more of them, all sessions are listed again. Ten requests are what a
 * list of 500 sessions costs.
 */
const mostOpenReadAlone = 10;

/**
 * Lists all sessions once a day, and in every poll where they fit on a page. In between it lists the parts: the sessions planned to
 * start lately or later, those on demand, and each other one that was open: it may have no planned start, or be live for days.
 */
async function listForView(round: Round, askForList: Ask): Promise<SessionList> {
	const { cursor, search, nowSeconds } = round;
	const forList = { ...round, ask: askForList };
	const fullList = fullListOf(cursor, search);
	const isFresh = fullList && ageOf(fullList.listedAt, nowSeconds) < daySeconds;
	if (!isFresh || fullList.listedNext === 'all') return await listAll(forList);
	const listed = await listSessions(forList, { fromAt: recentSinceAt(round) });
	if (listed.isAll) return asFullList(round, listed.sessions);
	// Sessions on demand may have been planned years ago, and people register for them all the time.
	const needsOnDemand = fullList.listedNext === 'recentAndOnDemand';
	// Where the platform does not know that filter, those that are missing are read alone.
	const onDemand = needsOnDemand ? await listOnDemand(forList) : [];
	const byId = new Map([...listed.sessions, ...onDemand].map((session) => [session.id, session]));
	const missing = (cursor.keptSessionIds ?? []).filter((id) => !byId.has(id));
	if (missing.length > mostOpenReadAlone) return await listAll(forList);
	const unreadIds: string[] = [];
	for (const id of missing) {
		const session = await round.tryToRead(readAlone(round.ask, id));
		if (session === undefined) unreadIds.push(id);
		else if (session !== 'gone') byId.set(id, session);
	}
	return { sessions: [...byId.values()], isAll: false, unreadIds, fullList };
}

async function listAll(round: Round): Promise<SessionList> {
	const { sessions } = await listSessions(round);
	return asFullList(round, sessions);
}

function asFullList({ search, nowSeconds }: Round, sessions: DeliveredRecord[]): SessionList {
	const parts = sessions.some(isOnDemand) ? 'recentAndOnDemand' : 'recent';
	const fullList: FullList = {
		searchKey: searchKey(search),
		listedAt: nowSeconds,
		listedNext: sessions.length <= largestPage ? 'all' : parts,
	};
	return { sessions, isAll: true, unreadIds: [], fullList };
}

function isOnDemand({ attributes }: DeliveredRecord): boolean {
	return sessionStatus(attributes) === 'on_demand';
}

/** A session may have ended while no poll took place, so that its days count from the last poll. */
function oldestInViewAt({ cursor, search, nowSeconds }: Round): Seconds {
	return Math.min(nowSeconds, cursor.polledAt) - search.endedWithinDays * daySeconds;
}

/** A session may last a day, so that its planned start may be a day before the end from which on it is looked at. */
function recentSinceAt(round: Round): Seconds {
	return Math.max(0, Math.floor(oldestInViewAt(round)) - daySeconds);
}
