import type { Candidate } from '../core/bulk/plan';
import { isVisible, quote, text } from '../core/http/json';
import { cleanAddress, isAddress } from '../core/jobs/address';
import type { PersonField } from '../core/jobs/task';
import { textsIn, wordsForNothing } from '../parameters/given';
import { finder, named, type FormField } from './formField';

/** Someone to register, or what changes of somebody registered. */
export interface Registrant extends Candidate {
	/** That tells what the answers are; undefined where each is sent by its name. */
	form?: readonly FormField[];
	/** Names that are no question of the form, and left out. */
	ignored: readonly string[];
	/** Labels of required questions without an answer. */
	unanswered: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** Mapped values as a registration takes them. Without a form every one is sent; an empty one is no answer. Of somebody who `isKnown` already nothing has to be given again. */
export function personFields(values: Values, form?: readonly FormField[], isKnown = false) {
	// Even where no form was read, what every session asks for takes one text.
	const find = form ? finder(form) : (name: string) => named.find(({ id }) => id === name);
	const fields: PersonField[] = [];
	const ignored: string[] = [];
	/** Answers that the form as we know it does not offer, in words for people. */
	const doubts: string[] = [];
	/** Why this person cannot be sent, in words for people. */
	const problems: string[] = [];
	/** What was answered → the column. */
	const columns = new Map<string, string>();
	for (const [name, given] of Object.entries(values)) {
		const field = find(name);
		const id = field?.id ?? name;
		const found = cleanAnswer(name, given, field);
		if (found === undefined) continue;
		// The platform always takes an address, even where a form does not list it.
		if (form && !field && id !== 'email') {
			ignored.push(name);
			continue;
		}
		const other = columns.get(id);
		columns.set(id, name);
		if (other !== undefined) {
			const both = `'${quote(other)}' and '${quote(name)}'`;
			problems.push(`The columns ${both} both mean '${field?.label ?? id}'. Remove one.`);
		} else if (found.problem !== undefined) problems.push(found.problem);
		else {
			fields.push({ id, value: found.value });
			if (found.doubt !== undefined) doubts.push(found.doubt);
		}
	}
	const address = fields.find(({ id }) => id === 'email');
	let email: string | undefined;
	if (address) {
		const given = String(address.value).trim();
		const clean = cleanAddress(given);
		email = isAddress(clean) ? clean : given;
		address.value = email;
		if (!isAddress(clean)) problems.push(`"${quote(given)}" is not an email address.`);
	} else if (!isKnown) {
		problems.push('There is no email. It is the one field that every person needs.');
	}
	const unanswered = (isKnown ? [] : (form ?? []))
		.filter(({ id, required }) => required && !columns.has(id))
		.map(({ label }) => label);
	return { email, fields, ignored, unanswered, doubts, problems };
}

/** The value as it is sent, and why it may be a mistake, or why it cannot be sent; undefined: nothing was answered. */
export function cleanAnswer(name: string, given: unknown, field?: FormField) {
	const texts = [field?.multiple ? jsonList(given) : given].flat().map(answerText);
	if (texts.includes(undefined)) {
		const problem = `The value of '${quote(name) ?? ''}' is an object. Give text or a list of texts.`;
		return { problem };
	}
	const known = texts.flatMap((one) => (one !== undefined && isGiven(one, field) ? one : []));
	if (known.length === 0) return undefined;
	const isList = field ? field.multiple : Array.isArray(given);
	if (!field?.choices) return { value: isList ? known : known.join(', ') };
	// "A, B" means two answers, unless "A, B" itself is one.
	const isTwo = (one: string) => isList && choiceOf(one, field) === undefined;
	const parts = textsIn(known.flatMap((one) => (isTwo(one) ? one.split(',') : one)));
	const [first, ...more] = parts.map((part) => choiceOf(part, field) ?? part);
	if (first === undefined) return undefined;
	const value = isList || more.length > 0 ? [first, ...more] : first;
	return { value, doubt: doubtAbout(parts, field) };
}

/** The surname "Null" is a name. */
function isGiven(one: string, field?: FormField): boolean {
	return wordsForNothing.has(one.trim()) ? choiceOf(one, field) !== undefined : isVisible(one);
}

function doubtAbout(answers: readonly string[], field: FormField): string | undefined {
	const { label, multiple, choices = [] } = field;
	const stray = answers.find((one) => choiceOf(one, field) === undefined);
	if (stray !== undefined) {
		const shown = choices.slice(0, mostShown).map((choice) => quote(choice.value));
		const more = choices.length > mostShown ? ' and more' : '';
		return `"${quote(stray)}" is not a choice of '${label}'. It has ${shown.join(', ')}${more}.`;
	}
	if (multiple || answers.length === 1) return undefined;
	return `'${label}' takes one answer, not ${answers.length}.`;
}

const mostShown = 20;

/** The value of the choice that is meant by its value or by what the form shows, letter case aside. */
function choiceOf(given: string, { choices = [] }: Partial<FormField> = {}): string | undefined {
	const plain = (choice: string) => choice.trim().toLowerCase();
	const isMeant = (choice: string) => plain(choice) === plain(given);
	const found =
		choices.find(({ value }) => value.trim() === given) ??
		choices.find(({ value, name }) => isMeant(value) || isMeant(name));
	return found?.value;
}

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
