import type { Row } from '../core/people/row';
import { isVisible, quote, text } from '../core/values/text';
import { cleanAddress, isAddress } from '../core/people/address';
import type { PersonField } from '../core/people/registration';
import { textsIn, wordsForNothing } from '../fields/parameterValues';
import { finder, isLikeEmail, isNameOfEmail, named, type FormField } from './formField';

/** Someone to register, or what changes of somebody registered. */
export interface Registrant extends Row {
	/** The questions that tell what the answers are; undefined where each is sent by its name. */
	questions?: readonly FormField[];
	/** The columns that a hint names. */
	columns: NotedColumns;
	/** Why the form of the session was not read, so that nothing is known of what it asks for. */
	unreadForm?: string;
}

/** Columns and questions of one person that a hint names, by their labels: never what was answered. */
export interface NotedColumns {
	/** Left out, because no question takes them. */
	readonly ignored: readonly string[];
	/** Sent although nothing says that they are answers, because no form can be read. */
	readonly unchecked: readonly string[];
	/** Left out beside those, because an object is no answer. */
	readonly objects: readonly string[];
	/** Mapped by hand and sent, although the form of the session does not ask for them. */
	readonly unasked: readonly string[];
	/** Answers that were left out because the form does not offer them. */
	readonly leftOut: readonly string[];
	/** Required questions without an answer. */
	readonly unanswered: readonly string[];
}

export type Values = Readonly<Record<string, unknown>>;

/**
 * How a column is treated that is no question: left out where a form is known; sent where somebody mapped it by hand; sent
 * unless it is an object, where whole items are mapped and no form is known.
 */
export type OtherColumns = 'ignore' | 'send' | 'sendTexts';

/** How an answer is treated that the form does not offer: the person is invalid, the answer is left out, or the platform judges it. */
const unknownChoicesPolicies = ['refuse', 'leaveOut', 'send'] as const;
export type UnknownChoices = (typeof unknownChoicesPolicies)[number];

export function isUnknownChoices(given: unknown): given is UnknownChoices {
	return unknownChoicesPolicies.some((policy) => policy === given);
}

/** How the values of a person are understood. */
export interface Mapping {
	/** Absent: the name of each value is the ID of its question. */
	questions?: readonly FormField[];
	others: OtherColumns;
	/** Names that somebody gave by hand beside the columns: they are always sent. */
	explicit: ReadonlySet<string>;
	unknownChoices: UnknownChoices;
	/** Somebody registered already does not have to give anything again. */
	isKnown: boolean;
}

/** The values of one person as a registration takes them. */
export interface PersonFields {
	/** Clean, or as given where it is no address; undefined where there is none. */
	email?: string;
	fields: PersonField[];
	columns: { [Noted in keyof NotedColumns]: string[] };
	/** Whether the questions do not offer one of the answers. The form of the session may by now. */
	hasUnknownChoice: boolean;
	/** Why this person cannot be sent, in words for people. */
	problems: string[];
}

/** Mapped values as a registration takes them. An empty value is no answer. */
export function personFields(values: Values, mapping: Mapping): PersonFields {
	const { questions, explicit, unknownChoices, isKnown } = mapping;
	// Even where no form was read, what every session asks for takes one text.
	const find = questions ? finder(questions) : findNamed;
	const columns: PersonFields['columns'] = noColumns();
	const person: PersonFields = { fields: [], columns, hasUnknownChoice: false, problems: [] };
	const { fields, problems } = person;
	/** The ID of the question → the column that answers it. */
	const answeredBy = new Map<string, string>();
	for (const [name, given] of Object.entries(values)) {
		const question = find(name);
		const id = question?.id ?? name;
		const answer = cleanAnswer(name, given, question);
		if (answer === undefined) continue;
		// The platform always takes an address, even where a form does not list it.
		const isOther = question === undefined && id !== 'email' && !explicit.has(name);
		if (isOther && !takesOther(name, answer, mapping.others, columns)) continue;
		const other = answeredBy.get(id);
		answeredBy.set(id, name);
		if (other !== undefined) {
			const both = `'${quote(other)}' and '${quote(name)}'`;
			problems.push(`The columns ${both} both mean '${question?.label ?? id}'. Remove one.`);
		} else if ('problem' in answer) {
			problems.push(answer.problem);
		} else if (answer.doubt === undefined || unknownChoices === 'send') {
			fields.push({ id, value: answer.value });
		} else if (unknownChoices === 'leaveOut') {
			columns.leftOut.push(question?.label ?? id);
			if (answer.offered === undefined) answeredBy.delete(id);
			else fields.push({ id, value: answer.offered });
		} else problems.push(answer.doubt);
		if ('doubt' in answer && answer.doubt !== undefined) person.hasUnknownChoice = true;
	}
	readEmail(person, values, isKnown);
	const required = isKnown ? [] : (questions ?? []).filter((question) => question.required);
	const unanswered = required.filter(({ id }) => !answeredBy.has(id));
	columns.unanswered.push(...unanswered.map(({ label }) => label));
	return person;
}

function noColumns(): PersonFields['columns'] {
	const columns = { ignored: [], unchecked: [], objects: [], unasked: [] };
	return { ...columns, leftOut: [], unanswered: [] };
}

function findNamed(name: string): FormField | undefined {
	return named.find(({ id }) => id === name);
}

/** Whether a column that is no question is sent. What a hint has to say of it is noted. */
function takesOther(
	name: string,
	answer: CleanAnswer,
	others: OtherColumns,
	{ ignored, objects, unchecked }: PersonFields['columns'],
): boolean {
	if (others === 'send') return true;
	const isSent = others === 'sendTexts' && !('problem' in answer);
	if (isSent) unchecked.push(name);
	else (others === 'ignore' ? ignored : objects).push(name);
	return isSent;
}

/** Cleans the address among the fields, or says what is wrong with it. */
function readEmail(person: PersonFields, values: Values, isKnown: boolean): void {
	const address = person.fields.find(({ id }) => id === 'email');
	if (address) {
		const given = String(address.value).trim();
		const clean = cleanAddress(given);
		person.email = isAddress(clean) ? clean : given;
		address.value = person.email;
		if (!isAddress(clean)) person.problems.push(`"${quote(given)}" is not an email address.`);
	} else if (!isKnown) {
		person.problems.push(
			`There is no email. It is the one field that every person needs.${meantForEmail(values)}`,
		);
	}
}

/** Where no column was understood as the email: which columns came, and which of them probably is the one. */
function meantForEmail(values: Values): string {
	const names = Object.keys(values);
	if (names.length === 0 || names.some(isNameOfEmail)) return '';
	const shown = names.slice(0, mostShown).map((name) => `'${quote(name)}'`);
	const more = names.length > mostShown ? ' and more' : '';
	const withAddress = names.filter((name) => isAddress(cleanAddress(text(values[name]).trim())));
	const nearest = withAddress.find(isLikeEmail) ?? withAddress[0] ?? names.find(isLikeEmail);
	const advice =
		nearest === undefined
			? "Name the column with the address 'Email'."
			: `Did you mean '${quote(nearest)}'? Name that column 'Email'.`;
	return ` The columns are ${shown.join(', ')}${more}. ${advice}`;
}

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

/** Undefined where nothing was answered. */
export function cleanAnswer(
	name: string,
	given: unknown,
	field?: FormField,
): CleanAnswer | undefined {
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
	const offered = isList ? parts.flatMap((part) => choiceOf(part, field) ?? []) : [];
	return {
		value,
		doubt: doubtAbout(parts, field),
		offered: offered.length > 0 ? offered : undefined,
	};
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
