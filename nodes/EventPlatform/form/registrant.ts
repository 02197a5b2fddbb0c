import type { IDataObject, ResourceMapperField } from 'n8n-workflow';
import { failureText } from '../core/failures/messages';
import { meaningOf } from '../core/failures/meaning';
import { asFailure, Failure } from '../core/client/failure';
import { isObject } from '../core/values/json';
import { text } from '../core/values/text';
import type { Api } from '../core/client/request';
import { snakeCase, titleCase } from '../fields/field';
import type { Read } from '../fields/read';
import { labelOf, question, type FormField } from './formField';
import { notesBeforeSending } from './formNotes';
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
import { registrationForm, type RegistrationForm } from './registrationForm';

/* The person that one item stands for. */

export interface RegistrantSettings {
	/** Of somebody who is registered already nothing has to be given again. */
	isKnown?: boolean;
	/**
	 * Whether the form of the session is read although the columns were mapped by hand: one request for each session of a run,
	 * which tells before anything is sent what the form does not ask for and what it requires.
	 */
	readsForm?: boolean;
}

/** What was mapped for one item, and how it is understood. */
interface Mapped {
	sessionId: string;
	values: IDataObject;
	mapping: Mapping;
}

/** How the values of an item were understood. */
interface Understood {
	person: PersonFields;
	questions?: readonly FormField[];
	/** Why the form of the session is not known, where that may be otherwise a moment later. */
	unreadForm?: string;
}

/** Throws where a parameter cannot be meant, or where the form that whole items need cannot be read for the moment. */
export async function registrantOf(
	api: Api,
	read: Read,
	{ isKnown = false, readsForm = false }: RegistrantSettings = {},
): Promise<Registrant> {
	const sessionId = read.id('sessionId');
	const { values: given, columns } = read.mapped();
	const problems: string[] = [];
	const further = furtherAnswers(read, problems);
	const unknownChoices = unknownChoicesOf(read);
	const values = { ...given, ...further };
	const explicit = new Set(Object.keys(further));
	const mapping: Mapping = { others: 'send', explicit, unknownChoices, isKnown };
	const mapped: Mapped = { sessionId, values, mapping };
	const { person, questions, unreadForm } = columns
		? await mappedByHand(api, mapped, columns, readsForm)
		: await mappedAsWhole(api, mapped);
	problems.push(...person.problems);
	const tracking = readTracking(read, problems);
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
	api: Api,
	{ sessionId, values, mapping }: Mapped,
): Promise<Understood> {
	const { source, questions } = await registrationForm(api, sessionId);
	const others = source === 'none' ? 'sendTexts' : 'ignore';
	return { person: personFields(values, { ...mapping, questions, others }), questions };
}

/**
 * The columns are those that the editor loaded when the node was set up. The session may be another one by now, or its form
 * may have changed: the form tells where it is read anyway, or where an answer is not among the choices that were saved.
 */
async function mappedByHand(
	api: Api,
	{ sessionId, values, mapping }: Mapped,
	columns: ResourceMapperField[],
	readsForm: boolean,
): Promise<Understood> {
	const saved = savedForm(columns);
	// Where the editor loaded no columns, the names are the IDs that somebody wrote: the platform judges them.
	if (!saved) return { person: personFields(values, mapping) };
	const understood = (form?: RegistrationForm): Understood => {
		const questions = form ? questionsByNow(saved, form) : saved;
		// A value without a column is not seen by anybody who opens the node, and would be refused where no question takes it.
		const others = form?.source === 'none' ? 'send' : 'ignore';
		return { person: personFields(values, { ...mapping, questions, others }), questions };
	};
	if (readsForm) {
		const { form, failure } = await formIfReadable(api, sessionId);
		const found = understood(form);
		if (form) noteUnasked(found, form);
		return { ...found, unreadForm: failure };
	}
	const found = understood();
	if (!found.person.hasUnknownChoice) return found;
	return understood(await registrationForm(api, sessionId));
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

/** The form of a session, or why it is not known. */
interface FormRead {
	form?: RegistrationForm;
	failure?: string;
}

/** Each run has an api of its own: the first failure that is told ends the reading of forms that a run can do without. */
const unreadable = new WeakMap<Api, string>();

async function formIfReadable(api: Api, sessionId: string): Promise<FormRead> {
	const known = unreadable.get(api);
	if (known !== undefined) return { failure: known };
	const form = await registrationForm(api, sessionId).catch(asFailure);
	if (!(form instanceof Failure)) return { form };
	const failure = failureText(form, { what: 'the session', scope: 'events' }).title;
	// A session that cannot be read is no reason to do without the forms of the others.
	if (meaningOf(form).ends !== 'session') unreadable.set(api, failure);
	return { failure };
}

/** One for all items, whose columns are the same. */
const savedForms = new WeakMap<readonly ResourceMapperField[], FormField[]>();

function savedForm(columns: readonly ResourceMapperField[]): FormField[] | undefined {
	const form = savedForms.get(columns) ?? columns.map(question);
	savedForms.set(columns, form);
	return form.length > 0 ? form : undefined;
}

function unknownChoicesOf(read: Read): UnknownChoices {
	const { unknownChoices = 'refuse' } = read.chosen('options');
	if (isUnknownChoices(unknownChoices)) return unknownChoices;
	throw read.refusal(
		"'Unknown Choices' is none of its values",
		'Give refuse, leaveOut or send. Nothing was sent.',
	);
}

/** Answers by the ID of their question, beside the columns of the mapper. */
function furtherAnswers(read: Read, problems: string[]): IDataObject {
	const { furtherAnswers: further } = read.chosen('additionalFields');
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

function readTracking(read: Read, problems: string[]): Record<string, string> {
	const tracking: Record<string, string> = {};
	for (const [name, given] of Object.entries(read.chosen('additionalFields'))) {
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

/** The person of one item: what a hint has to say is said, and what cannot be sent is refused. */
export async function readOne(
	{ api, read, hint }: { api: Api; read: Read; hint: (message: string) => void },
	consequence: string,
	isKnown = false,
): Promise<Registrant> {
	const person = await registrantOf(api, read, { isKnown });
	notesBeforeSending([person]).forEach(hint);
	if (person.problems.length === 0) return person;
	const [cause = '', ...more] = person.problems;
	throw read.refusal(cause.replace(/\.$/, ''), [...more, consequence].join(' '));
}
