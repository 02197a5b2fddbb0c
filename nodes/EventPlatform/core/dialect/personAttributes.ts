import { isObject, type Json } from '../values/json';
import { text } from '../values/text';

/*
 * What this rests on: section 4.3 does not show the payload. The vendor's pages have records with `slug`, `name`, `type` and `options`
 * among their attributes. A flat record, such as section 2.1 shows for jobs, costs nothing more.
 */

interface PersonAttribute {
	/** The name by which answers and records refer to it. */
	id: string;
	/** The name for people, as the platform sends it. */
	name?: Json;
	/** The choices, as the platform sends them; absent where people type what they like. */
	items?: Json;
	multiple: boolean;
}

/** Reads the attributes of people among the records of their list. A record without a slug is left out, because no answer can name it. */
export function personAttributesIn(records: readonly Json[]): PersonAttribute[] {
	return records.filter(isObject).flatMap((record) => {
		const { slug, name, type, options } = isObject(record.attributes) ? record.attributes : record;
		const id = text(slug).trim();
		const kind = text(type);
		const items = kind.endsWith('_select') ? options : undefined;
		return id === '' ? [] : [{ id, name, items, multiple: kind === 'multiple_select' }];
	});
}

/** The ids of the questions that every form has (section 2.2), which are attributes of the person as well. */
export const namedQuestionIds = ['email', 'first_name', 'last_name'];
