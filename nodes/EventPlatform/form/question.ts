import { isObject, type Json } from '../core/values/json';
import { text } from '../core/values/text';
import { namedQuestionIds } from '../core/dialect/personAttributes';
import { titleCase } from '../fields/fieldNames';

export interface QuestionChoice {
	/** As the form shows it. */
	name: string;
	/** As the platform takes it. */
	value: string;
}

export interface Question {
	/** Such as "company". */
	id: string;
	label: string;
	/** The name of its attribute in the workspace, where the form does not show it. */
	attributeName?: string;
	/** The platform needs the email alone. */
	isRequired: boolean;
	mayHaveSeveral: boolean;
	/** Undefined where people type what they like. */
	choices?: QuestionChoice[];
}

interface PlatformQuestion {
	name?: Json;
	/** Texts, or objects with a label. */
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

/** The questions that every session takes. */
export const namedQuestions: readonly Question[] = namedQuestionIds.flatMap((id) =>
	questionOf(id, { mayHaveSeveral: false }),
);
