import type { JsonObject, Json } from '../values/json';
import { text } from '../values/text';

/** The names of the fields that log anybody in as the person. The record as it was sent still has them. */
const withheldNames = /^(?:connection[\s_-]?link|password[\s_-]?key)$/i;

/** Whether a field, or the answer to a question of that name, is neither shown nor kept. */
export function isWithheld(name: string): boolean {
	return withheldNames.test(name);
}

/** Leaves the withheld fields out of a record, however deep they stand in it, as members or as answers to a question of that name. */
export function withoutKeys(record: JsonObject): JsonObject {
	const json = JSON.stringify(record, function (this: JsonObject, name, value: Json) {
		const isAnswer = name === 'value' && isWithheld(text(this.id));
		return isAnswer || isWithheld(name) ? undefined : value;
	});
	return JSON.parse(json) as JsonObject;
}
