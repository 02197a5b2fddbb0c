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

/** Finds the question that is meant by its id or by its label, letter case aside. */
export function finder(form: readonly FormField[]): (name: string) => FormField | undefined {
	const ids = new Map(form.map((field) => [field.id, field]));
	const spoken = new Map([
		...form.map((field) => [plain(field.id), field] as const),
		...form.map((field) => [plain(field.label), field] as const),
	]);
	return (name) => ids.get(name) ?? spoken.get(plain(name));
}

/** "First Name", "first_name" and "FIRST-NAME" are the same name. */
function plain(name: string): string {
	return name
		.toLowerCase()
		.replace(/[\s_-]+/g, ' ')
		.trim();
}
