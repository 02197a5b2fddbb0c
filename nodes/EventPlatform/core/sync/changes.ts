import type { Change, Outcome } from '../bulk/outcome';
import { isObject } from '../http/json';
import { attributesOf } from '../http/jsonApi';
import type { Json, JsonObject } from '../http/ports';
import { text } from '../http/text';
import type { Registration } from '../jobs/task';
import { isEqual } from './equal';

/** The part of `wanted` that is not so yet. */
export function outstanding(person: JsonObject, wanted: Registration): Registration {
	const known = readRegistration(person);
	return {
		fields: wanted.fields.filter(({ id, value }) => {
			return !isEqual(known.answer(id), value, { id, type: known.type(id) });
		}),
		tracking: Object.fromEntries(
			Object.entries(wanted.tracking).filter(
				([name, value]) => !isEqual(known.tracking(name), value, { id: name, type: 'text' }),
			),
		),
	};
}

export function isEmpty({ fields, tracking }: Registration): boolean {
	return fields.length === 0 && Object.keys(tracking).length === 0;
}

/** What `change` makes of the person, beside what was. */
export function changesOf(person: JsonObject, change: Registration): Change[] {
	const known = readRegistration(person);
	return [
		...change.fields.map(({ id, value }) => ({ field: id, old: known.answer(id), new: value })),
		...Object.entries(change.tracking).map(([name, value]) => ({
			field: name,
			old: known.tracking(name),
			new: value,
		})),
	];
}

function readRegistration(person: JsonObject) {
	const attributes = attributesOf(person);
	const detail = isObject(attributes.registrant_detail) ? attributes.registrant_detail : {};
	const fields = new Map(
		(Array.isArray(detail.fields) ? detail.fields : [])
			.filter(isObject)
			.map((field) => [text(field.id), field]),
	);
	return {
		// The name and the address also stand beside the answers, where a form may not have asked.
		answer: (id: string): Json => fields.get(id)?.value ?? attributes[id] ?? null,
		type: (id: string) => text(fields.get(id)?.type),
		tracking: (name: string): Json => detail[name] ?? null,
	};
}

/** What updates cost that the platform accepts and does not make: they are sent again in every run. */
export function hintsAboutUpdates(outcomes: readonly Outcome[]): string[] {
	const people = new Map<string, number>();
	for (const { changes = [], errors } of outcomes) {
		if (!errors.some(({ code }) => code === 'still_different')) continue;
		for (const { field } of changes) people.set(field, (people.get(field) ?? 0) + 1);
	}
	return [...people].map(([field, count]) => {
		const whom = count === 1 ? '1 person' : `${count} people`;
		// One to send it, and one to see what became of it.
		return `'${field}' has another value on the platform after the update, for ${whom}. This costs ${2 * count} requests in every run. Write it in the list as the platform shows it, or remove it from the fields.`;
	});
}
