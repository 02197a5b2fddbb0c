/*
 * This folder knows what platforms of this kind do differently from the specification, and from each other. The connector has been written by
 * the specification and by what others have published, so it takes every shape that is known of. Each file says what it rests on. On the day when somebody has
 * seen the real platform, this folder is what changes. Begin here: where a record stands in a body.
 *
 *   ids.ts                ids that are numbers, and where a record names its session and its event
 *   time.ts               times in seconds or milliseconds, as numbers or texts
 *   errors.ts             the envelopes in which errors come; refusals.ts: what their words say
 *   alreadyRegistered.ts  by which words somebody is said to be registered
 *   limitHeaders.ts       how the headers about limits are spelled, in which forms they tell a time, and by which clock
 *   pageMeta.ts           lists with and without `data`, and how they say where they end
 *   jobs.ts               the names of a job's counters, and the shapes of its tasks
 *   person.ts             the shapes of a response about a person, flags, and where answers and the personal link stand
 *   personAttributes.ts   the shapes of the list of person attributes
 *   publicEvents.ts       the emails that the platform makes up for a public event
 *   webhooks.ts           how a delivery names its event type, how a signature is written, how a webhook is disabled
 *
 * Other peculiarities are handled where the decision about them is made, because it takes a request, or belongs to a table with a
 * meaning of its own.
 */
import { isObject, type JsonObject } from '../values/json';

/** Gives the record of a body, which is flat, as section 2.1 shows jobs, or stands in `data`, as the vendor's pages have all others; undefined where the body is no object. */
export function contentOf(body: unknown): JsonObject | undefined {
	if (!isObject(body)) return undefined;
	return isObject(body.data) ? body.data : body;
}

export function membersOf(record: JsonObject): JsonObject {
	return isObject(record.attributes) ? record.attributes : record;
}

const namesBesideFields = new Set(['id', 'type', 'relationships', 'meta', 'links']);

export function fieldsIn(record: JsonObject): JsonObject {
	if (isObject(record.attributes)) return record.attributes;
	const fields = Object.entries(record).filter(([name]) => !namesBesideFields.has(name));
	return Object.fromEntries(fields);
}
