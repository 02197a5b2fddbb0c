import { quote, text } from '../core/http/text';
import type { PersonField } from '../core/sync/changes';

/** A question of a registration form, whatever list it came from. */
export interface FormField {
	id: string;
	label: string;
	required: boolean;
	/** The answers to choose from; undefined where people type what they like. */
	choices?: ReadonlyArray<{ label: string; value: string }>;
	/** More than one answer may be chosen. */
	multiple: boolean;
}

export interface MappedPerson {
	fields: PersonField[];
	/** Trimmed, otherwise as given. */
	email?: string;
	/** Names that are no field of the form: they were left out. */
	ignored: string[];
	/** Why this person cannot be sent, in words for people. */
	problems: string[];
}

/**
 * Turns mapped values into the `fields` of a registration. Without a form every value is sent;
 * with one, names that are no field of it are left out and reported.
 */
export function personFields(
	values: Readonly<Record<string, unknown>>,
	form?: readonly FormField[],
): MappedPerson {
	return checkEmail(answers(values, form));
}

/** The same of somebody who is known already: an email is not needed. */
export function answers(
	values: Readonly<Record<string, unknown>>,
	form?: readonly FormField[],
): MappedPerson {
	const known = form && new Map(form.map((field) => [field.id, field]));
	const person: MappedPerson = { fields: [], ignored: [], problems: [] };
	for (const [id, given] of Object.entries(values)) {
		if (given === undefined || given === null || given === '') continue;
		// The platform always takes an address, even where a form does not list it.
		if (known && !known.has(id) && id !== 'email') {
			person.ignored.push(id);
			continue;
		}
		const value = answer(given, known?.get(id));
		if (value === undefined) {
			person.problems.push(
				`The value of "${quote(id) ?? ''}" is an object. Give text or a list of texts.`,
			);
		} else if (value.length > 0) {
			person.fields.push({ id, value });
		}
	}
	return person;
}

function checkEmail(person: MappedPerson): MappedPerson {
	const field = person.fields.find(({ id }) => id === 'email');
	const email = String(field?.value ?? '').trim();
	if (field === undefined || email === '') {
		person.problems.push('There is no email. It is the one field that every person needs.');
		return person;
	}
	field.value = email;
	person.email = email;
	if (!/^[^\s@,;]+@[^\s@,;]+$/.test(email)) {
		person.problems.push(`"${quote(email)}" is not an email address.`);
	}
	return person;
}

/** Undefined: nothing the platform could take. An empty text or list: no answer. */
function answer(given: unknown, field?: FormField): string | string[] | undefined {
	if (Array.isArray(given)) {
		const parts = given.filter((part) => part !== null && part !== undefined && part !== '');
		const texts = parts.map(answerText).filter((part) => part !== undefined);
		if (texts.length < parts.length) return undefined;
		return field && !field.multiple ? texts.join(', ') : texts;
	}
	const single = answerText(given);
	return single !== undefined && field?.multiple ? choose(single, field) : single;
}

/** "A, B" means two answers when both are on the form and "A, B" itself is not. */
function choose(given: string, { choices }: FormField): string[] {
	const offered = new Set(choices?.map(({ value }) => value));
	const parts = given.split(',').map((part) => part.trim());
	const several = !offered.has(given) && parts.every((part) => offered.has(part));
	return several ? parts : [given];
}

/** Undefined: an object, which no answer can be. */
function answerText(given: unknown): string | undefined {
	if (given instanceof Date) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	return typeof given === 'object' ? undefined : text(given);
}
