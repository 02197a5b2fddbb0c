import { listRecords } from '../http/paginate';
import type { Api } from '../http/ports';
import type { Filters } from './filters';
import { findHappened, updatedSince, wants, type Happened } from './happened';
import type { DeliveredRecord } from './record';

export interface Gap {
	kinds: readonly string[];
	/** Milliseconds since 1970. */
	since: number;
}

/**
 * What happened since then as far as the platform lists it, oldest first: one request for each page of
 * changed events and of sessions, and for each page of people changed in a session that was not over.
 */
export async function findMissed(
	api: Api,
	{ kinds, since: sinceMs }: Gap,
	filters: Filters,
): Promise<Happened[]> {
	const since = Math.floor(sinceMs / 1_000);
	// All of them for people: whether a registration changes the session's updated_at is not documented.
	const query = wants(kinds, 'people') ? undefined : updatedSince(since);
	const needsSessions = wants(kinds, 'people') || wants(kinds, 'session');
	return await findHappened(api, {
		kinds,
		filters,
		since: () => since,
		sessions: needsSessions ? await listRecords(api, '/sessions', { query }) : [],
		mayHaveNews: (session) => wasOpen(session, since),
	});
}

function wasOpen({ attributes }: DeliveredRecord, since: number): boolean {
	const { ended_at: endedAt, updated_at: updatedAt } = attributes;
	return !endedAt || [endedAt, updatedAt].some((at) => typeof at === 'number' && at >= since);
}
