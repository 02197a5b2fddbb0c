/*
 * One poll: `lists.ts` lists the sessions and reads events out of lists, `people.ts` decides whose people are read.
 * Here it is found out what is new, and the oldest are taken. `cursor.ts` is what is remembered.
 */
import { meaningOf } from '../failures/causes';
import { asFailure, type Failure } from '../http/failure';
import type { Ask } from '../http/ports';
import { withPlatformClock } from '../http/quota';
import { begin, bookmarkOf, day, sinceOf, type Cursor, type Round, type Wanted } from './cursor';
import { readKeys, seenKey, writeKeys } from './delivery';
import { kindOf, lists, type ListedEvent } from './kinds';
import { eventsIn, peopleOf, readEvents, readJobs, eventsOfPeople, sessionsInView } from './lists';
import { planLooks, type Look } from './people';
import type { DeliveredRecord } from '../records/record';

/** What is new, oldest first, and which lists could not be read. The cursor is for when it has started its run. */
export type News = Pick<Awaited<ReturnType<typeof readNews>>, 'news' | 'failures'>;

/** More items than these in one run take too much of n8n's memory. The rest comes with the next poll. */
export const mostAtOnce = 2_000;

export async function readNews(
	ask: Ask,
	former: Cursor | undefined,
	wanted: Wanted,
	clock: () => number,
) {
	const { ask: api, clock: platform } = withPlatformClock(ask, clock);
	// Lists that could not be read keep their bookmarks.
	const failures: Failure[] = [];
	const attempt: Round['attempt'] = (work) =>
		work.catch((error: unknown) => {
			const failure = asFailure(error);
			const { ends, again, person } = meaningOf(failure);
			// Every request would meet the same, and not only that of one list.
			if (ends === 'run' || (again === true && person === 'unsent')) throw failure;
			failures.push(failure);
			return undefined;
		});
	const begun = () => ({ api, attempt, ...begin(former, wanted, clock(), platform.aheadMs) });

	const first = begun();
	const inView = await attempt(sessionsInView(first));
	const events = await attempt(readEvents(first, sinceOf(first.cursor, lists.events)));
	// What was answered tells the platform's time.
	const round = begun();
	const { cursor, now, platformNow } = round;

	const next: Cursor = { ...cursor, lists: {} };
	// What is not listed is remembered for a day.
	for (const [list, bookmark] of Object.entries(cursor.lists)) {
		const { changedAt = now } = bookmark.shown === '' ? bookmark : {};
		if (!inView) next.lists[list] = bookmark;
		else if (now - changedAt < day) next.lists[list] = { ...bookmark, shown: '', changedAt };
	}
	const reads: Array<ReturnType<typeof newsOf>> = [];
	const add = (list: string, found: ListedEvent[] | undefined, look?: Look) => {
		if (found) reads.push(newsOf(round, list, found, look));
		else next.lists[list] = { ...bookmarkOf(cursor, list), shown: undefined };
	};
	add(lists.events, events);
	add(lists.sessions, inView && eventsIn(round, 'sessions', inView.sessions));

	const sessions = inView?.sessions ?? [];
	next.hasNoTimes = cursor.hasNoTimes ??= await attempt(findOutTimes(round, sessions));
	const looks = planLooks(round, sessions);
	for (const look of looks) {
		const list = peopleOf(look.session);
		const since = look.isAll ? undefined : sinceOf(cursor, list);
		if (look.isRead) add(list, await attempt(eventsOfPeople(round, look.session, since)), look);
		else next.lists[list] = look.next;
	}
	add(lists.jobs, await readJobs(round));

	const all = reads.flatMap((read) => read.news).sort((one, other) => one.at - other.at);
	const news = all.slice(0, mostAtOnce);
	const left = new Set(all.slice(mostAtOnce));
	next.hasMore = left.size > 0;
	for (const { list, bookmark } of reads) next.lists[list] = bookmark(left);
	// Where something is still to be told, however long ago the session ended: it could not be read, or has not settled.
	const unsettled = looks.filter(({ session }) => {
		const { shown, hasSettled } = next.lists[peopleOf(session)] ?? {};
		return shown === undefined || hasSettled === false;
	});
	const isOpen = next.hasMore || unsettled.length > 0;
	const open = [...(inView?.open ?? []), ...unsettled.map(({ session }) => session.id)];
	if (inView) Object.assign(next, { polledAt: now, view: inView.view, open: [...new Set(open)] });
	return { news, next, failures, isOpen, platformNow };
}

/** Whether the platform does not tell when somebody registered. One request, once. */
async function findOutTimes(round: Round, sessions: readonly DeliveredRecord[]) {
	const kinds = round.wanted.kinds.filter((kind) => !kindOf(kind).attendance);
	const unseen = sessions.filter((session) => !round.cursor.lists[peopleOf(session)]);
	const session = unseen.find(({ attributes }) => attributes.registrants_count !== 0);
	const others = { ...round, wanted: { ...round.wanted, kinds } };
	const [event] = session ? await eventsOfPeople(others, session, undefined, 1) : [];
	return event?.isLate;
}

/** What a list shows that was not told yet, and how far it was read when all of that but what is left is told. */
function newsOf({ cursor, wanted, now }: Round, list: string, shown: ListedEvent[], look?: Look) {
	const former = bookmarkOf(cursor, list);
	const since = sinceOf(cursor, list);
	const [seen, known] = [readKeys(former.seen), readKeys(former.known)];
	const isNew = (event: ListedEvent) => {
		const key = seenKey(event);
		if (seen.has(key) || known.has(key) || wanted.wasDelivered?.(event)) return false;
		if (cursor.told?.some(([from, until]) => event.at >= from && event.at < until)) return false;
		if (!event.isLate) return event.at >= since;
		// Where nobody is known, people may have been there before they were looked at.
		const from = former.known === undefined ? since : cursor.from;
		return event.at >= from || (look?.next.isComplete === true && !event.attendance);
	};
	const next = { ...look?.next, readAt: now };
	// While more and more people turn out to have attended, nobody is absent yet.
	const hasCome = shown.some((event) => event.attendance === 'came' && isNew(event));
	if (hasCome && former.hasSettled !== undefined)
		Object.assign(next, { hasSettled: false, changedAt: now });
	const certain = shown.filter((event) => next.hasSettled || event.attendance !== 'stayed away');
	const news = certain.filter(isNew);
	const joined = news.filter((event) => !event.attendance).length;
	if (look && next.count !== undefined) next.count += Math.min(look.owed, joined);
	next.isComplete ||= look?.isAll === true && cursor.hasNoTimes !== false;

	const bookmark = (left: ReadonlySet<ListedEvent>) => {
		const told = certain.filter((event) => !left.has(event));
		const late = told.filter(({ isLate }) => isLate).map(seenKey);
		const timed = told.filter(({ isLate }) => !isLate);
		// A time to come would leave out all that happens until then.
		const over = timed.filter(({ at }) => at <= now);
		const latest = over.reduce((most, { at }) => Math.max(most, at), former.latest ?? 0);
		const oldest = sinceOf(cursor, list, latest);
		const within = timed.filter(({ at }) => at >= oldest).map(seenKey);
		const keys = {
			latest,
			// What was read only from a later time on does not show all of the overlap.
			seen: writeKeys(since > oldest ? [...seen, ...within] : within),
			known: writeKeys([...known, ...late]),
		};
		if (told.length === certain.length) return { ...next, ...keys };
		// What is left is found again: by its time, or because its key is not known.
		return { ...former, isComplete: next.isComplete, ...keys, shown: undefined };
	};
	return { list, news, bookmark };
}
