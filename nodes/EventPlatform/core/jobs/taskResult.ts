import type { PlatformError } from '../dialect/errors';
import { readTask } from '../dialect/jobs';
import type { JsonObject } from '../values/json';
import { viewRecord, type RecordView } from '../records/recordView';
import { fieldsOf } from '../records/simplify';
import { replaceAddresses } from '../values/text';
import { saysRegistered } from '../dialect/alreadyRegistered';
import { ownReason, type Reason } from '../people/outcome';
import { addressOfFields, isRegistrant } from '../people/identity';

/** The result of one task (2.3), without anything that logs a person in. */
export interface TaskResult {
	status: 'registered' | 'already_registered' | 'failed';
	/** That of the record. The platform may have made it up. */
	address?: string;
	/** Somebody of the team or a guest keeps the own address at a public event, too. */
	isNoRegistrant?: true;
	person?: JsonObject;
	reasons: readonly Reason[];
}

/** A reason may concern any of several people. Addresses are replaced, so that nobody reads another person's. */
export function distinctReasons(results: readonly TaskResult[]): Reason[] {
	const reasonsByText = new Map<string, Reason>();
	for (const { code, message: original } of results.flatMap(({ reasons }) => reasons)) {
		const message = replaceAddresses(original, 'the address');
		reasonsByText.set(`${code} ${message}`, { code, message });
	}
	const distinct = [...reasonsByText.values()];
	const unlisted = distinct.splice(mostReasons).length;
	if (unlisted === 0) return distinct;
	return [
		...distinct,
		{ code: 'more_reasons', message: `${unlisted} more reasons are not listed.` },
	];
}

/** No more reasons than these are listed, because each is shown for every person whom it may concern: fifty reasons for fifty people would be 2,500. */
const mostReasons = 10;

/** The result is true of each of the people to whom these belong, whichever is whose; undefined where the statuses differ. */
export function sharedResult(results: readonly TaskResult[]): TaskResult | undefined {
	const [first, ...others] = results;
	if (!first || others.length === 0) return first;
	if (others.some(({ status }) => status !== first.status)) return undefined;
	const distinct = distinctReasons(results);
	const reasons =
		distinct.length > first.reasons.length ? [ownReason('one_of_these'), ...distinct] : distinct;
	return { status: first.status, reasons };
}

/** Reads the result of a task; undefined for a task that is not finished. `view`: the part of the record that is kept. Absent: all of it. */
export function readTaskResult(task: JsonObject, view?: RecordView): TaskResult | undefined {
	const { status, record, errors } = readTask(task);
	if (status === 'failed') return readFailure(errors);
	if (status !== 'succeeded') return undefined;
	if (!record) return { status: 'registered', reasons: [] };
	const fields = fieldsOf(record);
	const address = addressOfFields(fields);
	const person = viewRecord(fields, view);
	const isNoRegistrant = isRegistrant(record) ? undefined : true;
	return { status: 'registered', person, address, isNoRegistrant, reasons: [] };
}

function readFailure(errors: readonly PlatformError[]): TaskResult {
	const told: readonly PlatformError[] = errors.length > 0 ? errors : [{}];
	const reasons = told.map(({ code, title, detail }) => ({
		code: code ?? title ?? 'failed',
		message: detail ?? title ?? code ?? 'The platform gave no reason.',
	}));
	return { status: saysRegistered(errors) ? 'already_registered' : 'failed', reasons };
}
