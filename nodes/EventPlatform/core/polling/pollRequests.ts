/* What a poll asks for in a list, and what becomes of a record that is gone. `sessionList.ts`: how sessions are listed. */
import { Failure } from '../client/failure';
import { readPages, type ListOptions } from '../client/pages';
import type { Ask, Query } from '../client/request';
import { deliveredIn, type DeliveredRecord } from '../records/record';
import { addAll } from '../values/collections';
import type { Seconds } from '../values/units';

/** Reads the records of a list, without those that have no id. */
export async function listDelivered(
	ask: Ask,
	path: string,
	options: ListOptions,
): Promise<DeliveredRecord[]> {
	const deliveredRecords: DeliveredRecord[] = [];
	for await (const { records } of readPages(ask, path, options)) {
		addAll(deliveredRecords, deliveredIn(records));
	}
	return deliveredRecords;
}

export function changedQuery(sinceAt: Seconds | undefined): Query | undefined {
	return sinceAt === undefined ? undefined : { 'filter[updated_since]': sinceAt };
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
