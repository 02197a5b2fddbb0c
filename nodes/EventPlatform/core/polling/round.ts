import { Failure } from '../client/failure';
import { readPages, type ListOptions } from '../client/pages';
import type { Ask } from '../client/request';
import type { JsonObject } from '../values/json';
import { eventTypeOf, listableTypes, type ListedEvent } from '../events/eventTypes';
import { hasTitleOfFilter, isWithinFilters } from '../events/filters';
import { readDelivered, type DeliveredRecord } from '../records/record';
import { sessionFactsOf } from '../events/sessionFacts';
import type { Cursor, PollLimits, Search } from './cursor';

/** The parts that all steps of one poll have in common. */
export interface Round {
	/** Sends the requests of the poll. */
	api: Ask;
	/** Waits for the reading of one list; gives undefined where the list could not be read. The failure is kept for the end of the poll. */
	tryToRead<T>(this: void, reading: Promise<T>): Promise<T | undefined>;
	/** The events that the trigger looks for. */
	search: Search;
	/** The bounds of the poll. */
	limits: PollLimits;
	/** The cursor that tells how far the polls before have read. */
	cursor: Cursor;
	/** The time by the platform's clock, in Unix seconds. */
	now: number;
}

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
			if (time === undefined || !isWithinFilters({ eventType, record }, search.filters)) return [];
			const facts = sessionFactsOf(session ?? record.attributes);
			const title = recordType === 'events' ? record.attributes.title : facts.event_title;
			if (!hasTitleOfFilter(eventType, title, search.filters)) return [];
			return {
				eventType,
				record,
				happenedAtSeconds: time === 'unknown' ? undefined : time,
				sessionFacts: facts,
				attendance,
				isUntimed: isUntimed?.(record) ?? false,
			};
		}),
	);
}

/** Reads the records of a list, without those that have no id. */
export async function listDelivered(
	api: Ask,
	path: string,
	options: ListOptions,
): Promise<DeliveredRecord[]> {
	const deliveredRecords: DeliveredRecord[] = [];
	for await (const { records } of readPages(api, path, options)) {
		for (const record of records) {
			const delivered = readDelivered(record);
			if (delivered) deliveredRecords.push(delivered);
		}
	}
	return deliveredRecords;
}

/** Gives `gone` for a record that was deleted after it was listed, or never was there, so that the poll goes on. */
export function goneIfNotFound(error: unknown): 'gone' {
	if (error instanceof Failure && error.cause === 'not_found') return 'gone';
	throw error;
}

/** Gives no records for a list of something that is gone. */
export function noneIfGone(error: unknown): never[] {
	goneIfNotFound(error);
	return [];
}
