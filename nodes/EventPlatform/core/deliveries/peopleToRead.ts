import { day, overlap, readKeys, sinceOf, writeKeys, type Bookmark, type Cursor } from './cursor';
import { seenKey } from './delivery';
import { peopleOf, type Happened } from './happened';
import { kindOf } from './kinds';
import { seconds, type DeliveredRecord } from './record';

/** How the people of a session are read. */
export interface Plan {
	/** All of them, not only those that changed. */
	isWhole: boolean;
	/** Attendance was read before. */
	isSecondWhole: boolean;
	/** Whether attendance changes no more; absent where it is not looked at. */
	hasSettled?: boolean;
	next: Omit<Bookmark, 'readAt'>;
}

type Planned = { session: DeliveredRecord } & (
	| { plan: Plan; bookmark?: Bookmark }
	/** It is not read, and this is kept of it. */
	| { plan?: undefined; bookmark: Bookmark }
);

/** A list that was read. */
export interface ReadList {
	list: string;
	former?: Bookmark;
	/** All that it shows. */
	found: Happened[];
	/** What of it was not told yet. */
	news: Happened[];
	/** For when all news are taken. */
	next: Bookmark;
}

/** So many sessions are read in one poll only because a day has passed. */
const mostDaily = 5;
/** Attendance that is first read so long after the end has settled. */
const settledAfter = 3_600;

/**
 * The people of a session are read when its counts or times have changed; again while the count is ahead of
 * the list; after its end until attendance changes no more; and once a day, because somebody
 * may have left when somebody else joined.
 */
export function planRead(
	sessions: readonly DeliveredRecord[],
	cursor: Cursor,
	kinds: readonly string[],
	now: number,
): Planned[] {
	const readAt = (session: DeliveredRecord) => cursor.lists[peopleOf(session)]?.readAt ?? now;
	const daily = sessions
		.filter((one) => now - readAt(one) >= day && one.attributes.registrants_count !== 0)
		.sort((one, other) => readAt(one) - readAt(other))
		.slice(0, mostDaily);
	const wanted = kinds.map(kindOf).filter(({ subject, when }) => subject === 'people' && when);
	const looks = {
		cursor,
		now,
		forAttendance: wanted.some(({ isAttendance }) => isAttendance),
		forOthers: wanted.some(({ isAttendance }) => !isAttendance),
	};
	return sessions.map((session) => planFor(session, { ...looks, isDue: daily.includes(session) }));
}

interface Look {
	cursor: Cursor;
	now: number;
	forAttendance: boolean;
	forOthers: boolean;
	isDue: boolean;
}

function planFor(session: DeliveredRecord, look: Look): Planned {
	const { cursor, now, forAttendance, forOthers, isDue } = look;
	const list = peopleOf(session);
	const former = cursor.lists[list];
	const { registrants_count, attendees_count, updated_at, started_at, ended_at } =
		session.attributes;
	const count = typeof registrants_count === 'number' ? registrants_count : undefined;
	// A platform that does not count: its people are read each time.
	const mark =
		count === undefined
			? undefined
			: JSON.stringify([count, attendees_count, updated_at, started_at, ended_at]);
	const hasChanged = former === undefined || mark !== former.mark;
	const endedAt = seconds(ended_at);
	const isOver = forAttendance && endedAt !== undefined && endedAt >= cursor.from;

	const isFirstWhole = isOver && former?.hasSettled === undefined;
	const wasLongAgo = isFirstWhole && now - endedAt >= settledAfter;
	const changedAt = wasLongAgo
		? endedAt
		: hasChanged || isFirstWhole
			? now
			: (former.changedAt ?? now);
	const isQuiet = now - changedAt >= overlap;
	const joined = forOthers ? (count ?? 0) - (former?.count ?? count ?? 0) : 0;
	const owed = Math.max(0, (former?.owed ?? 0) + joined);
	const next = {
		...(mark !== undefined && { mark, count }),
		...{ changedAt, owed },
		...(former?.hasSettled !== undefined && { hasSettled: former.hasSettled }),
	};

	if (count === 0) {
		// What was known stays known: who left may come back, and a count may be wrong.
		const first = { readAt: now, isComplete: true };
		return { session, bookmark: { ...(former ?? first), ...next, owed: 0 } };
	}
	const isWhole = (isOver && (hasChanged || former.hasSettled !== true)) || false;
	const needsAll = former === undefined && cursor.hasNoTimes === true;
	if (former === undefined && !needsAll && !isWhole && sinceOf(cursor, list) >= now) {
		return { session, bookmark: { ...next, readAt: now } };
	}
	const isLagging = owed > 0 && (former?.readAt ?? now) < changedAt + overlap;
	const isSettling = isOver && former?.hasSettled === false && isQuiet;
	const isNeeded =
		hasChanged ||
		mark === undefined ||
		former.isCut ||
		isFirstWhole ||
		isLagging ||
		isSettling ||
		isDue;
	if (!isNeeded) return { session, bookmark: former };
	const plan: Plan = {
		isWhole: isWhole || needsAll,
		isSecondWhole: isOver && !isFirstWhole,
		...(isOver && { hasSettled: former?.hasSettled === true || isQuiet }),
		next,
	};
	return { session, plan, bookmark: former };
}

interface Comparison {
	list: string;
	session: DeliveredRecord;
	plan: Plan;
	bookmark?: Bookmark;
	cursor: Cursor;
	now: number;
}

/** What of the people of a session was not told yet. */
export function newPeople(found: Happened[], comparison: Comparison): ReadList {
	const { list, session, plan, bookmark, cursor, now } = comparison;
	const told = readKeys(bookmark?.seen, bookmark?.fresh, bookmark?.known);
	const since = sinceOf(cursor, list);
	const isNewSession = (seconds(session.attributes.created_at) ?? 0) >= cursor.from;
	const unknown = found.filter((event) => !told.has(seenKey(event)) && !isTold(cursor, event));
	const timely = unknown.filter(({ kind, at, isLate }) => {
		if (!isLate) return at >= since;
		if (kindOf(kind).isAttendance) return at >= cursor.from;
		return bookmark?.isComplete === true || isNewSession || at >= cursor.from;
	});
	const isAttended = ({ kind }: Happened) => {
		const { isAttendance, isDeniable } = kindOf(kind);
		return isAttendance === true && isDeniable !== true;
	};
	// While more and more people turn out to have attended, nobody is absent yet.
	const isStillChanging = plan.isSecondWhole && timely.some(isAttended);
	const hasSettled = plan.hasSettled === true && !isStillChanging;
	const news = timely.filter(({ kind }) => hasSettled || kindOf(kind).isDeniable !== true);
	const joined = news.filter(({ kind }) => kindOf(kind).isAttendance !== true).length;
	const next: Bookmark = {
		...plan.next,
		readAt: now,
		owed: Math.max(0, (plan.next.owed ?? 0) - joined),
		isComplete: bookmark?.isComplete === true || (plan.isWhole && cursor.hasNoTimes === true),
		...(plan.hasSettled !== undefined && { hasSettled }),
		...(isStillChanging && { changedAt: now }),
	};
	const isOpenStill = ({ kind }: Happened) => kindOf(kind).isDeniable === true && !hasSettled;
	const late = found.filter((event) => event.isLate && !isOpenStill(event)).map(seenKey);
	next.known = writeKeys([...readKeys(bookmark?.known), ...late]);
	return { list, former: bookmark, found, news, next };
}

/** An earlier activation told of it, with another start. */
export function isTold({ told = [] }: Cursor, { at }: Happened): boolean {
	return told.some(([from, until]) => at >= from && at < until);
}
