import type { ResourceMapperField } from 'n8n-workflow';
import { isObject, type Json } from '../core/values/json';
import { text } from '../core/values/text';
import { areOneMistakeApart } from '../core/people/typingMistakes';
import { titleCase } from '../fields/fieldNames';

/** A question of a registration form, whatever list it came from. */
export interface FormField {
	id: string;
	label: string;
	/** On the page of the form. The platform registers somebody with the email alone. */
	required: boolean;
	/** Undefined where people type what they like. */
	choices?: Array<{ name: string; value: string }>;
	multiple: boolean;
}

/** Section 2.2 names them for every session. */
export const named: FormField[] = [
	{ id: 'email', label: 'Email', required: true, multiple: false },
	{ id: 'first_name', label: 'First Name', required: false, multiple: false },
	{ id: 'last_name', label: 'Last Name', required: false, multiple: false },
];

/** The description of a question by the platform, beside its ID. */
interface Described {
	name?: Json;
	/** The choices: texts, or objects with a label. */
	items?: Json;
	multiple: boolean;
	required?: boolean;
}

/** None without an ID. Choices are undefined where there are none: the editor would show a list from which nothing can be chosen. */
export function questionOf(id: Json | undefined, described: Described): FormField[] {
	if (typeof id !== 'string' || id === '') return [];
	const { name, items = [], multiple } = described;
	const choices = [items].flat().map((one) => {
		const { label, value } = isObject(one) ? one : { label: null, value: one };
		return { name: text(label ?? value), value: text(value) };
	});
	const known = choices.filter(({ value }) => value !== '');
	const label = text(name) || titleCase(id);
	const required = described.required === true || id === 'email';
	return [{ id, label, required, multiple, choices: known.length > 0 ? known : undefined }];
}

const requiredMark = ' (required)';
/** Marks a column whose answer the form of the session does not ask for. */
export const otherForm = ' (not on this form)';
/** The editor shows so many characters on one line. */
const longestLabel = 45;

/** A question as a column of the editor's mapper. */
export function column({ id, label, required, choices, multiple }: FormField): ResourceMapperField {
	// n8n refuses to run without a required column, but the platform needs only the email: elsewhere only the label says so.
	const isNeeded = required && id === 'email';
	const offered = multiple ? offeredMark(choices) : '';
	const hasRoom = label.length + offered.length <= longestLabel;
	return {
		id,
		displayName: `${label}${hasRoom ? offered : ''}${required && !isNeeded ? requiredMark : ''}`,
		required: isNeeded,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		// The editor's mapper keeps texts only, so several choices are typed, with commas.
		type: choices && !multiple ? 'options' : 'string',
		options: choices,
	};
}

/** A workflow that n8n did not write may name the columns only. */
export type SavedColumn = Pick<ResourceMapperField, 'id'> & Partial<ResourceMapperField>;

/** The question of a column, as it was when the node was set up. */
export function question(saved: SavedColumn): FormField {
	const { id, required, type, options = [] } = saved;
	const displayName = withoutEnd(saved.displayName ?? id, otherForm);
	const offered = options.map(({ name, value }) => ({ name, value: String(value) }));
	const choices = offered.length > 0 ? offered : undefined;
	const shown = withoutEnd(displayName, requiredMark);
	return {
		id,
		label: withoutEnd(shown, offeredMark(choices)),
		required: required === true || shown !== displayName,
		// Saved by an earlier version, it is an "array".
		multiple: type === 'array' || (type === 'string' && choices !== undefined),
		choices,
	};
}

/** Names the values that may be typed, because the platform takes no others. */
function offeredMark(choices: FormField['choices']): string {
	return choices ? ` (${choices.map(({ value }) => value).join(', ')})` : '';
}

function withoutEnd(text: string, end: string): string {
	return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

/** Gives the label of a question; its ID where it is not among these. */
export function labelOf(id: string, questions: readonly FormField[] = []): string {
	return questions.find((one) => one.id === id)?.label ?? id;
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
		return ids.get(name) ?? spoken.get(plain) ?? ids.get(idOfHeader.get(plain) ?? '');
	};
}

/** The headers that lists of people really have, for the questions that most forms ask. */
const headers = {
	email:
		'mail e-mail-address mail-address work-email business-email courriel adresse-mail adresse-email adresse-electronique e-mail-adresse mailadresse correo correo-electronico direccion-de-correo',
	first_name: 'given-name forename fname prenom vorname nombre nombre-de-pila primer-nombre',
	last_name:
		'surname family-name lname nom nom-de-famille nachname familienname apellido apellidos',
	company: 'company-name employer entreprise societe firma unternehmen empresa',
	job_title: 'poste intitule-de-poste berufsbezeichnung puesto',
};
const idOfHeader = new Map(
	Object.entries(headers).flatMap(([id, names]) =>
		names.split(' ').map((name) => [plainName(name), id] as const),
	),
);

/** Headers that may mean a question: a hint asks, and nobody is registered with a guess. The groups hold names in several languages. */
const nearHeaders = [
	'company organisation organization organisationsname betrieb arbeitgeber société compagnie organización compañía',
	'team-size company-size employees teamgröße teamgroesse mitarbeiter mitarbeiterzahl anzahl-mitarbeiter unternehmensgröße taille-de-l-équipe effectif tamaño-del-equipo',
	'interests interest topics topic interessen interesse themen intérêts centres-d-intérêt sujets intereses temas',
	'job-title position role job-role rolle funktion jobtitel fonction rôle cargo función',
	'phone phone-number telephone mobile telefon telefonnummer handy téléphone portable teléfono móvil',
	'country land pays país',
	'city town stadt ort ville ciudad',
	'industry sector branche secteur sector-de-actividad industria',
	'website homepage webseite site-web sitio-web',
].map((names) => names.split(' ').map(plainName));

/** Whether two headers are the same but for letter case, spaces and signs. */
export function isSameName(one: string, other: string): boolean {
	return plainName(one) === plainName(other);
}

/** Whether the email is found by this name, whatever the form calls it. */
export function isNameOfEmail(name: string): boolean {
	const plain = plainName(name);
	return plain === 'email' || idOfHeader.get(plain) === 'email';
}

/** "Contact email" and "Mailadresse privat" are no names of the email, but one is in them. */
export function isLikeEmail(name: string): boolean {
	return closeTo(name, ['email', ...headers.email.split(' ')]) !== undefined;
}

/** "First Name", "first_name" and "FIRSTNAME" are the same name, and so are "Prénom" and "prenom". */
function plainName(name: string): string {
	const letters = name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}]|[\u0300-\u036f]/gu, '');
	return letters === '' ? name.trim() : letters;
}

/** The question that somebody probably meant: one name holds the other, of four letters at least, or has one typing mistake. */
export function closeTo(column: string, questions: readonly string[]): string | undefined {
	const given = plainName(column);
	const near = nearHeaders.filter((names) => names.includes(given)).flat();
	return questions.find((question) => {
		const wanted = plainName(question);
		if (near.includes(wanted)) return true;
		const [short, long] = given.length < wanted.length ? [given, wanted] : [wanted, given];
		return (short.length >= 4 && long.includes(short)) || areOneMistakeApart(short, long);
	});
}
