import { isObject, setField } from './json';
import type { Json, JsonObject } from './ports';

/** Whoever has one of these is logged in as the person. The record as sent still has them. */
const keys = new Set(['connection_link', 'password_key']);

type Add = (name: string, value: Json, suffix: string) => void;

/** A record on one level. A map, because most of its forty fields are looked at once and leave nowhere. */
export type Fields = Map<string, Json>;

/** What is shown of a record, and all of it that is kept. */
export type Show = (this: void, fields: Fields) => JsonObject;

export const showAll: Show = (fields) => Object.fromEntries(fields);

export function simplify(record: JsonObject): JsonObject {
	return showAll(fieldsOf(record));
}

/**
 * Everything of a record on one level: attributes, what the platform knows of a registration, the
 * answers to the form as `fields`, relationships as ids. Where two of these want the same name, the
 * later one gets a longer name.
 */
export function fieldsOf(record: JsonObject): Fields {
	const { id, type, attributes, relationships, ...rest } = record;
	const simple: Fields = new Map();
	if (id !== undefined) simple.set('id', id);
	if (type !== undefined) simple.set('type', type);
	const add: Add = (name, value, suffix) => {
		let free = name;
		while (simple.has(free)) free += suffix;
		simple.set(free, value);
	};
	if (isObject(attributes)) addAttributes(attributes, add);
	else if (attributes !== undefined) add('attributes', attributes, '_value');
	if (isObject(relationships)) {
		for (const [name, relationship] of Object.entries(relationships)) {
			const related = isObject(relationship) ? idsOf(relationship.data) : undefined;
			if (related !== undefined) add(name, related, '_relationship');
		}
	}
	for (const [name, value] of Object.entries(rest)) {
		if (name !== 'links') add(name, withoutKeys(value), '_member');
	}
	return simple;
}

function addAttributes(attributes: JsonObject, add: Add): void {
	const { registrant_detail: detail, ...others } = attributes;
	for (const name of Object.keys(others)) {
		if (keys.has(name)) continue;
		const value = others[name] ?? null;
		if (isObject(value) && isObject(value.attributes)) addWithin(name, value, add);
		else add(name, withoutKeys(value), '_attribute');
	}
	if (!isObject(detail)) {
		if (detail !== undefined) add('registrant_detail', withoutKeys(detail), '_attribute');
		return;
	}
	const { fields, ...circumstances } = detail;
	for (const name of Object.keys(circumstances)) {
		// In front, because dates are known by the end of their name.
		const free = Object.hasOwn(others, name) ? `registrant_${name}` : name;
		if (!keys.has(name)) add(free, withoutKeys(circumstances[name] ?? null), '_registrant');
	}
	if (fields !== undefined) add('fields', answersOf(fields) ?? withoutKeys(fields), '_answers');
}

/** A whole record as an attribute, such as the owner of an event: `owner_id`, `owner_email`, … */
function addWithin(name: string, record: JsonObject, add: Add): void {
	for (const [inner, value] of fieldsOf(record)) {
		add(`${name}_${inner}`, value, '_attribute');
	}
}

/** `{email: …}` out of `[{id: 'email', value: …}]`; undefined when the list is not like that. */
function answersOf(fields: Json): JsonObject | undefined {
	if (!Array.isArray(fields)) return undefined;
	const answers: JsonObject = {};
	for (const field of fields) {
		if (!isObject(field) || typeof field.id !== 'string') return undefined;
		if (Object.hasOwn(answers, field.id)) return undefined;
		setField(answers, field.id, withoutKeys(field.value ?? null));
	}
	return answers;
}

/** The ids of a relationship; undefined when it holds only links. */
function idsOf(related: Json | undefined): Json | undefined {
	if (Array.isArray(related)) return related.map((one) => idsOf(one) ?? null);
	if (isObject(related)) return related.id ?? undefined;
	return related;
}

function withoutKeys(value: Json): Json {
	if (Array.isArray(value)) return value.map(withoutKeys);
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !keys.has(name))
			.map(([name, inner]) => [name, withoutKeys(inner)]),
	);
}
