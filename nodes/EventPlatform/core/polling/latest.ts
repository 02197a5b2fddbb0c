import { largestPage, listRecords, type ListOptions } from '../client/pages';
import { parseSeconds } from '../dialect/time';
import { hasHappenedSince, scheduleTypes, type ListedEvent } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { addAll } from '../values/collections';
import type { JsonObject } from '../values/json';
import { leadsOf, unlimited, type Search } from './pollSettings';
import { changedQuery, goneIfNotFound, noneIfGone } from './pollRequests';
import { eventsIn, watchedLists } from './lists/watchedLists';
import { compareHappened, compareTimes } from './lists/isNews';
import { beginPoll, type PollRun, type Round } from './pollContext';
import { remindersOf } from './schedule/reminders';
import { planOf } from './schedule/schedule';
import { changeEvent, reminderEvent } from './schedule/scheduleNews';
import { ofFilters } from './schedule/pollSchedule';
import { listSessionsToCome } from './schedule/sessionsToCome';
import { readSessionsInView } from './lists/sessionsInView';
import type { Watch } from './lists/watch';
import { daySeconds, type Seconds } from '../values/units';

/** A test looks at sessions that ended within so many days, even if people chose fewer: most workspaces have one in a month. */
const leastDays = 30;
/** The lists of three sessions are enough to find something to test with. */
const mostSessions = 3;

/** Finds the latest event, whenever it happened, with few requests, for a test in the editor. */
export async function findLatest(
	run: PollRun,
	search: Search,
	nowSeconds: Seconds,
): Promise<ListedEvent | undefined> {
	const endedWithinDays = Math.max(leastDays, search.endedWithinDays);
	// The days of the sessions count from now.
	const cursor = { startedAt: nowSeconds, polledAt: nowSeconds, lists: {} };
	const wide = { ...search, endedWithinDays };
	const round: Round = {
		// The clock stands still, so that all times of a test count from one moment.
		...beginPoll(run, wide, unlimited, { ourClockMs: () => nowSeconds * 1_000 }),
		cursor,
		nowSeconds,
	};
	const jobs: ListedEvent[] = [];
	for (const watch of watchedLists(round, []).filter(({ isOneRecord }) => isOneRecord)) {
		const response = await round.ask({ method: 'GET', path: watch.path }).catch(goneIfNotFound);
		if (response !== 'gone') addAll(jobs, watch.eventsOf([response.body as JsonObject]));
	}
	if (jobs.length > 0) return jobs.at(-1);
	const { sessions } = await readSessionsInView(round);
	// Attendance of whatever session counts, so that polling began long ago.
	const ofAll = { ...round, cursor: { ...cursor, startedAt: 0 } };
	const watchesOf = (those: readonly DeliveredRecord[]) =>
		watchedLists(ofAll, those).filter((watch) => !watch.isOneRecord && !watch.hasNothingToTell);
	const updatedAt = ({ attributes }: DeliveredRecord) => parseSeconds(attributes.updated_at);
	const lastChanged = sessions
		.filter((session) => watchesOf([session]).some((watch) => watch.session === session))
		.sort((first, second) => compareTimes(updatedAt(second), updatedAt(first)))
		.slice(0, mostSessions);
	// One page of a list need not hold the newest, whatever its order. What has changed within a day does, if there is any.
	for (const sinceAt of [nowSeconds - daySeconds, undefined]) {
		const events = eventsIn(round, 'sessions', sessions);
		for (const watch of watchesOf(lastChanged))
			addAll(events, await readLatestPage(round, watch, sinceAt));
		const recent = events.filter(
			(event) => event.isUntimed || hasHappenedSince(event, sinceAt ?? 0),
		);
		if (recent.length > 0) return recent.sort(compareHappened).at(-1);
	}
	return undefined;
}

async function readLatestPage(
	round: Round,
	watch: Watch,
	sinceAt: Seconds | undefined,
): Promise<ListedEvent[]> {
	const { path, filter } = watch;
	const query = filter === 'never' ? undefined : changedQuery(sinceAt);
	const read = async (options: ListOptions = {}) => {
		const records = await listRecords(round.ask, path, { limit: largestPage, ...options });
		return watch.eventsOf(records);
	};
	const reading = query
		? round.refused.readOrLeaveOut(
				{ path, query },
				() => read({ query }),
				() => read(),
			)
		: read();
	return await reading.catch(noneIfGone);
}

/** Finds the session that starts next, with the lead time whose moment comes next, for a test in the editor. */
export async function findNextStart(
	run: PollRun,
	search: Search,
	nowSeconds: Seconds,
): Promise<ListedEvent | undefined> {
	if (scheduleTypes(search.eventTypes).length === 0) return undefined;
	const context = beginPoll(run, search, unlimited, { ourClockMs: () => nowSeconds * 1_000 });
	const sessions = await listSessionsToCome(context, Infinity);
	const listed = await ofFilters(context, sessions);
	const planned = listed.flatMap((session) => {
		const plan = planOf(session, true);
		return plan?.state === 'planned' && plan.startsAt > nowSeconds ? { session, plan } : [];
	});
	const [next] = planned.sort((first, second) =>
		compareTimes(first.plan.startsAt, second.plan.startsAt),
	);
	if (next === undefined) return undefined;
	const { session, plan } = next;
	const reminders = remindersOf(session.id, plan, leadsOf(search)).sort(
		(first, second) => first.dueAt - second.dueAt,
	);
	const reminder = reminders.find(({ dueAt }) => dueAt >= nowSeconds) ?? reminders.at(-1);
	return reminder
		? reminderEvent(search, session, reminder, nowSeconds)
		: changeEvent(search, session, { before: plan, after: plan }, nowSeconds);
}
