/*
 * This folder knows what platforms of this kind do differently from the specification, and from each other. The connector has been written by
 * the specification and by what others have published, so it takes every shape that is known of. On the day when somebody has
 * seen the real platform, this folder is what changes. Begin here: where a record stands in a body.
 *
 *   errors.ts             the envelopes in which errors come; refusals.ts: what their words say
 *   alreadyRegistered.ts  by which words somebody is said to be registered
 *   limitHeaders.ts       how the headers about limits are spelled, and in which forms they tell a time
 *   pageMeta.ts           lists with and without `data`, and how they say where they end
 *   jobs.ts               the names of a job's counters, and the shapes of its tasks
 *   person.ts             the shapes of an answer about a person, and where the personal link stands
 *   personAttributes.ts   the shapes of the list of person attributes
 *   publicEvents.ts       the emails that a public event makes up
 *   webhooks.ts           how a delivery names its event type, how a signature is written, how a webhook is disabled
 *   recordings.ts         media types that are none
 *   rewriting.ts          what the platform makes of the values that it is sent, learned from its answers
 *
 * All but the last read what was sent, and know no request. Where something is asked for once more or in another way,
 * that stands with the request: `client/pages.ts` (lists that have no page 0 or the same page again), `client/askQuota.ts` (no
 * ping), `jobs/taskReader.ts` (page parameters that break the list) and `jobs/notYet.ts` (results before the end of a job).
 */
import { isObject, type JsonObject } from '../values/json';

/** The record of a body, which is flat, as section 2.1 shows jobs, or stands in `data`; undefined where the body is no object. */
export function contentOf(body: unknown): JsonObject | undefined {
	if (!isObject(body)) return undefined;
	return isObject(body.data) ? body.data : body;
}

/** The members of a record that tell about it: they stand in `attributes`, or beside the id. */
export function membersOf(record: JsonObject): JsonObject {
	return isObject(record.attributes) ? record.attributes : record;
}

/** The members of a record besides what it is about. */
const besideFields = new Set(['id', 'type', 'relationships', 'meta', 'links']);

/** The fields of a record, without the members that every record has. */
export function fieldsIn(record: JsonObject): JsonObject {
	if (isObject(record.attributes)) return record.attributes;
	const fields = Object.entries(record).filter(([name]) => !besideFields.has(name));
	return Object.fromEntries(fields);
}
