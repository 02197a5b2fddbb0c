/*
 * One poll: `lists.ts` lists the sessions and reads events out of lists, `people.ts` decides whose people are read.
 * Here it is found out what is new, and the oldest are taken. `cursor.ts` is what is remembered.
 */
import { meaningOf } from '../failures/meaning';
import { asFailure, Failure } from '../client/failure';
import type { Ask } from '../client/request';
import { withPlatformClock } from '../client/quota';
import {
	begin,
	bookmarkOf,
	day,
	sinceOf,
	unlimited,
	type Bookmark,
	type Cursor,
	type PollLimits,
	type Round,
	type Wanted,
} from './cursor';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { eventTypeOf, lists, type ListedEvent } from '../events/eventTypes';
import {
	eventsIn,
	eventsOfPeople,
	peopleOf,
	readEvents,
	readJobs,
	sessionsInView,
	type SessionsInView,
} from './lists';
import { planLooks, type Look } from './people';
import type { DeliveredRecord } from '../records/record';

/** What a poll has found. */
export interface News {
	/** What is new, oldest first. */
	news: ListedEvent[];
	/** Lists that could not be read. They keep their bookmarks. */
	failures: Failure[];
}

/** How a poll has ended. */
export interface PollResult extends News {
	/** For when the news have started their run. Absent: no answer has told yet from when on anything is news. */
	next?: Cursor;
	/** Something that was there is still to be told of. */
	isOpen: boolean;
	/** In Unix seconds. */
	platformNow: number;
}

/** What a list showed. */
interface ListRead {
	list: string;
	news: ListedEvent[];
	/** How far it was read when all of its news but these have started a run. */
	bookmark(left: ReadonlySet<ListedEvent>): Bookmark;
}

/** More items than these in one run take too much of n8n's memory. The rest comes with the next poll. */
export const mostAtOnce = 2_000;

/** Finds what is new since a cursor, within the limits of one poll. */
export async function readNews(
	ask: Ask,
	former: Cursor | undefined,
	wanted: Wanted,
	clock: () => number,
	limits: PollLimits = unlimited,
): Promise<PollResult> {
	let hasAnswered = false;
	const { ask: api, clock: platform } = withPlatformClock(async (request) => {
		const answer = await ask(request);
		hasAnswered = true;
		return answer;
	}, clock);
	const failures: Failure[] = [];
	const attempt: Round['attempt'] = (work) =>
		work.catch((error: unknown) => {
			failures.push(failureOfOneList(error));
			return undefined;
		});
	const begun = (): Round => {
		return { api, attempt, limits, ...begin(former, wanted, clock(), platform.aheadMs) };
	};

	const first = begun();
	const inView = await attempt(sessionsInView(first));
	const events = await attempt(readEvents(first, sinceOf(first.cursor, lists.events)));
	// What was answered tells the platform's time.
	const round = begun();
	const jobs = await readJobs(round);
	const sessions = inView?.sessions ?? [];
	if (!limits.isTimeOver())
		round.cursor.hasNoTimes ??= await attempt(findOutTimes(round, sessions));
	const looks = planLooks(round, sessions);
	const people = await readPeople(round, looks, failures);

	const foundIn = (list: string, shown: ListedEvent[] | undefined) =>
		shown ? newsOf(round, list, shown) : unread(round, list);
	const sessionEvents = inView && eventsIn(round, 'sessions', inView.sessions);
	const found = new Map<string, ListRead | Bookmark>([
		[lists.events, foundIn(lists.events, events)],
		[lists.sessions, foundIn(lists.sessions, sessionEvents)],
		...people,
		[lists.jobs, foundIn(lists.jobs, jobs)],
	]);
	const { news, next, isOpen } = settle(round, found, looks, inView);
	// From when on anything is news is counted by the platform's clock, which nothing has told.
	const isBegun = former !== undefined || wanted.startFrom !== undefined || hasAnswered;
	const { platformNow } = round;
	return { news, next: isBegun ? next : undefined, failures, isOpen, platformNow };
}

/** The failure of one list. Throws one that every request would meet. */
function failureOfOneList(error: unknown): Failure {
	const failure = asFailure(error);
	const { ends, again, person } = meaningOf(failure);
	if (ends === 'run' || (again === true && person === 'unsent')) throw failure;
	return failure;
}

/** The bookmark of a list that could not be read: the next poll reads it whatever its session shows. */
function unread({ cursor }: Round, list: string): Bookmark {
	return { ...bookmarkOf(cursor, list), shown: undefined };
}

/** Reads the people of the sessions, those first that were read or tried longest ago, until the time is over. */
async function readPeople(round: Round, looks: readonly Look[], failures: Failure[]) {
	const { cursor, limits, now } = round;
	const read = new Map<string, ListRead | Bookmark>();
	const triedAt = ({ session }: Look) => {
		const bookmark = bookmarkOf(cursor, peopleOf(session));
		return Math.max(bookmark.readAt, bookmark.triedAt ?? 0);
	};
	const inOrder = [...looks].sort((one, other) => triedAt(one) - triedAt(other));
	for (const look of inOrder) {
		const list = peopleOf(look.session);
		if (!look.isRead || limits.isTimeOver()) {
			read.set(list, look.isRead ? unread(round, list) : look.next);
			continue;
		}
		const since = look.isAll ? undefined : sinceOf(cursor, list);
		try {
			const events = await eventsOfPeople(round, look.session, since);
			read.set(list, newsOf(round, list, events, look));
		} catch (error) {
			// One that takes all the time does not come first again, so that it keeps out no other.
			read.set(list, { ...unread(round, list), triedAt: limits.isTimeOver() ? now : undefined });
			if (!(limits.isTimeOver() && error instanceof Failure)) {
				failures.push(failureOfOneList(error));
			}
		}
	}
	return read;
}

/** What starts the run, and what is remembered when it has started. */
function settle(
	{ cursor, now }: Round,
	found: ReadonlyMap<string, ListRead | Bookmark>,
	looks: readonly Look[],
	inView: SessionsInView | undefined,
) {
	const next: Cursor = { ...cursor, lists: {} };
	// What is not listed is remembered for a day.
	for (const [list, bookmark] of Object.entries(cursor.lists)) {
		const { changedAt = now } = bookmark.shown === '' ? bookmark : {};
		if (!inView) next.lists[list] = bookmark;
		else if (now - changedAt < day) next.lists[list] = { ...bookmark, shown: '', changedAt };
	}
	const reads = [...found.values()].filter((one) => 'news' in one);
	const all = reads.flatMap((read) => read.news).sort((one, other) => one.at - other.at);
	const news = all.slice(0, mostAtOnce);
	const left = new Set(all.slice(mostAtOnce));
	next.hasMore = left.size > 0;
	for (const [list, read] of found) {
		next.lists[list] = 'news' in read ? read.bookmark(left) : read;
	}
	// Where something is still to be told, however long ago the session ended: it could not be read, or has not settled.
	const unsettled = looks.filter(({ session }) => {
		const { shown, hasSettled } = next.lists[peopleOf(session)] ?? {};
		return shown === undefined || hasSettled === false;
	});
	const isOpen = next.hasMore || unsettled.length > 0;
	const open = [...(inView?.open ?? []), ...unsettled.map(({ session }) => session.id)];
	if (inView) Object.assign(next, { polledAt: now, view: inView.view, open: [...new Set(open)] });
	return { news, next, isOpen };
}

/** Whether the platform does not tell when somebody registered. One request, once. */
async function findOutTimes(round: Round, sessions: readonly DeliveredRecord[]) {
	const eventTypes = round.wanted.eventTypes.filter(
		(eventType) => !eventTypeOf(eventType).attendance,
	);
	const unseen = sessions.filter((session) => !round.cursor.lists[peopleOf(session)]);
	const session = unseen.find(({ attributes }) => attributes.registrants_count !== 0);
	const others = { ...round, wanted: { ...round.wanted, eventTypes } };
	const [event] = session ? await eventsOfPeople(others, session, undefined, 1) : [];
	return event?.isLate;
}

/** What a list shows that was not told yet, and how far it was read when all of that but what is left is told. */
function newsOf(
	{ cursor, wanted, now }: Round,
	list: string,
	shown: ListedEvent[],
	look?: Look,
): ListRead {
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
