import { jobRecord, readJob } from '../jobs/jobState';
import { readTaskResult } from '../jobs/taskResult';
import { readTasks, taskRecord } from '../jobs/tasks';
import type { Api, JsonObject } from '../http/ports';
import { simplify } from '../http/simplify';
import type { Delivery } from './delivery';
import { deliveryKey, shortKey } from './deliveryKey';

/** What an ended job starts the workflow with. */
export type Output = 'job' | 'tasks' | 'failedTasks';

interface Reading {
	/** When the delivery arrived. */
	at: number;
	output: Output;
	connect: () => Promise<Api>;
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
	const { records, missing } = await readRecords(event, reading);
	const received_at = new Date(reading.at).toISOString();
	const keys = ofTasks(event, reading) ? keysOfTasks(key, records) : [key];
	const stamped = records.map((record, index) => {
		const stamp: JsonObject = { event: event.kind, event_key: keys[index] ?? key, received_at };
		if (reading.notChecked !== undefined) stamp.not_checked = reading.notChecked;
		// Twice: they come first, and no field of a record can replace them.
		return { ...stamp, ...record, ...stamp };
	});
	return { records: stamped.filter((record) => isWanted(record, event, reading)), missing };
}

/** Whether the tasks of the job have to be read, which costs requests. */
export function ofTasks({ kind }: Pick<Delivery, 'kind'>, { output }: { output: Output }): boolean {
	return kind === 'job.ended' && output !== 'job';
}

async function readRecords(event: Delivery, reading: Reading): Promise<Read> {
	const { kind, record } = event;
	if (!ofTasks(event, reading)) {
		return { records: [kind === 'job.ended' ? jobOutput(record) : simplify(record)], missing: 0 };
	}
	const { connect, deadline } = reading;
	const tasks = await readTasks(await connect(), record.id, { deadline });
	const finished = tasks.filter((task) => readTaskResult(task) !== undefined);
	const { total, succeeded = 0, failed = 0 } = readJob(record) ?? {};
	const missing = Math.max(total ?? succeeded + failed, tasks.length) - finished.length;
	const rows = [...finished, ...Array.from({ length: Math.max(0, missing) }, () => noResult)];
	return { records: rows.map((task) => taskRecord(task, record.id)), missing };
}

const noResult: JsonObject = { status: 'unknown' };

/** A failed task that is not shown yet may be one of those without a result. */
function isWanted({ status }: JsonObject, event: Delivery, reading: Reading): boolean {
	return !ofTasks(event, reading) || reading.output === 'tasks' || status !== 'succeeded';
}

/** The counters under the names of the specification, whatever the platform calls them. */
function jobOutput(record: JsonObject): JsonObject {
	const job = readJob(record);
	return job === undefined ? simplify(record) : { ...simplify(record), ...jobRecord(job) };
}

/** By what they say and not by their place, because the platform may list them in another order. */
function keysOfTasks(key: string, records: readonly JsonObject[]): string[] {
	const alike = new Map<string, number>();
	return records.map(({ status, errors, person }) => {
		const content = shortKey([key, status, errors, person]);
		const before = alike.get(content) ?? 0;
		alike.set(content, before + 1);
		return shortKey([content, before]);
	});
}
