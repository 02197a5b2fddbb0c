import type { Json, JsonObject } from '../values/json';
import { contentOf, fieldsIn } from './envelope';
import { readErrors, type PlatformError } from './errors';

/*
 * What this rests on: section 2.1 shows a flat job and its counters. Several public clients expect it in `data`, and read other names of
 * the same counters. Livestorm's own client takes the status `completed` for final, and reads the status and the errors of a task each
 * among its attributes or flat, as section 2.3 has them, and errors that are texts as well. Section 2.6 leaves the person in a task open.
 */

/** The state of a job (section 3.1), whatever the platform calls its counters. */
export interface JobState {
	id: string;
	/** The status in the platform's words; `processing` where it says nothing. */
	status: string;
	isFinal: boolean;
	total?: number;
	processed?: number;
	succeeded?: number;
	failed?: number;
}

/** Reads a job, flat as in section 2.1 or wrapped in `data`; undefined where the body is no job. */
export function readJob(body: unknown): JobState | undefined {
	const record = contentOf(body);
	const { id } = record ?? {};
	if (!record || typeof id !== 'string') return undefined;
	const fields = fieldsIn(record);
	const status = typeof fields.status === 'string' ? fields.status : 'processing';
	const total = counterIn(fields, 'total_items', 'total_tasks');
	const processed = counterIn(fields, 'total_processed_items', 'total_processed_tasks');
	return {
		id,
		status,
		isFinal: isFinal(status, total, processed),
		total,
		processed,
		succeeded: counterIn(fields, 'total_success', 'total_succeeded'),
		failed: counterIn(fields, 'total_fail', 'total_failed'),
	};
}

const finalStatuses = ['ended', 'failed', 'completed'];

/** A job with a status that nobody knows is over when every task is processed: a run would otherwise wait for it until its own end. */
function isFinal(status: string, total = 0, processed = 0): boolean {
	if (finalStatuses.includes(status)) return true;
	return status !== 'processing' && total > 0 && processed >= total;
}

function counterIn(fields: JsonObject, ...names: string[]): number | undefined {
	return names.map((name) => fields[name]).find((value) => typeof value === 'number');
}

interface Task {
	status: Json | undefined;
	/** The record of the person, where the task shows one. */
	record: JsonObject | undefined;
	errors: PlatformError[];
}

/** Reads a task, whose members are flat or attributes, or some of them are either, and which shows its person wrapped in `data` or not. */
export function readTask(sent: JsonObject): Task {
	const { status, data, ...reasons } = { ...fieldsIn(sent), ...sent };
	return { status, record: contentOf(data), errors: readErrors(reasons) };
}
