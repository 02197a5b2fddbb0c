import type { Change } from './outcome';
import type { JsonObject } from '../values/json';
import type { Registration } from './registration';
import { answerOf, registrationOf } from '../dialect/person';
import type { Sameness } from './sameAnswer';

export function findChanges(
	person: JsonObject,
	{ fields, tracking }: Registration,
	isSame: Sameness,
): Change[] {
	const registered = registrationOf(person);
	const answers = fields.map(({ id, value }) => {
		const { value: old, type } = answerOf(person, id);
		return { field: id, old, new: value, type };
	});
	const trackingValues = Object.entries(tracking).map(([field, value]) => {
		return { field, old: registered[field] ?? null, new: value, type: 'text' };
	});
	return [...answers, ...trackingValues].flatMap(({ type, ...change }) =>
		isSame(change.old, change.new, { id: change.field, type }) ? [] : change,
	);
}

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
