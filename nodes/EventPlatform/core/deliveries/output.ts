import { jobRecord, readJob } from '../jobs/jobState';
import { readTaskResult } from '../jobs/taskResult';
import { readTasks } from '../jobs/tasks';
import { peopleOfJob } from '../results/jobPeople';
import { taskRecords } from '../results/taskRecords';
import type { Api, Ask, JsonObject } from '../http/ports';
import { simplify } from '../http/simplify';
import type { Delivery } from './delivery';
import { deliveryKey, shortKey } from './deliveryKey';
import type { DeliveredRecord } from './record';

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
	const key = deliveryKey(event);
	const { records, keys, missing } = ofTasks(event, reading)
		? await readTaskRecords(key, event.record, reading)
		: { records: [recordOf(event)], keys: [key], missing: 0 };
	const received_at = new Date(reading.at).toISOString();
	const stamped = records.map((record, index) => {
		const stamp: JsonObject = { event: event.kind, event_key: keys[index] ?? key, received_at };
		if (reading.notChecked !== undefined) stamp.not_checked = reading.notChecked;
		// Twice: they come first, and no field of a record can replace them.
		return { ...stamp, ...record, ...stamp };
	});
	const isAnyWanted = !ofTasks(event, reading) || reading.output === 'tasks';
	return { records: stamped.filter((record) => isAnyWanted || mayHaveFailed(record)), missing };
}

/** Whether the tasks of the job have to be read, which costs requests. */
export function ofTasks({ kind }: Pick<Delivery, 'kind'>, { output }: { output: Output }): boolean {
	return kind === 'job.ended' && output !== 'job';
}

async function readTaskRecords(key: string, record: DeliveredRecord, reading: Reading) {
	const { id } = record;
	const { deadline } = reading;
	const { api, apiRoot } = await reading.connect();
	const tasks = await readTasks(api, id, { deadline });
	const finished = tasks.filter((task) => readTaskResult(task) !== undefined);
	const { total, succeeded, failed = 0 } = readJob(record) ?? {};
	const due = Math.max(total ?? (succeeded ?? 0) + failed, tasks.length);
	const missing = Math.max(0, due - finished.length);
	const rows = [...finished, ...Array.from({ length: missing }, () => noResult)];
	const job = { id, people: peopleOfJob(apiRoot, id), succeeded };
	const ask: Ask = (request) => api({ ...request, deadline });
	return { records: await taskRecords(rows, job, ask), keys: keysOfTasks(key, rows), missing };
}

const noResult: JsonObject = { status: 'unknown' };

/** A failed task that is not shown yet may be one of those without a result. */
function mayHaveFailed({ status }: JsonObject): boolean {
	return status !== 'succeeded' && status !== 'already_registered';
}

/** The counters of a job under the names of the specification, whatever the platform calls them. */
function recordOf({ kind, record }: Delivery): JsonObject {
	const job = kind === 'job.ended' ? readJob(record) : undefined;
	return { ...simplify(record), ...(job && jobRecord(job)) };
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
