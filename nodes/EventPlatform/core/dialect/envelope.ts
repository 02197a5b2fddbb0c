/*
 * This folder knows what platforms of this kind do differently from the specification, and from each other. The connector has been written by
 * the specification and by what others have published, so it takes every shape that is known of. Each file says what it rests on. On the day
 * when somebody has seen the real platform, this folder is what changes. Begin here: where records stand in a body, and what a page says of
 * its list.
 *
 *   person.ts, personAttributes.ts  people and their registrations, and what the workspace asks people for
 *   jobs.ts, webhooks.ts            jobs with their tasks; deliveries and the webhooks that send them
 *   time.ts                         times of records and signatures, and dates that people enter
 *   flags.ts                        flags and counts of records, and what is certainly a no
 *   errors.ts, refusals.ts          the errors in a body, and what their words mean; alreadyRegistered.ts: of somebody registered before
 *   limitHeaders.ts, clockAhead.ts  the limits in the headers, and how far our clock is ahead of the platform's
 *   publicEvents.ts                 the emails that the platform makes up at public events
 *
 * Other peculiarities are handled where the decision about them is made, because it takes a request, or belongs to a table with a
 * meaning of its own.
 */
import { isObject, type Json, type JsonObject } from '../values/json';

/** A record is flat, as section 2.1 shows jobs, or stands in `data`, as the vendor's pages have all others. */
export function contentOf(body: unknown): JsonObject | undefined {
	if (!isObject(body)) return undefined;
	return isObject(body.data) ? body.data : body;
}

/** Reads the record in a body; undefined where it is none. */
export function recordIn(body: unknown): JsonObject | undefined {
	const content = contentOf(body);
	return content && ('id' in content || 'attributes' in content) ? content : undefined;
}

const namesBesideFields = new Set(['id', 'type', 'attributes', 'relationships', 'meta', 'links']);

/** The fields of a record stand in its attributes, or beside its id. */
export function fieldsIn(record: JsonObject): JsonObject {
	if (isObject(record.attributes)) return record.attributes;
	const fields = Object.entries(record).filter(([name]) => !namesBesideFields.has(name));
	return Object.fromEntries(fields);
}

export interface PageMeta {
	/**
	 * The number of the last page, as far as this page knows; 0 for an empty list. Undefined where the platform does not say where the
	 * list ends.
	 */
	lastPage?: number;
	recordCount?: number;
}

/** Reads what a page says of its list (2.4); undefined what it does not say. */
export function readPageMeta(meta: Json | undefined): PageMeta {
	if (!isObject(meta)) return {};
	const { current_page: current, next_page: next, page_count: pages, record_count } = meta;
	const recordCount = typeof record_count === 'number' ? record_count : undefined;
	// 0 is a page; null ends the list whatever the count says.
	if (next === null && typeof current === 'number') return { lastPage: current, recordCount };
	if (typeof pages === 'number') return { lastPage: Math.max(0, pages - 1), recordCount };
	return { lastPage: typeof next === 'number' ? next : undefined, recordCount };
}
