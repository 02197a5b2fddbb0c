import { day, overlap, readKeys, sinceOf, writeKeys, type Bookmark, type Cursor } from './cursor';
import { seenKey } from './delivery';
import { kindOf } from './kinds';
import { peopleOf, type Happened } from './lists';
import { seconds, type DeliveredRecord } from './record';

/** What becomes of the people of a session in one poll. */
export interface Plan {
	session: DeliveredRecord;
	/** All of them are read, or those that changed; absent: none. */
	read?: 'all' | 'changed';
	/** Attendance was read before. */
	isSecond: boolean;
	/** What is remembered; of what is read, `newPeople` adds the rest. */
	next: Bookmark;
}

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
): Plan[] {
	const readAt = (session: DeliveredRecord) => cursor.lists[peopleOf(session)]?.readAt ?? now;
	const daily = sessions
		.filter((one) => now - readAt(one) >= day && one.attributes.registrants_count !== 0)
		.sort((one, other) => readAt(one) - readAt(other))
		.slice(0, mostDaily);
	const wanted = kinds.map(kindOf).filter(({ subject, when }) => subject === 'people' && when);
	const forAttendance = wanted.some(({ isAttendance }) => isAttendance);
	const forOthers = wanted.some(({ isAttendance }) => !isAttendance);
	return sessions.map((session) => {
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
		const isFirst = isOver && former?.hasSettled === undefined;
		const changedAt =
			isFirst && now - endedAt >= settledAfter
				? endedAt
				: hasChanged || isFirst
					? now
					: (former.changedAt ?? now);
		const isQuiet = now - changedAt >= overlap;
		const joined = forOthers && count !== undefined ? count - (former?.count ?? count) : 0;
		const owed = Math.max(0, (former?.owed ?? 0) + joined);
		const isWhole = isOver && (hasChanged || former.hasSettled !== true);
		const isAll = isWhole || (former === undefined && cursor.hasNoTimes === true);
		const isNeeded =
			hasChanged ||
			mark === undefined ||
			former.isCut === true ||
			isFirst ||
			(owed > 0 && former.readAt < changedAt + overlap) ||
			(isOver && former.hasSettled === false && isQuiet) ||
			daily.includes(session);
		const isNothingNew = former === undefined && !isAll && sinceOf(cursor, list) >= now;

		const next: Bookmark = { ...former, readAt: former?.readAt ?? now, changedAt, owed };
		delete next.goneAt;
		if (mark !== undefined) Object.assign(next, { mark, count });
		const plan = { session, next, isSecond: isOver && !isFirst };
		if (count === 0) {
			// What was known stays known: who left may come back, and a count may be wrong.
			Object.assign(next, { owed: 0 }, former === undefined && { isComplete: true });
			return plan;
		}
		if (isNothingNew || !isNeeded) return plan;
		delete next.isCut;
		if (isOver) next.hasSettled = former?.hasSettled === true || isQuiet;
		return { ...plan, read: isAll ? 'all' : 'changed' };
	});
}

/** What of the people of a session was not told yet. */
export function newPeople(
	found: Happened[],
	{ session, read, isSecond, next: planned }: Plan,
	{ cursor, now, isTold }: { cursor: Cursor; now: number; isTold(event: Happened): boolean },
): ReadList {
	const list = peopleOf(session);
	const former = cursor.lists[list];
	const told = readKeys(former?.seen, former?.known);
	const since = sinceOf(cursor, list);
	const isNewSession = (seconds(session.attributes.created_at) ?? 0) >= cursor.from;
	const timely = found.filter((event) => {
		const { kind, at, isLate } = event;
		if (told.has(seenKey(event)) || isTold(event)) return false;
		if (!isLate) return at >= since;
		if (at >= cursor.from) return true;
		return kindOf(kind).isAttendance !== true && (former?.isComplete === true || isNewSession);
	});
	const isDeniable = ({ kind }: Happened) => kindOf(kind).isDeniable === true;
	const isAttendance = ({ kind }: Happened) => kindOf(kind).isAttendance === true;
	// While more and more people turn out to have attended, nobody is absent yet.
	const isStillChanging =
		isSecond && timely.some((event) => isAttendance(event) && !isDeniable(event));
	const hasSettled = planned.hasSettled && !isStillChanging;
	const news = timely.filter((event) => hasSettled || !isDeniable(event));
	const joined = news.filter((event) => !isAttendance(event)).length;
	const late = found.filter((event) => event.isLate && (hasSettled || !isDeniable(event)));
	const next: Bookmark = {
		...planned,
		readAt: now,
		owed: Math.max(0, (planned.owed ?? 0) - joined),
		isComplete: former?.isComplete === true || (read === 'all' && cursor.hasNoTimes === true),
		known: writeKeys([...readKeys(former?.known), ...late.map(seenKey)]),
		...(hasSettled !== undefined && { hasSettled }),
		...(isStillChanging && { changedAt: now }),
	};
	return { list, former, found, news, next };
}
