import { isObject, type Json } from '../core/values/json';
import { text } from '../core/values/text';
import { titleCase } from '../fields/fieldNames';

/** A question of a registration form, whatever list it came from. */
export interface Question {
	id: string;
	label: string;
	/** On the page of the form. The platform registers somebody with the email alone. */
	required: boolean;
	/** Undefined where people type what they like. */
	choices?: Array<{ name: string; value: string }>;
	multiple: boolean;
}

/** Section 2.2 names them for every session. */
export const namedQuestions: Question[] = [
	{ id: 'email', label: 'Email', required: true, multiple: false },
	{ id: 'first_name', label: 'First Name', required: false, multiple: false },
	{ id: 'last_name', label: 'Last Name', required: false, multiple: false },
];

/** The description of a question by the platform, beside its ID. */
interface Described {
	name?: Json;
	/** The choices: texts, or objects with a label. */
	items?: Json;
	multiple: boolean;
	required?: boolean;
}

/** None without an ID. Choices are undefined where there are none: the editor would show a list from which nothing can be chosen. */
export function questionOf(id: Json | undefined, described: Described): Question[] {
	if (typeof id !== 'string' || id === '') return [];
	const { name, items = [], multiple } = described;
	const choices = [items].flat().map((item) => {
		const { label, value } = isObject(item) ? item : { label: null, value: item };
		return { name: text(label ?? value), value: text(value) };
	});
	const named = choices.filter(({ value }) => value !== '');
	const label = text(name) || titleCase(id);
	const required = described.required === true || id === 'email';
	return [{ id, label, required, multiple, choices: named.length > 0 ? named : undefined }];
}

/** Gives the label of a question; its ID where it is not among these. */
export function labelOfQuestion(id: string, questions: readonly Question[] = []): string {
	return questions.find((question) => question.id === id)?.label ?? id;
}
