import { Failure } from '../client/failure';
import { keepRecords, type ListOptions } from '../client/pages';
import type { Ask } from '../client/request';
import type { JsonObject } from '../values/json';
import {
	eventTypeOf,
	listableTypes,
	passes,
	passesTitle,
	type ListedEvent,
} from '../events/eventTypes';
import { readDelivered, type DeliveredRecord } from '../records/record';
import { sessionFactsOf } from '../events/sessionFacts';
import type { Cursor, PollLimits, Wanted } from './cursor';

/** One poll: what its parts have in common. */
export interface Round {
	api: Ask;
	/** Undefined where one list could not be read; the failure is kept for the end of the poll. */
	attempt<T>(this: void, work: Promise<T>): Promise<T | undefined>;
	wanted: Wanted;
	limits: PollLimits;
	cursor: Cursor;
	/** The time by the platform's clock, in Unix seconds. */
	now: number;
}

/** Finds the events that the records of a list show, whenever they happened. */
export function eventsIn(
	{ wanted }: Round,
	recordType: string,
	records: readonly DeliveredRecord[],
	session?: JsonObject,
): ListedEvent[] {
	const eventTypes = listableTypes(wanted.eventTypes, recordType);
	return records.flatMap((record) =>
		eventTypes.flatMap((eventType) => {
			const { happenedAt, isUntimed, attendance } = eventTypeOf(eventType);
			const at = happenedAt?.(record, session ?? {});
			if (at === undefined || !passes({ eventType, record }, wanted.filters)) return [];
			const facts = sessionFactsOf(session ?? record.attributes);
			const title = recordType === 'events' ? record.attributes.title : facts.event_title;
			if (!passesTitle(eventType, title, wanted.filters)) return [];
			return {
				eventType,
				record,
				at,
				sessionFacts: facts,
				attendance,
				isUntimed: isUntimed?.(record) ?? false,
			};
		}),
	);
}

/** The records of a list, without those that have no id. */
export async function listDelivered(
	api: Ask,
	path: string,
	asked: ListOptions,
): Promise<DeliveredRecord[]> {
	return await keepRecords(api, path, readDelivered, asked);
}

/** Gives null for a record that was deleted after it was listed, or never was there, so that it holds up nothing else. */
export function nullIfGone(error: unknown): null {
	if (error instanceof Failure && error.cause === 'not_found') return null;
	throw error;
}
