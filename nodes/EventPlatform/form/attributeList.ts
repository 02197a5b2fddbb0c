import { isObject, type Json, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';
import { questionOf, type FormField } from './formField';

/* The answer to GET /people_attributes, whose shape the specification does not show. */

/**
 * The attributes of an answer as questions, whatever list they come in: texts or objects, with or without `data`, or an object
 * with a member for each attribute. Empty where the answer is no such list.
 */
export function attributesIn(body: unknown): FormField[] {
	const questions = listIn(body).flatMap(attributeOf);
	// Two records of one name would be two columns of one answer.
	return [...new Map(questions.map((question) => [question.id, question])).values()];
}

/** One attribute, with the name that it has in its list, where it has one there. */
interface Listed {
	key?: string;
	attribute: Json | undefined;
}

function listIn(body: unknown): Listed[] {
	if (Array.isArray(body)) return body.map((attribute: Json) => ({ attribute }));
	if (!isObject(body)) return [];
	if (body.data !== undefined) return listIn(body.data);
	const members = Object.entries(body).filter(([name]) => !ofEnvelope.has(name));
	const [first] = members;
	// {"people_attributes": […]}
	if (first && members.length === 1 && Array.isArray(first[1])) return listIn(first[1]);
	// A member that is a text may be anything, such as a message.
	return members.flatMap(([key, attribute]) => (isObject(attribute) ? [{ key, attribute }] : []));
}

/** Members of an answer that are no attributes. */
const ofEnvelope = new Set(['meta', 'links', 'included', 'errors', 'error', 'jsonapi']);

function attributeOf({ key = '', attribute }: Listed): FormField[] {
	if (typeof attribute === 'string') return questionOf(attribute.trim(), { multiple: false });
	if (!isObject(attribute)) return [];
	const { slug, name, type, options } = membersOf(attribute);
	const id = [slug, attribute.id, name, key].map((one) => text(one).trim()).find(Boolean);
	const kind = text(type);
	const items = kind.endsWith('_select') ? options : undefined;
	return questionOf(id, { name, items, multiple: kind === 'multiple_select' });
}

/** Those of a record stand in `attributes`; a record without them has them beside its id. */
function membersOf(record: JsonObject): JsonObject {
	return isObject(record.attributes) ? record.attributes : record;
}
