import { asFailure, Failure } from '../client/failure';
import { readPages, type ListOptions } from '../client/pages';
import type { Ask, Query } from '../client/request';
import type { JsonObject } from '../values/json';
import { readKeys, seenKey } from '../events/delivery';
import {
	eventTypeOf,
	hasHappenedSince,
	listableTypes,
	type ListedEvent,
} from '../events/eventTypes';
import { meaningOf } from '../failures/meaning';
import { hasTitleOfFilter, isWithinFilters } from '../events/filters';
import { readDelivered, type DeliveredRecord } from '../records/record';
import { sessionFactsOf } from '../events/sessionFacts';
import type { Cursor, PollLimits, Search, TimedBookmark } from './cursor';

export interface Round {
	api: Ask;
	/** Waits for the reading of one list; gives undefined where the list could not be read. The failure is kept for the end of the poll. */
	tryToRead<T>(this: void, reading: Promise<T>): Promise<T | undefined>;
	search: Search;
	limits: PollLimits;
	cursor: Cursor;
	/** By the platform's clock. */
	nowSeconds: number;
}

/** Makes the function that waits for the reading of one list, and keeps a failure in `failures`. */
export function tryToReadInto(failures: Failure[]): Round['tryToRead'] {
	return (reading) =>
		reading.catch((error: unknown) => {
			failures.push(failureOfOneList(error));
			return undefined;
		});
}

/** A failure that every other request would meet, too, is thrown. An error of the platform may come from this one list. */
export function failureOfOneList(error: unknown): Failure {
	const failure = asFailure(error);
	const { ends, isPassing, effectOnPerson } = meaningOf(failure);
	if (ends === 'run' || (isPassing === true && effectOnPerson === 'unsent')) throw failure;
	return failure;
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

export function changedQuery(sinceAt: number | undefined): Query | undefined {
	return sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
}

/** Reads the records of a list that have changed since a time, at most `limit` of them. */
export async function listChanged(
	api: Ask,
	path: string,
	sinceAt: number | undefined,
	limit?: number,
): Promise<DeliveredRecord[]> {
	const changed = listDelivered(api, path, { query: changedQuery(sinceAt), limit });
	if (sinceAt === undefined) return await changed;
	return await changed.catch((error: unknown) => {
		requireMaybeNothing(error);
		return listDelivered(api, path, { limit });
	});
}

/**
 * Throws a failure, unless it may mean that nothing passes a filter: a list without records need not have a page 0 (4.2). The
 * platform may as well not know the filter, so that all records are to be read then.
 */
export function requireMaybeNothing(error: unknown): void {
	if (!(error instanceof Failure) || error.cause !== 'nothing_or_filter') throw error;
}

/** The poll goes on where a record was deleted after it was listed, or never was there. */
export function goneIfNotFound(error: unknown): 'gone' {
	if (error instanceof Failure && error.cause === 'not_found') return 'gone';
	throw error;
}

export function noneIfGone(error: unknown): never[] {
	goneIfNotFound(error);
	return [];
}

export interface PolledList {
	/** All events that the list shows. */
	listed: ListedEvent[];
	/** The events that have to start a run. */
	news: ListedEvent[];
}

/** Finds the news among the events of a list whose records tell when they happened. */
export function findTimedNews(
	listed: ListedEvent[],
	bookmark: TimedBookmark,
	isDelivered: (event: ListedEvent) => boolean = () => false,
): PolledList {
	const seenKeys = readKeys(bookmark.seen);
	const news = listed.filter(
		(event) =>
			hasHappenedSince(event, bookmark.sinceAt) &&
			!seenKeys.has(seenKey(event)) &&
			!isDelivered(event),
	);
	return { listed, news };
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
