import { isVisible, quote, text } from '../core/http/json';
import { cleanAddress, isAddress } from '../core/jobs/address';
import type { PersonField } from '../core/jobs/task';
import { textsIn, wordsForNothing } from '../parameters/given';
import { finder, type FormField } from './formField';

export interface MappedPerson {
	fields: PersonField[];
	/** Clean, or as given where it is no address. */
	email?: string;
	/** Names that are no question of the form, and left out. */
	ignored: string[];
	/** Labels of required questions without an answer. */
	unanswered: string[];
	/** Answers that the form as we know it does not offer, in words for people. */
	doubts: string[];
	/** Why this person cannot be sent, in words for people. */
	problems: string[];
}

type Values = Readonly<Record<string, unknown>>;

/** Mapped values as a registration takes them. Without a form every one is sent; an empty one is no answer. */
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
	const address = person.fields.find(({ id }) => id === 'email');
	if (address === undefined) return person;
	const given = String(address.value).trim();
	const email = cleanAddress(given);
	const isClean = isAddress(email);
	address.value = person.email = isClean ? email : given;
	if (!isClean) person.problems.push(`"${quote(given)}" is not an email address.`);
	return person;
}

/** A value as it is sent, and why it may be a mistake; or why it cannot be sent. */
type FormAnswer = { value: string | string[]; doubt?: string } | { problem: string };

/** Undefined: nothing was answered. `field` is unknown where there is no form. */
export function cleanAnswer(
	name: string,
	given: unknown,
	field?: FormField,
): FormAnswer | undefined {
	const listed = field?.multiple ? jsonList(given) : given;
	const texts = [listed].flat().map(answerText);
	if (texts.includes(undefined)) {
		const problem = `The value of '${quote(name) ?? ''}' is an object. Give text or a list of texts.`;
		return { problem };
	}
	const known = texts.filter((one) => one !== undefined && isGiven(one, field)) as string[];
	if (known.length === 0) return undefined;
	if (field?.choices && field.choices.length > 0) return chosen(known, field);
	const isList = field ? field.multiple : Array.isArray(listed) && !alwaysText.has(name);
	return { value: isList ? known : known.join(', ') };
}

/** The surname "Null" is a name. */
function isGiven(one: string, field?: FormField): boolean {
	if (!wordsForNothing.has(one.trim())) return isVisible(one);
	return field !== undefined && choiceOf(one, field) !== undefined;
}

/** Named by the specification for every session, so texts even where no form was read. */
const alwaysText = new Set(['email', 'first_name', 'last_name']);

function chosen(texts: readonly string[], field: FormField): FormAnswer | undefined {
	const { choices = [] } = field;
	// "A, B" means two answers, unless "A, B" itself is one.
	const isList = (one: string) => field.multiple && choiceOf(one, field) === undefined;
	const parts = textsIn(texts.flatMap((one) => (isList(one) ? one.split(',') : one)));
	const values = parts.map((part) => choiceOf(part, field) ?? part);
	const [first, ...more] = values;
	if (first === undefined) return undefined;
	const value = field.multiple || more.length > 0 ? values : first;
	const stray = parts.find((part) => choiceOf(part, field) === undefined);
	if (stray !== undefined) {
		const shown = choices.slice(0, mostShown).map((choice) => quote(choice.value));
		const offered = `It has ${shown.join(', ')}${choices.length > mostShown ? ' and more' : ''}.`;
		return { value, doubt: `"${quote(stray)}" is not a choice of '${field.label}'. ${offered}` };
	}
	if (more.length === 0 || field.multiple) return { value };
	return { value, doubt: `'${field.label}' takes one answer, not ${values.length}.` };
}

const mostShown = 20;

/** The value of the choice that is meant by its value or by what the form shows, letter case aside. */
function choiceOf(given: string, { choices = [] }: FormField): string | undefined {
	const plain = (choice: string) => choice.trim().toLowerCase();
	const wanted = plain(given);
	const found =
		choices.find(({ value }) => value.trim() === given.trim()) ??
		choices.find(({ value, name }) => plain(value) === wanted || plain(name) === wanted);
	return found?.value;
}

/** A list that somebody wrote as JSON. */
function jsonList(given: unknown): unknown {
	if (typeof given !== 'string' || !given.trim().startsWith('[')) return given;
	try {
		const list: unknown = JSON.parse(given);
		return Array.isArray(list) ? list : given;
	} catch {
		return given;
	}
}

/** Undefined: an object, which no answer can be. Empty: nothing, and no number is nothing, too. */
function answerText(given: unknown): string | undefined {
	if (given === null || Number.isNaN(given)) return '';
	if (given instanceof Date) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	return typeof given === 'object' ? undefined : text(given);
}
