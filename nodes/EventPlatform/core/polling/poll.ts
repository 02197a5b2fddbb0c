/*
 * Begin here: one poll, from the first request to what is remembered until the next one.
 *
 *   pollSettings.ts     what a trigger looks for
 *   pollContext.ts      what the parts of one poll have in common
 *   pollRequests.ts     what a poll asks for in a list; sessionList.ts: how sessions are listed
 *   latest.ts           finds an event for a test in the editor
 *   pollWork.ts         what a poll reads: of what is due, what the allowance pays for
 *   allowance.ts        what polling may cost, and when a poll is due
 *   firstTurn.ts        when it is the turn of what a process does first; backOff.ts: when what has failed is tried again
 *
 * lists/ - what lists show
 *   pollLists.ts        reads the lists that are due, takes the oldest news, and moves the cursor past them
 *   sessionsInView.ts   the sessions that a poll looks at
 *   watchedLists.ts     the lists that are watched, and the events that they show
 *   watch.ts            what a watched list is; readList.ts: reads one; isNews.ts: what of it is news
 *   bookmark.ts         what is remembered of one list: when it is due, and each step that changes it; cursor.ts: what is remembered of all
 *   registrationTimes.ts  whether all people of a session have to be read at first
 *
 * schedule/ - events that no list shows: a session starts soon, or was changed
 *   dueWork.ts          when the sessions to come are listed, and whose reminder is due
 *   pollSchedule.ts     reads them; scheduleNews.ts: what they tell; reminders.ts: when a reminder is due; leadTime.ts: how long before the start
 *   sessionsToCome.ts   what all triggers of a token share of the sessions to come
 *   schedule.ts         what is remembered of them
 *
 * A time is called `...At` or `...Until`, in Unix seconds by the platform's clock; with `Ms` at the end it is in milliseconds since 1970 by ours. So
 * are `nowSeconds` and `nowMs`. Another name in `Seconds` or `Ms` is a span. The gap of webhooks, which is read by a poll, has its times
 * in milliseconds by the platform's clock (`beganAtMs`, `endedAtMs` in `webhooks/gap.ts`).
 *
 * What this rests on: section 4.3 has filters by dates for events, sessions and people without their names, which the vendor's pages have. A
 * platform may refuse or ignore them. What is only supposed is called so at its place.
 */
import { asFailure } from '../client/failure';
import type { Ask } from '../client/request';
import { mostEventsInRun, type Cursor } from './lists/cursor';
import { pollLists, whenNeeded, type ListNews, type News } from './lists/pollLists';
import { beginPoll, type PollRun } from './pollContext';
import type { Schedule } from './schedule/schedule';
import { pollSchedule, type ScheduleWork } from './schedule/pollSchedule';
import { unlimited, type PollLimits, type Search } from './pollSettings';
import { needsSessions } from './lists/sessionsInView';
import type { Ms, Seconds } from '../values/units';

/** What is remembered between two polls. */
export interface Remembered {
	cursor?: Cursor;
	schedule?: Schedule;
	/** How far our clock is ahead of the platform's. */
	clockAheadSeconds?: Seconds;
}

/** What one poll reads. */
export interface PollScope {
	search: Search;
	/** The key of the token that it reads with. */
	token: string;
	mayReadLists: boolean;
	/** What is read of the schedule. Absent: nothing. */
	scheduleWork?: ScheduleWork;
}

/** Reads the schedule first, because reminders cannot wait, and then the lists. Both together give no more than one run can take. */
export async function poll(
	run: PollRun,
	{ cursor, schedule, clockAheadSeconds }: Remembered,
	{ search, token, mayReadLists, scheduleWork }: PollScope,
	limits: PollLimits,
): Promise<News & Remembered> {
	const context = beginPoll(run, search, limits, { clockAheadSeconds });
	const readInView = mayReadLists ? whenNeeded(context, cursor) : undefined;
	const listInView =
		readInView && needsSessions(search.eventTypes)
			? async (askForList: Ask) => (await readInView(askForList)).listed
			: undefined;
	const scheduled =
		scheduleWork && (await pollSchedule(context, schedule, { ...scheduleWork, token, listInView }));
	const { news = [], next = schedule } = scheduled ?? {};
	const result = (lists: Partial<ListNews> = {}): News & Remembered => ({
		news: [...news, ...(lists.news ?? [])],
		failures: context.failures,
		cursor: lists.next ?? cursor,
		schedule: next,
		clockAheadSeconds: context.time.aheadSeconds,
	});
	// A failure that concerns every request has ended the reading.
	if (readInView === undefined || context.hasEnded()) return result();
	const lists = pollLists(context, cursor, readInView, mostEventsInRun - news.length);
	if (scheduled === undefined) return result(await lists);
	// The reminders have to be told all the same, and what was read of the schedule is kept.
	return await lists.then(result, (error: unknown) => {
		context.failures.push(asFailure(error));
		return result();
	});
}

/** Finds what is new in the lists since a cursor. `ourClockMs`: the clock by which the cursor was noted. */
export async function readNews(
	run: PollRun,
	stored: Cursor | undefined,
	search: Search,
	ourClockMs: () => Ms,
	limits: PollLimits = unlimited,
): Promise<ListNews> {
	const context = beginPoll(run, search, limits, { ourClockMs });
	return await pollLists(context, stored, whenNeeded(context, stored));
}
