import { jobRecord, readJob } from '../jobs/jobState';
import { readTasks, taskRecord } from '../jobs/tasks';
import type { Api, JsonObject } from '../http/ports';
import { simplify } from '../http/simplify';
import type { Delivery } from './delivery';

/** What an ended job starts the workflow with. */
export type Output = 'job' | 'tasks' | 'failedTasks';

interface Reading {
	/** When the delivery arrived. */
	at: number;
	output: Output;
	connect: () => Promise<Api>;
	deadline: number;
}

/** What the run starts with: one record, or those of the tasks. */
export async function readOutput(event: Delivery, reading: Reading): Promise<JsonObject[]> {
	const stamp = { event: event.kind, received_at: new Date(reading.at).toISOString() };
	const records = await readRecords(event, reading);
	// Twice: they come first, and no field of a record can replace them.
	return records.map((record) => ({ ...stamp, ...record, ...stamp }));
}

async function readRecords({ kind, record }: Delivery, { output, connect, deadline }: Reading) {
	if (kind !== 'job.ended') return [simplify(record)];
	if (output === 'job') return [jobOutput(record)];
	const tasks = await readTasks(await connect(), record.id, { deadline });
	return tasks
		.map((task) => taskRecord(task, record.id))
		.filter(({ status }) => output === 'tasks' || status === 'failed');
}

/** The counters under the names of the specification, whatever the platform calls them. */
function jobOutput(record: JsonObject): JsonObject {
	const job = readJob(record);
	return job === undefined ? simplify(record) : { ...simplify(record), ...jobRecord(job) };
}
