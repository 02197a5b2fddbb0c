import { largestPage } from '../client/pages';
import type { Ask } from '../client/request';
import { hasHappenedSince, type ListedEvent } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { parseSeconds } from '../dialect/time';
import { listContentEvents, planContents } from './contents';
import { daySeconds, unlimited, type Search } from './cursor';
import { readEndedJobs, readEvents } from './poll';
import { listPeopleEvents } from './people';
import { compareHappened, compareTimes, eventsIn, type Round } from './round';
import { readSessionsInView } from './sessions';
import { addAll } from '../values/collections';

/** A test in the editor looks at sessions that ended within so many days, even if people chose fewer. */
const leastDays = 30;
/** The people of three sessions are enough to find somebody to test with. */
const mostSessions = 3;

/** Finds the latest event, whenever it happened, with few requests, for a test in the editor. */
export async function findLatest(
	api: Ask,
	search: Search,
	nowSeconds: number,
): Promise<ListedEvent | undefined> {
	const endedWithinDays = Math.max(leastDays, search.endedWithinDays);
	const cursor = { startedAt: nowSeconds, polledAt: nowSeconds, people: {} };
	const round: Round = {
		api,
		tryToRead: (work) => work,
		search: { ...search, endedWithinDays },
		limits: unlimited,
		cursor,
		nowSeconds,
	};
	const jobs = await readEndedJobs(round);
	if (jobs.length > 0) return jobs.at(-1);
	const { sessions } = await readSessionsInView(round);
	const updatedAt = ({ attributes }: DeliveredRecord) => parseSeconds(attributes.updated_at);
	const lastChanged = sessions
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((first, second) => compareTimes(updatedAt(second), updatedAt(first)))
		.slice(0, mostSessions);
	const [dayAgoAt, beginningAt] = [nowSeconds - daySeconds, 0];
	for (const sinceAt of [dayAgoAt, beginningAt]) {
		const events = eventsIn(round, 'sessions', sessions);
		addAll(events, await readEvents(round, sinceAt, largestPage));
		for (const session of lastChanged)
			addAll(events, await listPeopleEvents(round, session, sinceAt, largestPage));
		for (const list of planContents(round, lastChanged))
			addAll(events, await listContentEvents(round, list));
		const recent = events.filter((event) => event.isUntimed || hasHappenedSince(event, sinceAt));
		if (recent.length > 0) return recent.sort(compareHappened).at(-1);
	}
	return undefined;
}
