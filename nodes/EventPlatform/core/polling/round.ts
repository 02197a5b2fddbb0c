import type { Cause } from '../client/cause';
import { asFailure, Failure } from '../client/failure';
import { readPages, saysNothingPasses, type ListOptions } from '../client/pages';
import type { Ask, Query } from '../client/request';
import { platformNowMs, type Run } from '../client/run';
import type { JsonObject } from '../values/json';
import { eventTypeOf, listableTypes, type ListedEvent } from '../events/eventTypes';
import { concernsOthers, mayHaveActed } from '../failures/meaning';
import { Readings } from '../failures/readings';
import { hasTitleOfFilter, isWithinFilters } from '../events/filters';
import { readDelivered, type DeliveredRecord } from '../records/record';
import { sessionFactsOf } from '../events/sessionFacts';
import { beginCursor, daySeconds, type Cursor } from './cursor';
import type { PollLimits, Search } from './search';
import type { Ms, Seconds } from '../values/units';

/** The run that a poll is. */
export type PollRun = Pick<Run, 'client' | 'clock'>;

/** What the parts of one poll share: the requests, the platform's time, and what could not be read. */
export interface Reading {
	ask: Ask;
	/** Waits for the reading of one list; gives undefined where the list could not be read. The failure is kept for the end of the poll. */
	tryToRead<T>(this: void, reading: Promise<T>): Promise<T | undefined>;
	search: Search;
	limits: PollLimits;
	time: PollTimes;
	failures: Failure[];
	/** A failure that every other request would meet has come. */
	hasEnded(this: void): boolean;
	/** The events of sessions that were read alone, by id, because the filter needs their titles. */
	events: Readings<string | undefined, JsonObject | undefined>;
}

/** The reading of lists from one moment on. */
export interface Round extends Pick<Reading, 'ask' | 'tryToRead' | 'search' | 'limits' | 'events'> {
	cursor: Cursor;
	/** By the platform's clock. */
	nowSeconds: Seconds;
}

/** The times of a poll: ours, and the platform's as the responses of the run have told it, or before them as it was stored. */
interface PollTimes {
	readonly ourNowMs: Ms;
	readonly nowSeconds: Seconds;
	/** How far our clock is ahead of the platform's. */
	readonly aheadSeconds: Seconds;
	readonly hasResponded: boolean;
	/** The client has refused a request because its turn comes after the end of the poll: why. */
	outOfTime?: Failure;
}

/** A larger difference is no clock that is wrong, but a response that tells another date. */
export const mostAheadSeconds = 400 * daySeconds;

function clockAheadSeconds(run: PollRun, ourNowMs: Ms): Seconds {
	// No response had a date.
	if (run.client.usage.clockAheadMs === undefined) return 0;
	const aheadSeconds = Math.round((ourNowMs - platformNowMs(run)) / 1_000);
	return Math.abs(aheadSeconds) > mostAheadSeconds ? 0 : aheadSeconds;
}

/** `storedAheadSeconds`: how far our clock was ahead of the platform's when a response last told it. */
function timesOf(run: PollRun, ourClockMs: () => number, storedAheadSeconds: Seconds): PollTimes {
	return {
		get ourNowMs() {
			return ourClockMs();
		},
		get aheadSeconds() {
			return this.hasResponded ? clockAheadSeconds(run, ourClockMs()) : storedAheadSeconds;
		},
		get nowSeconds() {
			return Math.floor(ourClockMs() / 1_000) - this.aheadSeconds;
		},
		get hasResponded() {
			return run.client.usage.responses > 0;
		},
	};
}

export function beginReading(
	run: PollRun,
	search: Search,
	ourClockMs: () => number,
	limits: PollLimits,
	storedAheadSeconds = 0,
): Reading {
	const failures: Failure[] = [];
	const time = timesOf(run, ourClockMs, storedAheadSeconds);
	const ask: Ask = (request) =>
		run.client.send(request).catch((error: unknown) => {
			if (isOutOfTime(error)) time.outOfTime = error;
			throw error;
		});
	const tryToRead: Reading['tryToRead'] = (work) =>
		work.catch((error: unknown) => {
			if (isOutOfTime(error)) return undefined;
			const failure = asFailure(error);
			if (concernsAll(failure)) throw failure;
			if (!failures.includes(failure)) failures.push(failure);
			return undefined;
		});
	return {
		ask,
		tryToRead,
		search,
		// A request whose turn comes after the deadline is refused before the deadline.
		limits: { ...limits, isTimeOver: () => time.outOfTime !== undefined || limits.isTimeOver() },
		time,
		failures,
		hasEnded: () => failures.some(concernsAll),
		events: new Readings('everything'),
	};
}

export function beginRound(reading: Reading, stored: Cursor | undefined): Round {
	const { nowSeconds } = reading.time;
	return { ...reading, nowSeconds, cursor: beginCursor(stored, reading.search, nowSeconds) };
}

/** Such a refusal ends the reading and is no failure. */
function isOutOfTime(error: unknown): error is Failure {
	return error instanceof Failure && error.cause === 'time_over';
}

/** A failure that every other request would meet, too. An error of the platform may come from one list. */
function concernsAll(failure: Failure): boolean {
	return concernsOthers(failure) && !mayHaveActed(failure);
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

/** Reads the records of a list, without those that have no id. */
export async function listDelivered(
	ask: Ask,
	path: string,
	options: ListOptions,
): Promise<DeliveredRecord[]> {
	const deliveredRecords: DeliveredRecord[] = [];
	for await (const { records } of readPages(ask, path, options)) {
		for (const record of records) {
			const delivered = readDelivered(record);
			if (delivered) deliveredRecords.push(delivered);
		}
	}
	return deliveredRecords;
}

export function changedQuery(sinceAt: Seconds | undefined): Query | undefined {
	return sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
}

/** A platform refuses a filter in one of these ways, or says so that nothing passes it (4.2). Any other failure says nothing of the filter. */
const filterRefusals: ReadonlySet<Cause> = new Set([
	'refused',
	'unprocessable',
	'not_found',
	'nothing_or_filter',
]);

/** Throws a failure, unless the filter may be why. Then the list is to be read without it. */
export function requireFilterRefusal(error: unknown): void {
	if (!(error instanceof Failure) || !filterRefusals.has(error.cause)) throw error;
}

/** An empty list where the words of a refusal say that nothing passes the filter; undefined where the list is to be read without it. */
export function noneOrUnfiltered(error: unknown): never[] | undefined {
	requireFilterRefusal(error);
	return error instanceof Failure && saysNothingPasses(error) ? [] : undefined;
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

/** Orders events by their time, the oldest first. An event whose time the platform does not tell counts as the oldest. */
export function compareHappened(first: ListedEvent, second: ListedEvent): number {
	return compareTimes(first.happenedAtSeconds, second.happenedAtSeconds);
}

/** Orders times, the earliest first. An absent time comes before all others: something has never been done, or nobody knows when. */
export function compareTimes(first: number | undefined, second: number | undefined): number {
	if (first === undefined) return second === undefined ? 0 : -1;
	return second === undefined ? 1 : first - second;
}
