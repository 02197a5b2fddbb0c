import { seconds } from '../values/time';
import { bookmarkOf, day, overlap, sinceOf, type Bookmark, type Round } from './cursor';
import { eventTypeOf, listed } from '../events/eventTypes';
import { peopleOf } from './lists';
import type { DeliveredRecord } from '../records/record';

/** Whether the people of a session are read in a poll, and what is remembered before that. */
export type Look = ReturnType<typeof planLooks>[number];

/** When one of these changes, so may have the people. */
const facts = ['registrants_count', 'attendees_count', 'updated_at', 'started_at', 'ended_at'];
/** So many sessions are read in one poll only because a day has passed. */
const mostDaily = 5;
/** Attendance that is first read so long after the end has settled. */
const settledAfter = 3_600;

/**
 * They are read when the counts or times of their session have changed; again while the count is ahead of the list; after
 * its end until attendance changes no more; and once a day, because somebody may have left when somebody else joined.
 */
export function planLooks({ cursor, wanted, limits, now }: Round, sessions: DeliveredRecord[]) {
	const eventTypes = listed(wanted.eventTypes, 'people').map(eventTypeOf);
	if (eventTypes.length === 0) return [];
	const forAttendance = eventTypes.some(({ attendance }) => attendance);
	const forOthers = eventTypes.some(({ attendance }) => !attendance);
	const readAt = (session: DeliveredRecord) => bookmarkOf(cursor, peopleOf(session)).readAt;
	const daily = sessions
		.filter((one) => now - readAt(one) >= day && one.attributes.registrants_count !== 0)
		.sort((one, other) => readAt(one) - readAt(other))
		.slice(0, limits.readsDaily ? mostDaily : 0);

	return sessions.map((session) => {
		const list = peopleOf(session);
		const isNew = !(list in cursor.lists);
		const former = bookmarkOf(cursor, list);
		const { registrants_count, created_at, ended_at } = session.attributes;
		const shown = JSON.stringify(facts.map((name) => session.attributes[name]));
		const endedAt = seconds(ended_at);
		const isOver = forAttendance && endedAt !== undefined && endedAt >= cursor.from;
		const isFirst = isOver && former.hasSettled === undefined;
		const hasChanged = isFirst || shown !== former.shown;
		let changedAt = hasChanged ? now : (former.changedAt ?? now);
		if (isFirst && now - endedAt >= settledAfter) changedAt = endedAt;
		const isQuiet = now - changedAt >= overlap;
		const count = typeof registrants_count === 'number' ? registrants_count : undefined;
		const { count: listedOf = count ?? 0 } = former;
		// How many more it counts than the list has shown.
		const owed = forOthers ? Math.max(0, (count ?? 0) - listedOf) : 0;
		const isAll =
			(isOver && (hasChanged || !former.hasSettled)) ||
			(forOthers && former.known === undefined && cursor.hasNoTimes !== false);
		const isNeeded =
			hasChanged ||
			// A platform that does not count: its people are read each time.
			count === undefined ||
			(owed > 0 && former.readAt < changedAt + overlap) ||
			(isOver && !former.hasSettled && isQuiet) ||
			daily.includes(session);
		const isNothingNew = isNew && !isAll && sinceOf(cursor, list) >= now;

		const next: Bookmark = { ...former, shown, changedAt };
		if (count !== undefined) next.count = count - owed;
		// What was known stays known: who left may come back, and a count may be wrong.
		if ((count === 0 && isNew) || (seconds(created_at) ?? 0) >= cursor.from) next.isComplete = true;
		const isRead = count !== 0 && !isNothingNew && isNeeded;
		if (isRead && isOver) next.hasSettled = former.hasSettled === true || isQuiet;
		return { session, isRead, isAll, owed, next };
	});
}
