import { isObject } from './json';
import type { Json, JsonObject } from './ports';

/** Whoever has one of these is logged in as the person. The record as sent still has them. */
const keys = new Set(['connection_link', 'password_key']);

type Add = (name: string, value: Json, suffix: string) => void;

/**
 * Everything of a record on one level: attributes, what the platform knows of a registration, the
 * answers to the form as `fields`, relationships as ids. Where two of these want the same name, the
 * later one gets a longer name.
 */
export function simplify(record: JsonObject): JsonObject {
	const { id, type, attributes, relationships, ...rest } = record;
	// A map, because a record may have a key like __proto__.
	const simple = new Map<string, Json>();
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
	return Object.fromEntries(simple);
}

function addAttributes(attributes: JsonObject, add: Add): void {
	const { registrant_detail: detail, ...others } = attributes;
	for (const [name, value] of Object.entries(others)) {
		if (keys.has(name)) continue;
		if (isObject(value) && isObject(value.attributes)) addWithin(name, value, add);
		else add(name, withoutKeys(value), '_attribute');
	}
	if (!isObject(detail)) {
		if (detail !== undefined) add('registrant_detail', withoutKeys(detail), '_attribute');
		return;
	}
	const { fields, ...circumstances } = detail;
	for (const [name, value] of Object.entries(circumstances)) {
		// In front, because dates are known by the end of their name.
		const free = Object.hasOwn(others, name) ? `registrant_${name}` : name;
		if (!keys.has(name)) add(free, withoutKeys(value), '_registrant');
	}
	if (fields !== undefined) add('fields', answersOf(fields) ?? withoutKeys(fields), '_answers');
}

/** A whole record as an attribute, such as the owner of an event: `owner_id`, `owner_email`, … */
function addWithin(name: string, record: JsonObject, add: Add): void {
	for (const [inner, value] of Object.entries(simplify(record))) {
		add(`${name}_${inner}`, value, '_attribute');
	}
}

/** `{email: …}` out of `[{id: 'email', value: …}]`; undefined when the list is not like that. */
function answersOf(fields: Json): JsonObject | undefined {
	if (!Array.isArray(fields)) return undefined;
	const answers = new Map<string, Json>();
	for (const field of fields) {
		if (!isObject(field) || typeof field.id !== 'string' || answers.has(field.id)) return undefined;
		answers.set(field.id, withoutKeys(field.value ?? null));
	}
	return Object.fromEntries(answers);
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
