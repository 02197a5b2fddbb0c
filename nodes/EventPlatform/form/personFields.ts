import { quote } from '../core/http/text';
import { cleanAddress, isAddress } from '../core/jobs/address';
import type { PersonField } from '../core/jobs/task';
import { cleanAnswer } from './answer';
import { finder, type FormField } from './formField';

export interface MappedPerson {
	fields: PersonField[];
	/** Clean, or as given where it is no address. */
	email?: string;
	/** Names that are no field of the form: they were left out. */
	ignored: string[];
	/** Labels of questions that the form requires and that have no answer here. */
	unanswered: string[];
	/** Answers that the form, as far as we know it, does not offer, in words for people. */
	doubts: string[];
	/** Why this person cannot be sent, in words for people. */
	problems: string[];
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Turns mapped values into the `fields` of a registration. Without a form every value is sent;
 * with one, names that are no field of it are left out and reported. Empty values are no answers.
 */
export function personFields(values: Values, form?: readonly FormField[]): MappedPerson {
	const person = answers(values, form);
	const answered = new Set(person.fields.map(({ id }) => id)).add('email');
	person.unanswered = (form ?? [])
		.filter(({ id, required }) => required && !answered.has(id))
		.map(({ label }) => label);
	if (person.email === undefined) {
		person.problems.push('There is no email. It is the one field that every person needs.');
	}
	return person;
}

/** The same of somebody who is known already: nothing has to be given again. */
export function answers(values: Values, form?: readonly FormField[]): MappedPerson {
	const find = form && finder(form);
	const person: MappedPerson = {
		fields: [],
		ignored: [],
		unanswered: [],
		doubts: [],
		problems: [],
	};
	const columns = new Map<string, string>();
	for (const [name, given] of Object.entries(values)) {
		const field = find?.(name);
		const id = field?.id ?? name;
		const found = cleanAnswer(name, given, field);
		if (found === undefined) continue;
		// The platform always takes an address, even where a form does not list it.
		if (find && !field && id !== 'email') {
			person.ignored.push(name);
			continue;
		}
		const other = columns.get(id);
		columns.set(id, name);
		if (other !== undefined) {
			const both = `'${quote(other)}' and '${quote(name)}'`;
			person.problems.push(`The columns ${both} both mean '${field?.label ?? id}'. Remove one.`);
		} else if ('problem' in found) person.problems.push(found.problem);
		else {
			person.fields.push({ id, value: found.value });
			if (found.doubt !== undefined) person.doubts.push(found.doubt);
		}
	}
	// A list that grew by itself has room for 17, for each of the people of a run.
	person.fields = [...person.fields];
	checkEmail(person);
	return person;
}

function checkEmail(person: MappedPerson): void {
	const field = person.fields.find(({ id }) => id === 'email');
	if (field === undefined) return;
	const given = String(field.value).trim();
	const email = cleanAddress(given);
	const isClean = isAddress(email);
	field.value = person.email = isClean ? email : given;
	if (!isClean) person.problems.push(`"${quote(given)}" is not an email address.`);
}
