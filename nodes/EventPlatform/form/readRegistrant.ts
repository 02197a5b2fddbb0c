import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { addressedBy } from '../core/people/registration';
import { isObject } from '../core/values/json';
import { text } from '../core/values/text';
import type { ItemParameters } from '../fields/itemParameters';
import { labelOfQuestion, type Question } from './question';
import {
	isUnknownChoices,
	personFields,
	type Mapping,
	type PersonFields,
	type UnknownChoices,
} from './personFields';
import { cleanAnswer } from './cleanAnswer';
import { keepTexts, keepNotes, type Registrant } from './registrant';
import type { FormCache, RegistrationForm } from './formCache';
import { readTracking, withColumns, withoutTracking } from './tracking';

/* The person that one item stands for. */

export interface RegistrantSettings {
	/** The person is registered already, so that no answer is required again. */
	isRegistered?: boolean;
	/**
	 * Whether the form of the session is read although the columns were mapped by hand: one request for each session of a run,
	 * which tells before anything is sent what the form does not ask for and what it requires.
	 */
	needsForm?: boolean;
}

/** The values that were mapped for one item, and how they are understood. */
interface Mapped {
	sessionId: string;
	values: IDataObject;
	mapping: Mapping;
	/** Columns that expressions of the node read, so that they serve although no question takes them. */
	usedColumns: ReadonlySet<string>;
}

/** How the values of an item were understood. */
interface Understood {
	person: PersonFields;
	questions?: readonly Question[];
	/** What columns of whole items say of where the person came from. */
	tracking?: Readonly<Record<string, string>>;
	/** Why the form of the session is not known, where that may be otherwise a moment later. */
	unreadForm?: string;
}

/** Throws where a parameter cannot be meant, or where the form that whole items need cannot be read for the moment. */
export async function readRegistrant(
	forms: FormCache,
	parameters: ItemParameters,
	{ isRegistered = false, needsForm = false }: RegistrantSettings = {},
): Promise<Registrant> {
	const sessionId = parameters.id('sessionId');
	const { values: mappedValues, savedColumns } = parameters.mapped();
	const further = readFurtherAnswers(parameters);
	const unknownChoices = unknownChoicesOf(parameters);
	const values = { ...mappedValues, ...further.answers };
	const explicit = new Set(Object.keys(further.answers));
	const mapping: Mapping = { others: 'send', explicit, unknownChoices, isRegistered };
	const usedColumns = parameters.columnsInExpressions;
	const mapped: Mapped = { sessionId, values, mapping, usedColumns };
	const {
		person,
		questions,
		unreadForm,
		tracking: ofColumns,
	} = savedColumns
		? await mappedByHand(forms, mapped, savedColumns, needsForm)
		: await mappedAsWhole(forms, mapped);
	const ofNode = readTracking(parameters);
	return {
		sessionId,
		...addressedBy(person.email),
		questions,
		registration: {
			fields: [...person.fields],
			tracking: withColumns(ofNode.tracking, ofColumns),
		},
		problems: keepTexts([...further.problems, ...person.problems, ...ofNode.problems]),
		notes: keepNotes(person.notes),
		unreadForm,
	};
}

/** Nothing but the form tells what the columns of a whole item are. Where there is none, all are sent. */
async function mappedAsWhole(
	forms: FormCache,
	{ sessionId, values, mapping, usedColumns }: Mapped,
): Promise<Understood> {
	const { source, questions } = await forms.read(sessionId);
	const others = source === 'none' ? 'sendTexts' : 'ignore';
	const { answers, tracking } = withoutTracking(values, questions, mapping.explicit);
	const person = personFields(answers, { ...mapping, questions, others });
	const ignored = person.notes.ignored.filter((name) => !usedColumns.has(name));
	return { person: { ...person, notes: { ...person.notes, ignored } }, questions, tracking };
}

/**
 * The columns are those that the editor loaded when the node was set up. The session may be another one by now, or its form
 * may have changed: the form tells where it is read anyway, or where an answer is not among the choices that were saved.
 */
async function mappedByHand(
	forms: FormCache,
	{ sessionId, values, mapping }: Mapped,
	savedColumns: ResourceMapperField[],
	needsForm: boolean,
): Promise<Understood> {
	const saved = forms.savedQuestions(savedColumns);
	// Where the editor loaded no columns, the names are the IDs that somebody wrote: the platform judges them.
	if (saved.length === 0) return { person: personFields(values, mapping) };
	const understood = (form?: RegistrationForm): Understood => {
		const questions = form ? questionsByNow(saved, form) : saved;
		// A value without a column is not seen by anybody who opens the node, and would be refused where no question takes it.
		const others = form?.source === 'none' ? 'send' : 'ignore';
		return { person: personFields(values, { ...mapping, questions, others }), questions };
	};
	if (needsForm) {
		const reading = await forms.readIfPossible(sessionId);
		if (reading.kind === 'unreadable') return { ...understood(), unreadForm: reading.problem };
		return withSurplus(understood(reading.form), reading.form);
	}
	const bySaved = understood();
	if (!bySaved.person.hasUnknownChoice) return bySaved;
	return understood(await forms.read(sessionId));
}

/** The questions of the session, and the columns that it does not ask for, whose answers are sent all the same. */
function questionsByNow(
	saved: readonly Question[],
	{ source, questions }: RegistrationForm,
): readonly Question[] {
	if (source === 'none') return saved;
	const byNow = new Map(questions.map((question) => [question.id, question]));
	// The attributes of the workspace are not what this session asks for and requires.
	if (source === 'workspace') return saved.map((question) => byNow.get(question.id) ?? question);
	const others = saved.filter(({ id }) => !byNow.has(id));
	return [...questions, ...others.map((question) => ({ ...question, required: false }))];
}

/** Notes the answers that the form of the session does not ask for. */
function withSurplus(byForm: Understood, form: RegistrationForm): Understood {
	if (form.source !== 'session') return byForm;
	const { person, questions } = byForm;
	const asked = new Set(form.questions.map(({ id }) => id));
	const others = person.fields.filter(({ id }) => !asked.has(id));
	const surplus = others.map(({ id }) => labelOfQuestion(id, questions));
	return { ...byForm, person: { ...person, notes: { ...person.notes, surplus } } };
}

function unknownChoicesOf(parameters: ItemParameters): UnknownChoices {
	const { unknownChoices = 'refuse' } = parameters.chosen('options');
	if (isUnknownChoices(unknownChoices)) return unknownChoices;
	throw parameters.parameterError(
		"'Unknown Choices' is none of its values",
		'Give refuse, leaveOut or send. Nothing was sent.',
	);
}

/** Answers by the ID of their question, beside the columns of the mapper. */
interface FurtherAnswers {
	answers: IDataObject;
	/** Why one of them cannot be sent, in words for people. */
	problems: string[];
}

function readFurtherAnswers(parameters: ItemParameters): FurtherAnswers {
	const { furtherAnswers: further } = parameters.chosen('additionalFields');
	const rows = isObject(further) ? [further.answer ?? []].flat().filter(isObject) : [];
	const answers: Array<[id: string, value: IDataObject[string]]> = [];
	const problems: string[] = [];
	for (const { id, value } of rows) {
		const name = text(id).trim();
		if (name !== '') answers.push([name, value]);
		else if (cleanAnswer('', value) !== undefined) {
			problems.push("One of the 'Further Answers' has no question ID.");
		}
	}
	return { answers: Object.fromEntries(answers), problems };
}
