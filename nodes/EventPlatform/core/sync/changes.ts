import { isObject } from '../http/json';
import { attributesOf } from '../http/jsonApi';
import type { Json, JsonObject } from '../http/ports';
import { text } from '../http/text';
import type { Registration } from '../jobs/registration';
import { sameAddress } from '../jobs/taskResult';

export interface Change {
	field: string;
	old: Json;
	new: Json;
}

/** The part of `wanted` that is not so yet. */
export function outstanding(person: JsonObject, wanted: Registration): Registration {
	const known = readRegistration(person);
	return {
		fields: wanted.fields.filter(({ id, value }) => !isSame(id, known.answer(id), value)),
		tracking: Object.fromEntries(
			Object.entries(wanted.tracking).filter(
				([name, value]) => !isSame(name, known.tracking(name), value),
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
	const answers = new Map(
		(Array.isArray(detail.fields) ? detail.fields : [])
			.filter(isObject)
			.map(({ id, value }) => [text(id), value]),
	);
	return {
		// The name and the address also stand beside the answers, where a form may not have asked.
		answer: (id: string): Json => answers.get(id) ?? attributes[id] ?? null,
		tracking: (name: string): Json => detail[name] ?? null,
	};
}

/** The order of several answers makes no difference, nor do spaces around them or the letter case of an address. */
function isSame(id: string, old: Json, wanted: string | string[]): boolean {
	const plain = (value: Json) =>
		[value]
			.flat()
			.map((one) => (id === 'email' ? sameAddress(text(one)) : text(one).trim()))
			.filter((one) => one !== '')
			.sort();
	return JSON.stringify(plain(old)) === JSON.stringify(plain(wanted));
}
