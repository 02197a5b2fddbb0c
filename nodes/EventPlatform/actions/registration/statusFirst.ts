import type { JsonObject } from '../../core/values/json';

/** Puts the status in front, where a table shows it; no field of the record can replace it. */
export function statusFirst(status: string, record: JsonObject): JsonObject {
	return Object.assign({ status }, record, { status });
}
