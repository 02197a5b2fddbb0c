import type { JsonObject, Json } from '../values/json';
import { text } from '../values/text';

/** Anybody who has one of these is logged in as the person. The record as sent still has them. */
export const keys = /^(?:connection[\s_-]?link|password[\s_-]?key)$/i;

/** Whether a field, or the answer to a question of that name, stays out of what people see and what is kept. */
export function isWithheld(name: string): boolean {
	return keys.test(name);
}

/** Leaves the keys out of a record, however deep they stand in it, as members or as answers to a question of that name. */
export function withoutKeys(record: JsonObject): JsonObject {
	const kept = JSON.stringify(record, function (this: JsonObject, name, value: Json) {
		const isAnswer = name === 'value' && isWithheld(text(this.id));
		return isAnswer || isWithheld(name) ? undefined : value;
	});
	return JSON.parse(kept) as JsonObject;
}
