import type { Change } from './outcome';
import { isObject, type JsonObject } from '../values/json';
import { text } from '../values/text';
import { attributesOf } from '../client/document';
import type { Registration } from './registration';
import { registrationOf } from '../dialect/person';
import type { Sameness } from './sameAnswer';

/** Finds what somebody's record does not have yet of a registration. `isSame` decides what counts as having it. */
export function findChanges(
	person: JsonObject,
	{ fields, tracking }: Registration,
	isSame: Sameness,
): Change[] {
	const attributes = attributesOf(person);
	const detail = registrationOf(person);
	const answers = [detail.fields ?? []].flat().filter(isObject);
	const asked = fields.map(({ id, value }) => {
		const answer = answers.findLast((answered) => text(answered.id) === id);
		// The name and the address also stand beside the answers, where a form may not have asked.
		const old = answer?.value ?? attributes[id] ?? null;
		return { field: id, old, new: value, type: text(answer?.type) };
	});
	const tracked = Object.entries(tracking).map(([field, value]) => {
		return { field, old: detail[field] ?? null, new: value, type: 'text' };
	});
	return [...asked, ...tracked].flatMap(({ type, ...change }) =>
		isSame(change.old, change.new, { id: change.field, type }) ? [] : change,
	);
}

/** Gives the part of a registration that the changes are about. */
export function onlyChanged(
	{ fields, tracking }: Registration,
	changes: readonly Change[],
): Registration {
	const changed = new Set(changes.map(({ field }) => field));
	return {
		fields: fields.filter(({ id }) => changed.has(id)),
		tracking: Object.fromEntries(Object.entries(tracking).filter(([name]) => changed.has(name))),
	};
}
