import { normalizeId, pathTo } from '../client/path';
import { readKeys, seenKey, writeKeys } from '../events/delivery';
import { eventTypeOf, type ListedEvent } from '../events/eventTypes';
import { readDelivered } from '../records/record';
import { nullIfGone, type Round } from './round';

/** Those of the jobs asked for that have ended and started no run yet: one request for each that has not. */
export async function readEndedJobs(round: Round): Promise<ListedEvent[]> {
	const { api, attempt, cursor, wanted, limits, now } = round;
	const eventType = wanted.eventTypes.find((name) => eventTypeOf(name).isAskedById);
	if (eventType === undefined) return [];
	const seen = readKeys(cursor.jobs);
	const ended: ListedEvent[] = [];
	for (const id of new Set(wanted.filters.jobIds.map(normalizeId))) {
		if (limits.isTimeOver()) break;
		const path = pathTo`/jobs/${id}`;
		const named = readDelivered({ id });
		if (named && seen.has(seenKey({ eventType, record: named }))) continue;
		const answer = await attempt(api({ method: 'GET', path }).catch(nullIfGone));
		const record = readDelivered(answer?.body);
		if (record === undefined || eventTypeOf(eventType).isConfirmedBy?.(record) === false) continue;
		const at = Math.max(now, cursor.startedAt);
		const event = { eventType, record: { ...record, id }, at, isUntimed: true };
		if (!wanted.wasDelivered?.(event)) ended.push(event);
	}
	return ended;
}

/** The keys of the jobs that have started a run. */
export function rememberJobs(former: string | undefined, started: readonly ListedEvent[]): string {
	return writeKeys([...readKeys(former), ...started.map(seenKey)]);
}
