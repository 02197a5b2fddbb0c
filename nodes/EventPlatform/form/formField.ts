import { knownHeaders, plainName } from './headers';

/** A question of a registration form, whatever list it came from. */
export interface FormField {
	id: string;
	label: string;
	/** Visitors of the form have to answer. The platform registers somebody with the email alone. */
	required: boolean;
	/** The answers to choose from; undefined where people type what they like. */
	choices?: ReadonlyArray<{ label: string; value: string }>;
	/** More than one answer may be chosen. */
	multiple: boolean;
}

/** Finds the question that is meant by its ID, by its label, or by a usual header of lists. */
export function finder(form: readonly FormField[]): (name: string) => FormField | undefined {
	const ids = new Map(form.map((field) => [field.id, field]));
	const spoken = new Map([
		...form.map((field) => [plainName(field.id), field] as const),
		...form.map((field) => [plainName(field.label), field] as const),
	]);
	return (name) => {
		const plain = plainName(name);
		return ids.get(name) ?? spoken.get(plain) ?? ids.get(knownHeaders.get(plain) ?? '');
	};
}
