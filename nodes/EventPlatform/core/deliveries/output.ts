import { jobRecord, readJob } from '../jobs/jobState';
import { readTaskResult } from '../jobs/taskResult';
import { readTasks } from '../jobs/tasks';
import { peopleOfJob } from '../results/jobPeople';
import { taskRecords } from '../results/taskRecords';
import type { Api, JsonObject } from '../http/ports';
import { simplify } from '../http/simplify';
import { deliveryKey, shortKey, type Delivery } from './delivery';

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
	const { at, output, notChecked } = reading;
	if (!ofTasks(event, reading)) return { records: [recordOf(event, at, notChecked)], missing: 0 };
	const { tasks, missing } = await readTaskRecords(event, reading);
	const wanted = output === 'tasks' ? tasks : tasks.filter(({ record }) => mayHaveFailed(record));
	return { records: wanted.map(({ record, key }) => stamped(record, event, key, at)), missing };
}

/** What a run starts with, out of the record alone. */
export function recordOf(event: Delivery, at: number, notChecked?: string): JsonObject {
	const { kind, record } = event;
	// The counters of a job under the names of the specification, whatever the platform calls them.
	const job = kind === 'job.ended' ? readJob(record) : undefined;
	const shown = { ...simplify(record), ...(job && jobRecord(job)) };
	return stamped(shown, event, deliveryKey(event), at, notChecked);
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
	return kind === 'job.ended' && output !== 'job';
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
