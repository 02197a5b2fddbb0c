import { quote, text } from '../core/values/text';
import { cleanAddress, describeNoAddress, isAddress } from '../core/people/address';
import type { PersonField } from '../core/people/registration';
import type { Question } from './question';
import { makeQuestionFinder, isLikeEmail, isNameOfEmail } from './columnNames';
import type { NoteKind, Notes } from './registrant';
import { cleanAnswer, mostNamedInMessage, type CleanAnswer } from './cleanAnswer';
import { hasDoubledLetters } from './cleanText';

type ColumnValues = Readonly<Record<string, unknown>>;

/**
 * The treatment of a column that no question takes: it is left out where the form was read; sent where it was mapped by
 * hand; sent unless it is an object, where whole items are mapped and no form was read.
 */
export type UnaskedColumns = 'ignore' | 'send' | 'sendTexts';

/** The treatment of an answer that the form does not offer: the person is invalid, the answer is left out, or the platform judges it. */
type UnknownChoices = 'refuse' | 'leaveOut' | 'send';

export interface Mapping {
	/** None where the name of each value is the ID of its question. */
	questions: readonly Question[];
	unaskedColumns: UnaskedColumns;
	/** Answers that were given by hand beside the columns: they are always sent. */
	explicit: ReadonlySet<string>;
	unknownChoices: UnknownChoices;
	/** Then no answer has to be given again. */
	isRegistered: boolean;
	/** Absent: the columns are those of the values. */
	columnsOfList?: () => ReadonlySet<string>;
}

export interface PersonFields {
	/** The address without what is around it, or as entered where it is no address; undefined where there is none. */
	email?: string;
	fields: PersonField[];
	notes: Notes;
	/** The form of the session may by now offer the answer that is not among the choices of its question. */
	hasUnknownChoice: boolean;
	problems: readonly string[];
}

/** An empty value is no answer. */
export function readPersonFields(values: ColumnValues, mapping: Mapping): PersonFields {
	const { questions, unknownChoices, isRegistered } = mapping;
	const notes: Notes = {};
	const columns = columnsToSend(values, mapping, notes);
	const fields: PersonField[] = [];
	const problems: string[] = [];
	/** By the ID of the question. */
	const answeredBy = new Map<string, string>();
	for (const { name, id, label, answer } of columns) {
		const earlierColumn = answeredBy.get(id);
		if (earlierColumn !== undefined) {
			const bothColumns = `'${quote(earlierColumn)}' and '${quote(name)}'`;
			problems.push(`The columns ${bothColumns} both mean '${label}'. Remove one.`);
			continue;
		}
		const { value, problem, isLeftOut } = treatAnswer(answer, unknownChoices);
		if (value !== undefined || !isLeftOut) answeredBy.set(id, name);
		if (value !== undefined)
			fields.push({ id, value: id === 'email' ? readAddress(value) : value });
		if (problem !== undefined) problems.push(problem);
		if (isLeftOut) addNote(notes, 'leftOut', label);
	}
	const field = fields.find(({ id }) => id === 'email');
	const email = field && String(field.value);
	const problemOfEmail = describeNoEmail(email, values, mapping);
	if (problemOfEmail !== undefined) problems.push(problemOfEmail);
	const required = isRegistered ? [] : questions.filter((question) => question.isRequired);
	for (const { id, label } of required) {
		if (!answeredBy.has(id)) addNote(notes, 'unanswered', label);
	}
	const hasUnknownChoice = columns.some(({ answer }) => answer.kind === 'mismatch');
	return { email, fields, notes, hasUnknownChoice, problems };
}

interface AnsweredColumn {
	readonly name: string;
	readonly id: string;
	readonly label: string;
	readonly answer: CleanAnswer;
}

function columnsToSend(
	values: ColumnValues,
	{ questions, explicit, unaskedColumns }: Mapping,
	notes: Notes,
): AnsweredColumn[] {
	const findQuestion = makeQuestionFinder(questions);
	return Object.entries(values).flatMap(([name, value]) => {
		const question = findQuestion(name);
		const answer = cleanAnswer(name, value, question);
		if (answer === undefined) return [];
		// The platform always takes an address, even where a form does not list it.
		const isAsked = question !== undefined || name === 'email' || explicit.has(name);
		const note = isAsked ? undefined : noteOfUnasked[unaskedColumns];
		if (note !== undefined) addNote(notes, note, name);
		if (note === 'ignored' || (note === 'unchecked' && answer.kind === 'object')) return [];
		if ([value].flat().map(text).some(hasDoubledLetters)) addNote(notes, 'doubled', name);
		return [{ name, id: question?.id ?? name, label: question?.label ?? name, answer }];
	});
}

const noteOfUnasked: Readonly<Record<UnaskedColumns, NoteKind | undefined>> = {
	ignore: 'ignored',
	send: undefined,
	sendTexts: 'unchecked',
};

function addNote(notes: Notes, kind: NoteKind, label: string): void {
	(notes[kind] ??= []).push(label);
}

interface Treatment {
	value?: PersonField['value'];
	problem?: string;
	isLeftOut?: boolean;
}

function treatAnswer(answer: CleanAnswer, unknownChoices: UnknownChoices): Treatment {
	switch (answer.kind) {
		case 'fits':
			return { value: answer.value };
		case 'object':
			return { problem: answer.problem };
		case 'misread':
			// The person is not sent, and is shown with what the file says.
			return { value: answer.value, problem: answer.problem };
		case 'mismatch':
			if (unknownChoices === 'refuse') return { problem: answer.mismatch };
			if (unknownChoices === 'send') return { value: answer.value };
			return { value: answer.offered, isLeftOut: true };
	}
}

/** The address without what is around it, which is sent as it is shown and compared; or the text as entered where it is no address. */
function readAddress(value: PersonField['value']): string {
	const entered = String(value).trim();
	const address = cleanAddress(entered);
	return isAddress(address) ? address : entered;
}

/** Undefined where nothing is wrong with the email. */
function describeNoEmail(
	email: string | undefined,
	values: ColumnValues,
	{ isRegistered, columnsOfList }: Mapping,
): string | undefined {
	if (email !== undefined) return isAddress(email) ? undefined : `${describeNoAddress(email)}.`;
	if (isRegistered) return undefined;
	const columns = columnsOfList?.() ?? Object.keys(values);
	return `There is no email. It is the one field that every person needs.${describeColumns([...columns])}`;
}

/** Empty where a column does mean the email. */
function describeColumns(names: readonly string[]): string {
	if (names.length === 0 || names.some(isNameOfEmail)) return '';
	const quotedNames = names.slice(0, mostNamedInMessage).map((name) => `'${quote(name)}'`);
	const more = names.length > mostNamedInMessage ? ' and more' : '';
	const separator = separatorWithin(names);
	if (separator !== undefined) {
		return ` The columns are ${quotedNames.join(', ')}${more}. The file has ${separator} between its columns, and was read with another sign: set 'Delimiter' among the options of 'Extract from File'.`;
	}
	const nearest = names.find(isLikeEmail);
	const advice =
		nearest === undefined
			? "Name the column with the address 'Email'."
			: `Did you mean '${quote(nearest)}'? Name that column 'Email'.`;
	return ` The columns are ${quotedNames.join(', ')}${more}. ${advice}`;
}

/** The header of a file stands in one column, or in few, where the file was read with a sign that does not separate its columns. */
function separatorWithin(names: readonly string[]): string | undefined {
	const separators = [
		[';', 'semicolons'],
		['\t', 'tabs'],
		[',', 'commas'],
	] as const;
	const within = separators.find(([sign]) =>
		names.some((name) => {
			const parts = name.split(sign);
			return parts.length > 1 && parts.some(isNameOfEmail);
		}),
	);
	return within?.[1];
}
