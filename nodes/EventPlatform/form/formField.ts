import type { ResourceMapperField } from 'n8n-workflow';

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

const requiredMark = ' (required)';

/** A question as a column of the editor's mapper. */
export function column({ id, label, required, choices, multiple }: FormField): ResourceMapperField {
	// n8n refuses to run a workflow without a column that is required, but the platform registers
	// with the email alone: of the other questions only the label says so.
	const isNeeded = required && id === 'email';
	const options = choices?.map(({ label: name, value }) => ({ name, value }));
	const offered = multiple ? choicesMark(label, options) : '';
	return {
		id,
		displayName: `${label}${offered}${required && !isNeeded ? requiredMark : ''}`,
		required: isNeeded,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		// The editor's mapper keeps texts only, so several choices are typed, with commas.
		type: choices && !multiple ? 'options' : 'string',
		options,
	};
}

/** The question of a column, as it was when the node was set up. */
export function question(saved: ResourceMapperField): FormField {
	// A workflow that n8n did not write may name the columns only.
	const { id, displayName = id, required, type, options } = saved;
	const isMarked = displayName.endsWith(requiredMark);
	const shown = isMarked ? displayName.slice(0, -requiredMark.length) : displayName;
	const offered = ` (${options?.map(({ value }) => value).join(', ')})`;
	return {
		id,
		label: shown.endsWith(offered) ? shown.slice(0, -offered.length) : shown,
		required: required || isMarked,
		// Saved by an earlier version, it is an "array".
		multiple: type === 'array' || (type === 'string' && options !== undefined),
		choices: options?.map(({ name, value }) => ({ label: name, value: String(value) })),
	};
}

/** What may be typed, where the line has room for all of it. */
function choicesMark(label: string, options: ResourceMapperField['options']): string {
	const mark = options ? ` (${options.map(({ value }) => value).join(', ')})` : '';
	return label.length + mark.length <= longestLabel ? mark : '';
}

const longestLabel = 45;

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

/** The headers that lists of people really have, for the questions that most forms ask. */
const headers: Readonly<Record<string, string>> = {
	email:
		'mail e-mail-address mail-address work-email business-email courriel adresse-mail adresse-email adresse-electronique e-mail-adresse mailadresse correo correo-electronico direccion-de-correo',
	first_name: 'given-name forename fname prenom vorname nombre nombre-de-pila primer-nombre',
	last_name:
		'surname family-name lname nom nom-de-famille nachname familienname apellido apellidos',
	company: 'company-name employer entreprise societe firma unternehmen empresa',
	job_title: 'poste intitule-de-poste berufsbezeichnung puesto',
};

/** Another name in a list → the ID of the question that it means. */
const knownHeaders = new Map(
	Object.entries(headers).flatMap(([id, names]) =>
		names.split(' ').map((name) => [plainName(name), id] as const),
	),
);

/** "First Name", "first_name" and "FIRSTNAME" are the same name, and so are "Prénom" and "prenom". */
function plainName(name: string): string {
	const letters = name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]+|[\u0300-\u036f]/gu, '');
	return letters === '' ? name.trim() : letters;
}

/** The question that somebody probably meant: one name holds the other, or a letter or two differ. */
export function closeTo(column: string, questions: readonly string[]): string | undefined {
	const given = plainName(column);
	return questions.find((question) => {
		const wanted = plainName(question);
		const [short, long] = given.length < wanted.length ? [given, wanted] : [wanted, given];
		if (short.length < fewestLetters) return false;
		return long.includes(short) || distance(short, long) <= mostTypos;
	});
}

const fewestLetters = 4;
const mostTypos = 2;

/** How many letters have to be put in, taken out or replaced to make one word the other. */
function distance(one: string, other: string): number {
	if (Math.abs(one.length - other.length) > mostTypos) return mostTypos + 1;
	let row = Array.from({ length: other.length + 1 }, (_, place) => place);
	for (const [index, letter] of [...one].entries()) {
		let left = index + 1;
		const next = [left];
		for (const [place, wanted] of [...other].entries()) {
			const replaced = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
			left = Math.min(left + 1, (row[place + 1] ?? 0) + 1, replaced);
			next.push(left);
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}
