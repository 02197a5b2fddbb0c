import { isVisible, quote, text } from '../core/http/text';
import { wordsForNothing } from '../parameters/given';
import type { FormField } from './formField';

/** A value as the registration endpoints take it, or why they cannot. */
export type FormAnswer =
	| {
			value: string | string[];
			/** Why it may be a mistake: the form, as far as we know it, does not offer this. */
			doubt?: string;
	  }
	| { problem: string };

/** Undefined: nothing was answered. `field` is unknown where there is no form. */
export function cleanAnswer(
	name: string,
	given: unknown,
	field?: FormField,
): FormAnswer | undefined {
	const listed = field?.multiple ? jsonList(given) : given;
	const texts = [listed].flat().map(answerText);
	const known = texts.filter((one) => one !== undefined && isGiven(one, field)) as string[];
	if (texts.includes(undefined)) {
		const problem = `The value of '${quote(name) ?? ''}' is an object. Give text or a list of texts.`;
		return { problem };
	}
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
	const parts = texts
		.flatMap((one) => (field.multiple ? split(one, field) : one))
		.map((part) => part.trim())
		.filter((part) => part !== '');
	const values = parts.map((part) => choiceOf(part, field) ?? part);
	const [first, ...more] = values;
	if (first === undefined) return undefined;
	const value = field.multiple || more.length > 0 ? values : first;
	const stray = parts.find((part) => choiceOf(part, field) === undefined);
	if (stray !== undefined) {
		return {
			value,
			doubt: `"${quote(stray)}" is not a choice of '${field.label}'. ${offer(field)}`,
		};
	}
	if (more.length === 0 || field.multiple) return { value };
	return { value, doubt: `'${field.label}' takes one answer, not ${values.length}.` };
}

/** What there is to choose from, in a sentence. */
function offer({ choices = [] }: FormField): string {
	const shown = choices.slice(0, mostShown).map(({ value }) => quote(value));
	return `It has ${shown.join(', ')}${choices.length > mostShown ? ' and more' : ''}.`;
}

const mostShown = 20;

/** "A, B" means two answers, unless "A, B" itself is one. */
function split(given: string, field: FormField): string[] {
	return choiceOf(given, field) === undefined ? given.split(',') : [given];
}

/** The value of the choice that is meant by its value or by what the form shows, letter case aside. */
function choiceOf(given: string, { choices = [] }: FormField): string | undefined {
	const wanted = plain(given);
	const found =
		choices.find(({ value }) => value.trim() === given.trim()) ??
		choices.find(({ value, label }) => plain(value) === wanted || plain(label) === wanted);
	return found?.value;
}

function plain(choice: string): string {
	return choice.trim().toLowerCase();
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
