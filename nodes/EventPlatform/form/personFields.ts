import { quote } from '../core/http/text';
import type { PersonField } from '../core/jobs/registration';
import { answer, offer } from './answer';
import { finder, type FormField } from './formField';

export interface MappedPerson {
	fields: PersonField[];
	/** Trimmed, otherwise as given. */
	email?: string;
	/** Names that are no field of the form: they were left out. */
	ignored: string[];
	/** Labels of questions that the form requires and that have no answer here. */
	unanswered: string[];
	/** Why this person cannot be sent, in words for people. */
	problems: string[];
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Turns mapped values into the `fields` of a registration. Without a form every value is sent;
 * with one, names that are no field of it are left out and reported.
 */
export function personFields(values: Values, form?: readonly FormField[]): MappedPerson {
	const { person, empty } = mapped(values, form);
	const missing = (form ?? []).filter(
		({ id, required }) =>
			required && id !== 'email' && !person.fields.some((field) => field.id === id),
	);
	for (const field of missing) {
		// A column that is there and empty is a mistake of the list; the platform would not notice.
		if (field.choices?.length && empty.has(field.id)) {
			person.problems.push(`'${field.label}' is required on the form. ${offer(field)}`);
		} else person.unanswered.push(field.label);
	}
	return checkEmail(person);
}

/** The same of somebody who is known already: nothing has to be given again. */
export function answers(values: Values, form?: readonly FormField[]): MappedPerson {
	return mapped(values, form).person;
}

function mapped(values: Values, form: readonly FormField[] | undefined) {
	const find = form && finder(form);
	const person: MappedPerson = { fields: [], ignored: [], unanswered: [], problems: [] };
	const empty = new Set<string>();
	const seen = new Set<string>();
	for (const [name, given] of Object.entries(values)) {
		const field = find?.(name);
		const id = field?.id ?? name;
		const found = answer(name, given, field);
		if (found === undefined) {
			empty.add(id);
			continue;
		}
		// The platform always takes an address, even where a form does not list it.
		const isKnown = !find || field !== undefined || id === 'email';
		// What stands under the id goes before what stands under the label.
		if (!isKnown || seen.has(id) || (name !== id && Object.hasOwn(values, id))) {
			person.ignored.push(name);
			continue;
		}
		seen.add(id);
		if ('problem' in found) person.problems.push(found.problem);
		else person.fields.push({ id, value: found.value });
	}
	// A list that grew by itself has room for 17, for each of the people of a run.
	person.fields = [...person.fields];
	return { person, empty };
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
