import type { PersonField } from '../core/people/registration';
import { isVisible, quote, text } from '../core/values/text';
import { textsIn, wordsForNothing } from '../fields/parameterValues';
import type { Question } from './question';

/* One answer as the platform takes it, out of whatever an item or a field of the node holds. */

/** So many choices or columns are named in a message. */
export const mostShown = 20;

/** An answer as it is sent, or why it cannot be sent. */
export type CleanAnswer =
	| { problem: string }
	| {
			value: PersonField['value'];
			/** Why it may be a mistake, in words for people. */
			doubt?: string;
			/** With a doubt: what the form offers of it, if anything. */
			offered?: PersonField['value'];
	  };

/** The value of the choice that is meant by its value or by what the form shows, letter case aside. */
function choiceOf(answer: string, { choices = [] }: Partial<Question> = {}): string | undefined {
	const plain = (choice: string) => choice.trim().toLowerCase();
	const isMeant = (choice: string) => plain(choice) === plain(answer);
	const meant =
		choices.find(({ value }) => value.trim() === answer) ??
		choices.find(({ value, name }) => isMeant(value) || isMeant(name));
	return meant?.value;
}

function jsonList(input: unknown): unknown {
	if (typeof input !== 'string' || !input.trim().startsWith('[')) return input;
	try {
		const list: unknown = JSON.parse(input);
		return Array.isArray(list) ? list : input;
	} catch {
		return input;
	}
}

/** Undefined: an object, which no answer can be. Empty: nothing, and no number is nothing, too. */
function answerText(input: unknown): string | undefined {
	if (input === null || Number.isNaN(input)) return '';
	if (input instanceof Date) return Number.isNaN(input.getTime()) ? undefined : input.toISOString();
	return typeof input === 'object' ? undefined : text(input);
}

/** Whether a text answers anything. "Null" does where it is a choice, as a surname may be. */
function isAnswer(answer: string, question?: Question): boolean {
	return wordsForNothing.has(answer.trim())
		? choiceOf(answer, question) !== undefined
		: isVisible(answer);
}

function doubtAbout(answers: readonly string[], field: Question): string | undefined {
	const { label, multiple, choices = [] } = field;
	const stray = answers.find((answer) => choiceOf(answer, field) === undefined);
	if (stray !== undefined) {
		const offered = choices.slice(0, mostShown).map((choice) => quote(choice.value));
		const more = choices.length > mostShown ? ' and more' : '';
		return `"${quote(stray)}" is not a choice of '${label}'. It has ${offered.join(', ')}${more}.`;
	}
	if (multiple || answers.length === 1) return undefined;
	return `'${label}' takes one answer, not ${answers.length}.`;
}

/** Undefined where nothing was answered. */
export function cleanAnswer(
	name: string,
	input: unknown,
	field?: Question,
): CleanAnswer | undefined {
	const texts = [field?.multiple ? jsonList(input) : input].flat().map(answerText);
	if (texts.includes(undefined)) {
		const problem = `The value of '${quote(name) ?? ''}' is an object. Give text or a list of texts.`;
		return { problem };
	}
	const answers = texts.flatMap((answer) =>
		answer !== undefined && isAnswer(answer, field) ? answer : [],
	);
	if (answers.length === 0) return undefined;
	const isList = field ? field.multiple : Array.isArray(input);
	if (!field?.choices) return { value: isList ? answers : answers.join(', ') };
	// "A, B" means two answers, unless "A, B" itself is one.
	const isTwo = (answer: string) => isList && choiceOf(answer, field) === undefined;
	const parts = textsIn(answers.flatMap((answer) => (isTwo(answer) ? answer.split(',') : answer)));
	const [first, ...more] = parts.map((part) => choiceOf(part, field) ?? part);
	if (first === undefined) return undefined;
	const value = isList || more.length > 0 ? [first, ...more] : first;
	const offered = isList ? parts.flatMap((part) => choiceOf(part, field) ?? []) : [];
	return {
		value,
		doubt: doubtAbout(parts, field),
		offered: offered.length > 0 ? offered : undefined,
	};
}
