import { isObject } from '../core/http/json';
import { attributesOf, recordKey } from '../core/http/jsonApi';
import type { Json, JsonObject } from '../core/http/ports';
import { text } from '../core/http/text';

/** Records that stand beside those of an answer (JSON:API `included`), found by those that refer to them. */
export class Related {
	private readonly included = new Map<string, JsonObject>();

	constructor(included: Json | undefined) {
		for (const record of Array.isArray(included) ? included.filter(isObject) : []) {
			const key = recordKey(record);
			if (key !== undefined) this.included.set(key, record);
		}
	}

	/** What the record refers to by these names. */
	of({ relationships }: JsonObject, names: readonly string[]): JsonObject[] {
		if (!isObject(relationships)) return [];
		return names
			.map((name) => relationships[name])
			.flatMap((relationship) => (isObject(relationship) ? relationship.data : []))
			.flatMap((reference) => (isObject(reference) ? (recordKey(reference) ?? []) : []))
			.map((key) => this.included.get(key))
			.filter((one) => one !== undefined);
	}

	/** What people know the related records by, as columns. */
	columnsOf(record: JsonObject): JsonObject {
		const { event_id: eventId } = attributesOf(record);
		const event = this.included.get(`events ${text(eventId)}`);
		if (record.type === 'sessions' && event)
			return { event_title: attributesOf(event).title ?? null };
		const { relationships } = record;
		if (record.type !== 'questions' || !isObject(relationships)) return {};
		const roles = ['asker', 'responder'].filter((role) => Object.hasOwn(relationships, role));
		return Object.assign(
			{},
			...roles.map((role) => this.personColumns(record, role)),
		) as JsonObject;
	}

	private personColumns(record: JsonObject, role: string): JsonObject {
		const person = attributesOf(this.of(record, [role])[0] ?? {});
		const name = `${text(person.first_name)} ${text(person.last_name)}`.trim();
		return { [`${role}_name`]: name || null, [`${role}_email`]: text(person.email) || null };
	}
}
