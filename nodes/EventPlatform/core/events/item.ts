import { jobRecord, readJob } from '../jobs/jobState';
import { readTaskResult } from '../jobs/taskResult';
import { readPeopleOfJob, type TaskSource } from '../jobs/taskRecords';
import { isObject, type Json, type JsonObject } from '../values/json';
import { Fields, fieldsOf, showAll, type Show } from '../records/simplify';
import { titlesOf, type Titles } from '../sessions/titles';
import { deliveryKey, rawDeliveryKey, shortKey, type RawDelivery } from './delivery';
import { isInSession, eventTypeOf, type Delivery } from './eventTypes';

export type Output = 'job' | 'tasks' | 'failedTasks';

/** Whether the tasks of the job have to be read, which costs requests. */
export function needsTasks(eventType: string, output: Output): boolean {
	return eventTypeOf(eventType).type === 'jobs' && output !== 'job';
}

/** What a run starts with, out of the record alone. `notChecked`: people read it on the item. */
export function recordOf(
	event: Delivery & { titles?: Titles },
	at: number,
	show: Show = showAll,
	notChecked?: string,
): JsonObject {
	const { eventType, record, titles = titlesOf({}) } = event;
	const { type } = eventTypeOf(eventType);
	// The counters of a job under the names of the specification, whatever the platform calls them.
	const job = type === 'jobs' ? readJob(record) : undefined;
	const fields = fieldsOf(record);
	for (const [name, title] of isInSession(eventType) ? Object.entries(titles) : []) {
		const isItself = name === 'session_name' && type === 'sessions';
		if (!fields.has(name) && !isItself) fields.set(name, title);
	}
	const shown: JsonObject = { ...show(fields), ...(job && jobRecord(job)) };
	if (notChecked !== undefined) shown.not_checked = notChecked;
	return stamped(shown, eventType, deliveryKey(event), at);
}

/** What a run starts with, out of a delivery that is no record: all that it has, on one level. */
export function rawRecordOf(delivery: RawDelivery, at: number): JsonObject {
	const { eventType, body } = delivery;
	const fields = new Fields(Object.entries(stampOf(eventType, rawDeliveryKey(delivery), at)));
	for (const part of partsOf(body)) {
		// Its own `event` stays, under another name.
		for (const [name, value] of fieldsOf(part)) fields.add(name, value, '_delivery');
	}
	return showAll(fields);
}

/** What stands in `data`, and what stands beside it. What is no object becomes the field `body`. */
function partsOf(body: Json): JsonObject[] {
	if (!isObject(body)) return [{ body }];
	const { data, ...besides } = body;
	return isObject(data) ? [data, besides] : [body];
}

/** Twice: what we say of it comes first, and no field of a record can replace it. */
function stamped(record: JsonObject, event: string, event_key: string, at: number): JsonObject {
	const stamp = stampOf(event, event_key, at);
	return { ...stamp, ...record, ...stamp };
}

function stampOf(event: string, event_key: string, at: number): JsonObject {
	// In seconds, like the times of records, so that all of them come out in the zone of the workflow.
	return { event, event_key, received_at: Math.floor(at / 1_000) };
}

/**
 * What a run starts with, out of the tasks of a job whose delivery arrived `at`. `missing`: results that the
 * platform does not show yet.
 */
export async function readTaskItems(
	event: Delivery,
	at: number,
	output: Output,
	source: TaskSource,
) {
	const { eventType, record: job } = event;
	const shown = await readPeopleOfJob(source, { id: job.id, ended: readJob(job) ?? {} });
	/** By what they say and not by their place, because the platform may list them in another order. */
	const alike = new Map<string, number>();
	const items = shown.map(({ task, record }) => {
		const content = shortKey([deliveryKey(event), readTaskResult(task)]);
		const before = alike.get(content) ?? 0;
		alike.set(content, before + 1);
		return stamped(record, eventType, shortKey([content, before]), at);
	});
	const missing = items.filter(({ status }) => status === 'unknown').length;
	// Those without a result may have failed.
	const haveNotFailed: unknown[] = output === 'tasks' ? [] : ['succeeded', 'already_registered'];
	return { records: items.filter(({ status }) => !haveNotFailed.includes(status)), missing };
}
