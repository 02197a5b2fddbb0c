import { isObject, type Json } from '../core/values/json';
import { text } from '../core/values/text';
import { titleCase } from '../fields/fieldNames';

export interface QuestionChoice {
	/** The choice as the form shows it. */
	name: string;
	/** The choice as the platform takes it. */
	value: string;
}

/** A question of a registration form, whatever list it came from. */
export interface Question {
	/** The name of its answer in a registration: "company". */
	id: string;
	/** The question as the form shows it. */
	label: string;
	/** The name of its attribute in the workspace, where the form does not show it. */
	attributeName?: string;
	/** Whether the page of the form requires an answer. The platform needs the email alone. */
	isRequired: boolean;
	mayHaveSeveral: boolean;
	/** The choices; undefined where people type what they like. */
	choices?: QuestionChoice[];
}

/** The questions that section 2.2 names for every session. */
export const namedQuestions: Question[] = [
	{ id: 'email', label: 'Email', isRequired: true, mayHaveSeveral: false },
	{ id: 'first_name', label: 'First Name', isRequired: false, mayHaveSeveral: false },
	{ id: 'last_name', label: 'Last Name', isRequired: false, mayHaveSeveral: false },
];

export function isNamedQuestion({ id }: Question): boolean {
	return namedQuestions.some((question) => question.id === id);
}

/** A question as the platform describes it, beside its ID. */
interface PlatformQuestion {
	name?: Json;
	/** The choices: texts, or objects with a label. */
	items?: Json;
	mayHaveSeveral: boolean;
	isRequired?: boolean;
}

/**
 * Makes a question out of the platform's description of it; there is none without an ID. Its choices are undefined where there are
 * none, because the editor would show a list from which nothing can be chosen.
 */
export function questionOf(id: Json | undefined, description: PlatformQuestion): Question[] {
	if (typeof id !== 'string' || id === '') return [];
	const { name, items = [], mayHaveSeveral } = description;
	const choices = [items].flat().map((item) => {
		const { label, value } = isObject(item) ? item : { label: null, value: item };
		return { name: text(label ?? value), value: text(value) };
	});
	const usableChoices = choices.filter(({ value }) => value !== '');
	const label = text(name) || titleCase(id);
	const isRequired = description.isRequired === true || id === 'email';
	const offeredChoices = usableChoices.length > 0 ? usableChoices : undefined;
	return [{ id, label, isRequired, mayHaveSeveral, choices: offeredChoices }];
}

/** Gives the label of a question; its ID where the question is not among `questions`. */
export function labelOfQuestion(id: string, questions: readonly Question[] = []): string {
	return questions.find((question) => question.id === id)?.label ?? id;
}
