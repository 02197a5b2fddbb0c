import type { PersonField } from '../core/people/registration';
import { dateAsText } from '../core/values/dates';
import { isVisible, quote, text } from '../core/values/text';
import { readYesOrNo } from '../core/values/yesNo';
import { parseList, textsIn, wordsForNothing } from '../fields/parameterValues';
import { cleanText, hasLostLetters } from './cleanText';
import type { Question, QuestionChoice } from './question';

/* Makes an answer, as the platform takes it, out of whatever an item or a field of the node holds. */

export const mostNamedInMessage = 20;

export type CleanAnswer =
	| { readonly kind: 'fits'; readonly value: PersonField['value'] }
	| {
			readonly kind: 'mismatch';
			readonly value: PersonField['value'];
			readonly mismatch: string;
			readonly offered?: PersonField['value'];
	  }
	| {
			readonly kind: 'object';
			readonly problem: string;
	  }
	| {
			/** Letters were lost when the file was read, so this is nobody's answer. */
			readonly kind: 'misread';
			readonly value: PersonField['value'];
			readonly problem: string;
	  };

const adviceOnEncoding =
	"Save the list as 'CSV UTF-8' in Excel, or set 'Encoding' among the options of 'Extract from File' to Latin1, which puts most files of Excel right.";

/** Several values of a person may have lost letters. The advice is the same for all of them. */
export function withAdviceOnce(problems: readonly string[]): string[] {
	const last = problems.findLastIndex((problem) => problem.endsWith(adviceOnEncoding));
	return problems.map((problem, nth) =>
		nth < last ? problem.replace(` ${adviceOnEncoding}`, '') : problem,
	);
}

/** Whatever the letter case, by its value or by what the form shows; "ja" means the one choice that says yes. */
function findChoice(answer: string, { choices = [] }: Partial<Question> = {}): string | undefined {
	const withoutCase = (choice: string) => choice.trim().toLowerCase();
	const isMeant = (choice: string) => withoutCase(choice) === withoutCase(answer);
	const meantChoice =
		choices.find(({ value }) => value.trim() === answer) ??
		choices.find(({ value, name }) => isMeant(value) || isMeant(name)) ??
		findYesOrNo(answer, choices);
	return meantChoice?.value;
}

/** Among several choices one has to say the opposite. Among more than two a digit is a number: "yes" is not the 1 of 0 to 10. */
function findYesOrNo(
	answer: string,
	choices: readonly QuestionChoice[],
): QuestionChoice | undefined {
	const isNumber = (word: string) => choices.length > 2 && /^\s*\d\s*$/.test(word);
	const meaningOf = (word: string) => (isNumber(word) ? undefined : readYesOrNo(word));
	const meaning = meaningOf(answer);
	if (meaning === undefined) return undefined;
	const choicesThatSay = (word: 'yes' | 'no') =>
		choices.filter(({ value, name }) => [value, name].some((part) => meaningOf(part) === word));
	const [choice, ...others] = choicesThatSay(meaning);
	const opposite = choicesThatSay(meaning === 'yes' ? 'no' : 'yes');
	return others.length === 0 && (choices.length === 1 || opposite.length === 1)
		? choice
		: undefined;
}

/** '' for nothing and NaN, undefined for an object, which cannot be an answer. */
function answerText(input: unknown): string | undefined {
	if (input === null || Number.isNaN(input)) return '';
	return typeof input === 'object' ? dateAsText(input) : cleanText(text(input));
}

/** A word such as "null" is an answer only where it is one of the choices. */
function isAnswer(answer: string, question?: Question): boolean {
	return wordsForNothing.has(answer.trim())
		? findChoice(answer, question) !== undefined
		: isVisible(answer);
}

function describeMismatch(answers: readonly string[], question: Question): string | undefined {
	const { label, mayHaveSeveral, choices = [] } = question;
	const stray = answers.find((answer) => findChoice(answer, question) === undefined);
	if (stray !== undefined) {
		const offered = choices.slice(0, mostNamedInMessage).map((choice) => quote(choice.value));
		const more = choices.length > mostNamedInMessage ? ' and more' : '';
		return `"${quote(stray)}" is not a choice of '${label}'. It has ${offered.join(', ')}${more}.`;
	}
	if (mayHaveSeveral || answers.length === 1) return undefined;
	return `'${label}' takes one answer, not ${answers.length}.`;
}

/** Undefined where nothing was answered. Without a question the answer is sent as a text. */
export function cleanAnswer(
	name: string,
	input: unknown,
	question?: Question,
): CleanAnswer | undefined {
	const texts = [question?.mayHaveSeveral ? parseList(input) : input].flat().map(answerText);
	if (texts.includes(undefined)) {
		const problem = `The value of '${quote(name) ?? ''}' is an object. Give text or a list of texts.`;
		return { kind: 'object', problem };
	}
	const answers = texts.flatMap((answer) =>
		answer !== undefined && isAnswer(answer, question) ? answer : [],
	);
	if (answers.length === 0) return undefined;
	const misread = [...answers, ...(question ? [] : [cleanText(name)])].find(hasLostLetters);
	if (misread !== undefined) {
		const problem = `The value of '${quote(name) ?? ''}' has lost letters ("${quote(misread) ?? ''}"): the file was read in the wrong encoding. ${adviceOnEncoding}`;
		return { kind: 'misread', value: answers.join(', '), problem };
	}
	if (question?.choices) return chooseAnswers(answers, question);
	// Section 2.2: a value is a string. Only a form can say that an answer is several choices, which is a list of them.
	return { kind: 'fits', value: question?.mayHaveSeveral ? answers : answers.join(', ') };
}

function chooseAnswers(answers: readonly string[], question: Question): CleanAnswer | undefined {
	const isList = question.mayHaveSeveral;
	// "A, B" means two answers, unless "A, B" itself is a choice.
	const maySplit = (answer: string) => isList && findChoice(answer, question) === undefined;
	const parts = textsIn(
		answers.flatMap((answer) => (maySplit(answer) ? answer.split(',') : answer)),
	);
	if (parts.length === 0) return undefined;
	const meant = parts.map((part) => findChoice(part, question) ?? part);
	const value = isList ? meant : meant.join(', ');
	const mismatch = describeMismatch(parts, question);
	if (mismatch === undefined) return { kind: 'fits', value };
	const offered = isList ? parts.flatMap((part) => findChoice(part, question) ?? []) : [];
	return {
		kind: 'mismatch',
		value,
		mismatch,
		offered: offered.length > 0 ? offered : undefined,
	};
}
