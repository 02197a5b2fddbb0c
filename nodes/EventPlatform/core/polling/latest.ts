import { largestPage } from '../client/pages';
import type { Ask } from '../client/request';
import type { ListedEvent } from '../events/eventTypes';
import type { DeliveredRecord } from '../records/record';
import { parseSeconds } from '../dialect/time';
import { eventsOfContents, planContents } from './contents';
import { daySeconds, unlimited, type Search } from './cursor';
import { readEndedJobs } from './jobs';
import { readEvents } from './newEvents';
import { eventsOfPeople } from './people';
import { eventsIn, type Round } from './round';
import { sessionsInView } from './sessions';

/** For a test, sessions of so many days are looked at, even where people chose fewer. */
const leastDays = 30;
/** The people of so many sessions are enough to find somebody to test with. */
const mostSessions = 3;

/** Finds the latest event, whenever it happened, with few requests: for a test in the editor. */
export async function findLatest(
	api: Ask,
	search: Search,
	now: number,
): Promise<ListedEvent | undefined> {
	const endedWithinDays = Math.max(leastDays, search.endedWithinDays);
	const cursor = { startedAt: now, polledAt: now, people: {} };
	const round: Round = {
		api,
		tryToRead: (work) => work,
		search: { ...search, endedWithinDays },
		limits: unlimited,
		cursor,
		now,
	};
	const jobs = await readEndedJobs(round);
	if (jobs.length > 0) return jobs.at(-1);
	const { sessions } = await sessionsInView(round);
	const updatedAt = ({ attributes }: DeliveredRecord) => parseSeconds(attributes.updated_at) ?? 0;
	const changedLast = sessions
		.filter(({ attributes }) => attributes.registrants_count !== 0)
		.sort((first, second) => updatedAt(second) - updatedAt(first))
		.slice(0, mostSessions);
	for (const sinceAt of [now - daySeconds, 0]) {
		const events = eventsIn(round, 'sessions', sessions);
		events.push(...(await readEvents(round, sinceAt, largestPage)));
		for (const session of changedLast)
			events.push(...(await eventsOfPeople(round, session, sinceAt, largestPage)));
		for (const list of planContents(round, changedLast))
			events.push(...(await eventsOfContents(round, list)));
		const recent = events.filter(({ at, isUntimed }) => isUntimed || at >= sinceAt);
		if (recent.length > 0) return recent.sort((first, second) => first.at - second.at).at(-1);
	}
	return undefined;
}
