import { withDates } from '../parameters/dates';
import type { Read } from '../parameters/read';
import { pickFields } from '../parameters/recordFields';
import type { JsonObject } from '../core/http/ports';
import { fieldsOf, type Fields } from '../core/records/simplify';

/** How records leave: `one` is for what the operation returns, `other` for what comes along with it. */
export interface Shape {
	/** Else as sent. */
	simplified: boolean;
	/** `columns` are added to the record, `besides` are shown although few people use them. */
	one(
		this: void,
		record: JsonObject,
		columns?: JsonObject,
		besides?: readonly string[],
	): JsonObject;
	other(this: void, record: JsonObject): JsonObject;
}

/** Read before anything is sent, because an expression that fails must not do so after a change. */
export function shapeOf(read: Read): Shape {
	if (!read.simplify()) return { simplified: false, one: asSent, other: asSent };
	const names = read.names('options.fields');
	const { zone } = read;
	return {
		simplified: true,
		one(record, columns = {}, besides) {
			const whole = fieldsOf(record);
			for (const [name, value] of Object.entries(columns)) whole.set(name, value);
			return withDates(pickFields(whole, names, besides), zone, whole.answers);
		},
		other: (record) => usualShape(fieldsOf(record), zone),
	};
}

/** Of a record whose fields cannot be chosen. */
export function usualShape(fields: Fields, zone: string): JsonObject {
	return withDates(pickFields(fields), zone, fields.answers);
}

function asSent(record: JsonObject): JsonObject {
	return record;
}
