/* The events that the records of a list show, and their order. */
import type { JsonObject } from '../values/json';
import { eventTypeOf, listableTypes, type ListedEvent } from '../events/eventTypes';
import { hasTitleOfFilter, isWithinFilters } from '../events/filters';
import type { DeliveredRecord } from '../records/record';
import { sessionFactsOf } from '../events/sessionFacts';
import type { Round } from './pollContext';

/** Finds the events that the records of a list show, whenever they happened. */
export function eventsIn(
	{ search }: Round,
	recordType: string,
	records: readonly DeliveredRecord[],
	session?: JsonObject,
): ListedEvent[] {
	const eventTypes = listableTypes(search.eventTypes, recordType);
	return records.flatMap((record) =>
		eventTypes.flatMap((eventType) => {
			const { happenedAtSeconds, isUntimed, attendance } = eventTypeOf(eventType);
			const time = happenedAtSeconds?.(record, session ?? {});
			const event = { eventType, record };
			if (time === undefined || !isWithinFilters(event, search.filters)) return [];
			const facts = sessionFactsOf(session ?? record.attributes);
			if (!hasTitleOfFilter(event, facts, search.filters)) return [];
			return {
				...event,
				happenedAtSeconds: time === 'unknown' ? undefined : time,
				sessionFacts: facts,
				attendance,
				isUntimed: isUntimed?.(record) ?? false,
			};
		}),
	);
}

/** Orders events by their time, the oldest first. An event whose time the platform does not tell counts as the oldest. */
export function compareHappened(first: ListedEvent, second: ListedEvent): number {
	return compareTimes(first.happenedAtSeconds, second.happenedAtSeconds);
}

/** Orders times, the earliest first. An absent time comes before all others: something has never been done, or nobody knows when. */
export function compareTimes(first: number | undefined, second: number | undefined): number {
	if (first === undefined) return second === undefined ? 0 : -1;
	return second === undefined ? 1 : first - second;
}
