import { jobRecord, readJob } from '../jobs/jobState';
import { readTaskResult, TaskReader } from '../jobs/task';
import { peopleOfJob, taskRecords } from '../results/taskRecords';
import type { JsonObject } from '../http/json';
import type { Api } from '../http/ports';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { titlesOf, type Titles } from '../sessions/readSession';
import { deliveryKey, shortKey } from './delivery';
import { isInSession, kindOf, type Delivery } from './kinds';

export type Output = 'job' | 'tasks' | 'failedTasks';

export interface Connection {
	api: Api;
	apiRoot: string;
	deadline: number;
}

/** Whether the tasks of the job have to be read, which costs requests. */
export function needsTasks(kind: string, output: Output): boolean {
	return kindOf(kind).type === 'jobs' && output !== 'job';
}

/** What a run starts with, out of the record alone. `notChecked`: people read it on the item. */
export function recordOf(
	event: Delivery & { titles?: Titles },
	at: number,
	show: Show = showAll,
	notChecked?: string,
): JsonObject {
	const { kind, record, titles = titlesOf({}) } = event;
	const { type } = kindOf(kind);
	// The counters of a job under the names of the specification, whatever the platform calls them.
	const job = type === 'jobs' ? readJob(record) : undefined;
	const fields = fieldsOf(record);
	for (const [name, title] of isInSession(kind) ? Object.entries(titles) : []) {
		const isItself = name === 'session_name' && type === 'sessions';
		if (!fields.has(name) && !isItself) fields.set(name, title);
	}
	const shown: JsonObject = { ...show(fields), ...(job && jobRecord(job)) };
	if (notChecked !== undefined) shown.not_checked = notChecked;
	return stamped(shown, kind, deliveryKey(event), at);
}

/** Twice: what we say of it comes first, and no field of a record can replace it. */
function stamped(record: JsonObject, event: string, event_key: string, at: number): JsonObject {
	const stamp = { event, event_key, received_at: new Date(at).toISOString() };
	return { ...stamp, ...record, ...stamp };
}

/**
 * What a run starts with, out of the tasks of a job whose delivery arrived `at`. `missing`: results that the
 * platform does not show yet; in their place the records say `unknown`.
 */
export async function readTaskItems(
	event: Delivery,
	at: number,
	output: Output,
	{ api, apiRoot, deadline }: Connection,
) {
	const { kind, record } = event;
	const shown = await new TaskReader().read(api, record.id, { deadline });
	const finished = shown.filter((task) => readTaskResult(task) !== undefined);
	const { total, succeeded, failed = 0 } = readJob(record) ?? {};
	const due = Math.max(total ?? (succeeded ?? 0) + failed, shown.length);
	const missing = Math.max(0, due - finished.length);
	const all = [...finished, ...Array.from({ length: missing }, () => noResult)];
	const job = { id: record.id, people: peopleOfJob(apiRoot, record.id), succeeded };
	const people = await taskRecords(all, job, (request) => api({ ...request, deadline }));
	const keys = keysOfTasks(deliveryKey(event), all);
	const records = people
		.map((person, index) => stamped(person, kind, keys[index] ?? '', at))
		.filter(({ status }) => output === 'tasks' || !haveNotFailed.includes(status));
	return { records, missing };
}

const noResult: JsonObject = { status: 'unknown' };
/** Those without a result may have failed. */
const haveNotFailed: unknown[] = ['succeeded', 'already_registered'];

/** By what they say and not by their place, because the platform may list them in another order. */
function keysOfTasks(key: string, tasks: readonly JsonObject[]): string[] {
	const alike = new Map<string, number>();
	return tasks.map((task) => {
		const content = shortKey([key, readTaskResult(task)]);
		const before = alike.get(content) ?? 0;
		alike.set(content, before + 1);
		return shortKey([content, before]);
	});
}
