import { quote, text } from '../core/values/text';
import { cleanAddress, isAddress } from '../core/people/address';
import type { PersonField } from '../core/people/registration';
import { namedQuestions, type Question } from './question';
import { questionFinder, isLikeEmail, isNameOfEmail } from './columnNames';
import type { ColumnNotes } from './registrant';
import { cleanAnswer, mostShown, type CleanAnswer } from './cleanAnswer';

export type Values = Readonly<Record<string, unknown>>;

/**
 * How a column is treated that is no question: left out where a form is known; sent where somebody mapped it by hand; sent
 * unless it is an object, where whole items are mapped and no form is known.
 */
export type OtherColumns = 'ignore' | 'send' | 'sendTexts';

/** How an answer is treated that the form does not offer: the person is invalid, the answer is left out, or the platform judges it. */
const unknownChoicesPolicies = ['refuse', 'leaveOut', 'send'] as const;

export type UnknownChoices = (typeof unknownChoicesPolicies)[number];

export function isUnknownChoices(value: unknown): value is UnknownChoices {
	return unknownChoicesPolicies.some((policy) => policy === value);
}

/** How the values of a person are understood. */
export interface Mapping {
	/** Absent: the name of each value is the ID of its question. */
	questions?: readonly Question[];
	others: OtherColumns;
	/** Names that somebody gave by hand beside the columns: they are always sent. */
	explicit: ReadonlySet<string>;
	unknownChoices: UnknownChoices;
	/** Somebody registered already does not have to give anything again. */
	isRegistered: boolean;
}

/** The values of one person as a registration takes them. */
export interface PersonFields {
	/** Clean, or as given where it is no address; undefined where there is none. */
	email?: string;
	fields: PersonField[];
	notes: ColumnNotes;
	/** Whether the questions do not offer one of the answers. The form of the session may by now. */
	hasUnknownChoice: boolean;
	/** Why this person cannot be sent, in words for people. */
	problems: readonly string[];
}

/** Mapped values as a registration takes them. An empty value is no answer. */
export function personFields(values: Values, mapping: Mapping): PersonFields {
	const { questions, explicit, unknownChoices, isRegistered } = mapping;
	// Even where no form was read, what every session asks for takes one text.
	const find = questions ? questionFinder(questions) : findNamed;
	const fields: PersonField[] = [];
	const notes = noNotes();
	const problems: string[] = [];
	let hasUnknownChoice = false;
	/** The ID of the question → the column that answers it. */
	const answeredBy = new Map<string, string>();
	for (const [name, value] of Object.entries(values)) {
		const question = find(name);
		const id = question?.id ?? name;
		const answer = cleanAnswer(name, value, question);
		if (answer === undefined) continue;
		// The platform always takes an address, even where a form does not list it.
		const isOther = question === undefined && id !== 'email' && !explicit.has(name);
		const { isSent, note } = isOther ? treatOther(answer, mapping.others) : treatedAsAnswer;
		if (note) notes[note].push(name);
		if (!isSent) continue;
		const earlierColumn = answeredBy.get(id);
		answeredBy.set(id, name);
		if (earlierColumn !== undefined) {
			const both = `'${quote(earlierColumn)}' and '${quote(name)}'`;
			problems.push(`The columns ${both} both mean '${question?.label ?? id}'. Remove one.`);
		} else if ('problem' in answer) {
			problems.push(answer.problem);
		} else if (answer.doubt === undefined || unknownChoices === 'send') {
			fields.push({ id, value: answer.value });
		} else if (unknownChoices === 'leaveOut') {
			notes.leftOut.push(question?.label ?? id);
			if (answer.offered === undefined) answeredBy.delete(id);
			else fields.push({ id, value: answer.offered });
		} else problems.push(answer.doubt);
		if ('doubt' in answer && answer.doubt !== undefined) hasUnknownChoice = true;
	}
	const { email, problem } = readEmail(fields, values, isRegistered);
	if (problem !== undefined) problems.push(problem);
	const required = isRegistered ? [] : (questions ?? []).filter((question) => question.required);
	const unanswered = required.filter(({ id }) => !answeredBy.has(id));
	notes.unanswered.push(...unanswered.map(({ label }) => label));
	return { email, fields: withEmail(fields, email), notes, hasUnknownChoice, problems };
}

function noNotes(): ColumnNotes {
	const columns = { ignored: [], unchecked: [], objects: [], surplus: [] };
	return { ...columns, leftOut: [], unanswered: [] };
}

function findNamed(name: string): Question | undefined {
	return namedQuestions.find(({ id }) => id === name);
}

/** Whether a column is sent, and which of the notes it stands in, if any. */
interface Treatment {
	isSent: boolean;
	note?: keyof ColumnNotes;
}

const treatedAsAnswer: Treatment = { isSent: true };

/** Decides how a column is treated that is no question. */
function treatOther(answer: CleanAnswer, others: OtherColumns): Treatment {
	if (others === 'send') return treatedAsAnswer;
	if (others === 'ignore') return { isSent: false, note: 'ignored' };
	return 'problem' in answer
		? { isSent: false, note: 'objects' }
		: { isSent: true, note: 'unchecked' };
}

/** The email of a person, and what is wrong with it. */
interface ReadEmail {
	/** Clean, or as given where it is no address; undefined where there is none. */
	email?: string;
	/** In words for people. */
	problem?: string;
}

/** Reads the email among the fields. */
function readEmail(
	fields: readonly PersonField[],
	values: Values,
	isRegistered: boolean,
): ReadEmail {
	const field = fields.find(({ id }) => id === 'email');
	if (!field) {
		const problem = `There is no email. It is the one field that every person needs.${meantForEmail(values)}`;
		return isRegistered ? {} : { problem };
	}
	const entered = String(field.value).trim();
	const clean = cleanAddress(entered);
	if (isAddress(clean)) return { email: clean };
	return { email: entered, problem: `"${quote(entered)}" is not an email address.` };
}

/** The email is sent as it is shown and compared. */
function withEmail(fields: PersonField[], email: string | undefined): PersonField[] {
	if (email === undefined) return fields;
	return fields.map((field) => (field.id === 'email' ? { ...field, value: email } : field));
}

/** Where no column was understood as the email: which columns came, and which of them probably is the one. */
function meantForEmail(values: Values): string {
	const names = Object.keys(values);
	if (names.length === 0 || names.some(isNameOfEmail)) return '';
	const quotedNames = names.slice(0, mostShown).map((name) => `'${quote(name)}'`);
	const more = names.length > mostShown ? ' and more' : '';
	const withAddress = names.filter((name) => isAddress(cleanAddress(text(values[name]).trim())));
	const nearest = withAddress.find(isLikeEmail) ?? withAddress[0] ?? names.find(isLikeEmail);
	const advice =
		nearest === undefined
			? "Name the column with the address 'Email'."
			: `Did you mean '${quote(nearest)}'? Name that column 'Email'.`;
	return ` The columns are ${quotedNames.join(', ')}${more}. ${advice}`;
}
