import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { isObject } from '../core/values/json';
import { text } from '../core/values/text';
import { titleCase, snakeCase } from '../fields/fieldNames';
import type { ItemParameters } from '../fields/itemParameters';
import type { Registration } from '../core/people/registration';
import { finder, isSameName, labelOf, type FormField } from './formField';
import {
	cleanAnswer,
	isUnknownChoices,
	personFields,
	type Mapping,
	type NotedColumns,
	type PersonFields,
	type Registrant,
	type UnknownChoices,
} from './personFields';
import type { FormCache, RegistrationForm } from './formCache';

/* The person that one item stands for. */

export interface RegistrantSettings {
	/** The person is registered already, so that no answer is required again. */
	isKnown?: boolean;
	/**
	 * Whether the form of the session is read although the columns were mapped by hand: one request for each session of a run,
	 * which tells before anything is sent what the form does not ask for and what it requires.
	 */
	readsForm?: boolean;
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
	questions?: readonly FormField[];
	/** What columns of whole items say of where the person came from. */
	tracking?: Readonly<Record<string, string>>;
	/** Why the form of the session is not known, where that may be otherwise a moment later. */
	unreadForm?: string;
}

/** Throws where a parameter cannot be meant, or where the form that whole items need cannot be read for the moment. */
export async function readRegistrant(
	forms: FormCache,
	parameters: ItemParameters,
	{ isKnown = false, readsForm = false }: RegistrantSettings = {},
): Promise<Registrant> {
	const sessionId = parameters.id('sessionId');
	const { values: given, columns } = parameters.mapped();
	const problems: string[] = [];
	const further = furtherAnswers(parameters, problems);
	const unknownChoices = unknownChoicesOf(parameters);
	const values = { ...given, ...further };
	const explicit = new Set(Object.keys(further));
	const mapping: Mapping = { others: 'send', explicit, unknownChoices, isKnown };
	const usedColumns = parameters.columnsInExpressions;
	const mapped: Mapped = { sessionId, values, mapping, usedColumns };
	const {
		person,
		questions,
		unreadForm,
		tracking: ofColumns,
	} = columns
		? await mappedByHand(forms, mapped, columns, readsForm)
		: await mappedAsWhole(forms, mapped);
	problems.push(...person.problems);
	const tracking = withColumns(readTracking(parameters, problems), ofColumns);
	return {
		sessionId,
		email: person.email,
		questions,
		registration: { fields: [...person.fields], tracking },
		problems: spare(problems),
		columns: spareColumns(person.columns),
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
	const ignored = person.columns.ignored.filter((name) => !usedColumns.has(name));
	return { person: { ...person, columns: { ...person.columns, ignored } }, questions, tracking };
}

/** The names that section 2.2 gives to where a person came from. */
const trackingNames = [
	'referrer',
	'utm_source',
	'utm_medium',
	'utm_campaign',
	'utm_term',
	'utm_content',
];

/** Takes the columns out that say where a person came from, unless the form has a question for them. */
function withoutTracking(
	values: IDataObject,
	questions: readonly FormField[],
	explicit: ReadonlySet<string>,
): { answers: IDataObject; tracking: Record<string, string> } {
	const tracking: Record<string, string> = {};
	const columns = Object.keys(values).filter((name) => isLikeTracking.test(name));
	if (columns.length === 0) return { answers: values, tracking };
	const find = finder(questions);
	const answers = { ...values };
	for (const name of columns) {
		const key = trackingNames.find((one) => isSameName(one, name));
		if (key === undefined || explicit.has(name) || find(name) !== undefined) continue;
		const answer = cleanAnswer(name, values[name]);
		// An object is told like that of any other column.
		if (answer !== undefined && 'problem' in answer) continue;
		delete answers[name];
		if (answer !== undefined) tracking[key] ??= [answer.value].flat().join(', ').trim();
	}
	return { answers, tracking };
}

/** Most columns are no such thing, and a list has many rows. */
const isLikeTracking = /utm|referrer/i;

/** What the node gives goes before what the columns of the item say. */
function withColumns(
	given: Registration['tracking'],
	ofColumns: Readonly<Record<string, string>> = {},
): Registration['tracking'] {
	return Object.keys(ofColumns).length === 0 ? given : { ...ofColumns, ...given };
}

/**
 * The columns are those that the editor loaded when the node was set up. The session may be another one by now, or its form
 * may have changed: the form tells where it is read anyway, or where an answer is not among the choices that were saved.
 */
async function mappedByHand(
	forms: FormCache,
	{ sessionId, values, mapping }: Mapped,
	columns: ResourceMapperField[],
	readsForm: boolean,
): Promise<Understood> {
	const saved = forms.savedQuestions(columns);
	// Where the editor loaded no columns, the names are the IDs that somebody wrote: the platform judges them.
	if (saved.length === 0) return { person: personFields(values, mapping) };
	const understood = (form?: RegistrationForm): Understood => {
		const questions = form ? questionsByNow(saved, form) : saved;
		// A value without a column is not seen by anybody who opens the node, and would be refused where no question takes it.
		const others = form?.source === 'none' ? 'send' : 'ignore';
		return { person: personFields(values, { ...mapping, questions, others }), questions };
	};
	if (readsForm) {
		const reading = await forms.readIfPossible(sessionId);
		if (reading.kind === 'unreadable') return { ...understood(), unreadForm: reading.problem };
		const found = understood(reading.form);
		noteUnasked(found, reading.form);
		return found;
	}
	const found = understood();
	if (!found.person.hasUnknownChoice) return found;
	return understood(await forms.read(sessionId));
}

/** The questions of the session, and the columns that it does not ask for, whose answers are sent all the same. */
function questionsByNow(
	saved: readonly FormField[],
	{ source, questions }: RegistrationForm,
): readonly FormField[] {
	if (source === 'none') return saved;
	const byNow = new Map(questions.map((one) => [one.id, one]));
	// The attributes of the workspace are not what this session asks for and requires.
	if (source === 'workspace') return saved.map((one) => byNow.get(one.id) ?? one);
	const others = saved.filter(({ id }) => !byNow.has(id));
	return [...questions, ...others.map((one) => ({ ...one, required: false }))];
}

function noteUnasked({ person, questions = [] }: Understood, form: RegistrationForm): void {
	if (form.source !== 'session') return;
	const asked = new Set(form.questions.map(({ id }) => id));
	const unasked = person.fields.filter(({ id }) => !asked.has(id));
	person.columns.unasked.push(...unasked.map(({ id }) => labelOf(id, questions)));
}

function unknownChoicesOf(parameters: ItemParameters): UnknownChoices {
	const { unknownChoices = 'refuse' } = parameters.chosen('options');
	if (isUnknownChoices(unknownChoices)) return unknownChoices;
	throw parameters.refusal(
		"'Unknown Choices' is none of its values",
		'Give refuse, leaveOut or send. Nothing was sent.',
	);
}

/** Answers by the ID of their question, beside the columns of the mapper. */
function furtherAnswers(parameters: ItemParameters, problems: string[]): IDataObject {
	const { furtherAnswers: further } = parameters.chosen('additionalFields');
	const rows = isObject(further) ? [further.answer ?? []].flat().filter(isObject) : [];
	const answers: Array<[id: string, value: IDataObject[string]]> = [];
	for (const { id, value } of rows) {
		const name = text(id).trim();
		if (name !== '') answers.push([name, value]);
		else if (cleanAnswer('', value) !== undefined) {
			problems.push("One of the 'Further Answers' has no question ID.");
		}
	}
	return Object.fromEntries(answers);
}

function readTracking(parameters: ItemParameters, problems: string[]): Record<string, string> {
	const tracking: Record<string, string> = {};
	for (const [name, given] of Object.entries(parameters.chosen('additionalFields'))) {
		if (name === 'furtherAnswers') continue;
		const key = snakeCase(name);
		const found = cleanAnswer(titleCase(key), given);
		if (found === undefined) continue;
		if ('problem' in found) problems.push(found.problem);
		else tracking[key] = [found.value].flat().join(', ').trim();
	}
	return Object.keys(tracking).length > 0 ? tracking : none.tracking;
}

// A run holds each person. A list that grew by itself has room for 17, and most have nothing of this.
const none = { texts: [], tracking: {} };
const spare = (texts: string[]) => (texts.length > 0 ? [...texts] : none.texts);
const noColumns: NotedColumns = {
	ignored: none.texts,
	unchecked: none.texts,
	objects: none.texts,
	unasked: none.texts,
	leftOut: none.texts,
	unanswered: none.texts,
};

function spareColumns(columns: PersonFields['columns']): NotedColumns {
	const noted = Object.entries(columns).filter(([, names]) => names.length > 0);
	if (noted.length === 0) return noColumns;
	return { ...noColumns, ...Object.fromEntries(noted.map(([kind, names]) => [kind, [...names]])) };
}

/** Somebody of whom nothing could be read. */
export function nobody(problem: string): Registrant {
	const wanted = { fields: [], tracking: none.tracking };
	return { sessionId: '', registration: wanted, problems: [problem], columns: noColumns };
}
