import { jobRecord, readJob } from '../jobs/jobState';
import { readTaskResult } from '../jobs/task';
import { readTasks } from '../jobs/tasks';
import { peopleOfJob, taskRecords } from '../results/taskRecords';
import type { Api, JsonObject } from '../http/ports';
import { fieldsOf, showAll, type Show } from '../records/simplify';
import { deliveryKey, shortKey, type Delivery } from './delivery';
import { kindOf } from './kinds';
import type { Titles } from './titles';

/** What an ended job starts the workflow with. */
export type Output = 'job' | 'tasks' | 'failedTasks';

/** Who asks the platform, and which one it is. */
export type Connect = () => Promise<{ api: Api; apiRoot: string }>;

interface Reading {
	/** When the delivery arrived. */
	at: number;
	output: Output;
	connect: Connect;
	deadline: number;
	/** Which fields of a record are shown. */
	show?: Show;
	titles?: Titles;
	/** What could not be checked about the event: people read it on the item. */
	notChecked?: string;
}

export interface Read {
	records: JsonObject[];
	/** Results of the job that the platform does not show yet; in their place the records say `unknown`. */
	missing: number;
}

/** What the run starts with: one record, or those of the tasks. */
export async function readOutput(event: Delivery, reading: Reading): Promise<Read> {
	const { at, output, show, notChecked, titles } = reading;
	if (!ofTasks(event, reading)) {
		return { records: [recordOf({ ...event, titles }, at, show, notChecked)], missing: 0 };
	}
	const { tasks, missing } = await readTaskRecords(event, reading);
	const wanted = output === 'tasks' ? tasks : tasks.filter(({ record }) => mayHaveFailed(record));
	return { records: wanted.map(({ record, key }) => stamped(record, event, key, at)), missing };
}

/** What a run starts with, out of the record alone. */
export function recordOf(
	event: Delivery & { titles?: Titles },
	at: number,
	show: Show = showAll,
	notChecked?: string,
): JsonObject {
	const { kind, record } = event;
	// The counters of a job under the names of the specification, whatever the platform calls them.
	const job = kindOf(kind).subject === 'job' ? readJob(record) : undefined;
	const fields = fieldsOf(record);
	for (const [name, title] of hasTitles(event) ? Object.entries(event.titles ?? noTitles) : []) {
		const isItself = name === 'session_name' && kindOf(kind).subject === 'session';
		if (!fields.has(name) && !isItself) fields.set(name, title);
	}
	const shown = { ...show(fields), ...(job && jobRecord(job)) };
	return stamped(shown, event, deliveryKey(event), at, notChecked);
}

const noTitles: Titles = { event_title: null, session_name: null };

/** Whether it belongs to a session; an event has its title itself. */
export function hasTitles({ kind }: Pick<Delivery, 'kind'>): boolean {
	const { subject } = kindOf(kind);
	return subject === 'people' || subject === 'session';
}

function stamped(
	record: JsonObject,
	{ kind }: Delivery,
	key: string,
	at: number,
	notChecked?: string,
): JsonObject {
	const stamp: JsonObject = {
		...{ event: kind, event_key: key, received_at: new Date(at).toISOString() },
		...(notChecked !== undefined && { not_checked: notChecked }),
	};
	// Twice: they come first, and no field of a record can replace them.
	return { ...stamp, ...record, ...stamp };
}

/** Whether the tasks of the job have to be read, which costs requests. */
export function ofTasks({ kind }: Pick<Delivery, 'kind'>, { output }: { output: Output }): boolean {
	return kindOf(kind).subject === 'job' && output !== 'job';
}

async function readTaskRecords(event: Delivery, { connect, deadline }: Reading) {
	const { record } = event;
	const { api, apiRoot } = await connect();
	const shown = await readTasks(api, record.id, { deadline });
	const finished = shown.filter((task) => readTaskResult(task) !== undefined);
	const { total, succeeded, failed = 0 } = readJob(record) ?? {};
	const due = Math.max(total ?? (succeeded ?? 0) + failed, shown.length);
	const missing = Math.max(0, due - finished.length);
	const all = [...finished, ...Array.from({ length: missing }, () => noResult)];
	const job = { id: record.id, people: peopleOfJob(apiRoot, record.id), succeeded };
	const records = await taskRecords(all, job, (request) => api({ ...request, deadline }));
	const keys = keysOfTasks(deliveryKey(event), all);
	return { tasks: records.map((one, index) => ({ record: one, key: keys[index] ?? '' })), missing };
}

const noResult: JsonObject = { status: 'unknown' };

/** A failed task that is not shown yet may be one of those without a result. */
function mayHaveFailed({ status }: JsonObject): boolean {
	return status !== 'succeeded' && status !== 'already_registered';
}

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
