import { normalizeId, pathTo } from '../client/path';
import { readKeys, seenKey } from '../events/delivery';
import { eventTypeOf, type ListedEvent } from '../events/eventTypes';
import { readDelivered } from '../records/record';
import { goneIfNotFound, type Round } from './round';

/** Reads the jobs that people named, and finds those that have ended and have not started a run yet. Each job that has not started a run costs a request. */
export async function readEndedJobs(round: Round): Promise<ListedEvent[]> {
	const { api, tryToRead, cursor, search, limits, now } = round;
	const eventType = search.eventTypes.find((name) => eventTypeOf(name).isAskedById);
	if (eventType === undefined) return [];
	const seenKeys = readKeys(cursor.jobs);
	const ended: ListedEvent[] = [];
	for (const id of new Set(search.filters.jobIds.map(normalizeId))) {
		if (limits.isTimeOver()) break;
		const path = pathTo`/jobs/${id}`;
		const recordOfId = readDelivered({ id });
		if (recordOfId && seenKeys.has(seenKey({ eventType, record: recordOfId }))) continue;
		const response = await tryToRead(api({ method: 'GET', path }).catch(goneIfNotFound));
		if (response === undefined || response === 'gone') continue;
		const record = readDelivered(response.body);
		if (record === undefined || eventTypeOf(eventType).isConfirmedBy?.(record) === false) continue;
		const happenedAtSeconds = Math.max(now, cursor.startedAt);
		const event = { eventType, record: { ...record, id }, happenedAtSeconds, isUntimed: true };
		if (!search.isDelivered?.(event)) ended.push(event);
	}
	return ended;
}
