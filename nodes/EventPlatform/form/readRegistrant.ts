import type { IDataObject } from 'n8n-workflow';
import { emailAndAddressOf } from '../core/people/registration';
import type { ItemParameters } from '../fields/itemParameters';
import { readMappedValues } from '../fields/mappedValues';
import { labelOfQuestion, type Question } from './question';
import {
	isUnknownChoices,
	readPersonFields,
	type Mapping,
	type PersonFields,
	type UnaskedColumns,
	type UnknownChoices,
} from './personFields';
import { addFurtherAnswers, readFurtherAnswers } from './furtherAnswers';
import type { Registrant } from './registrant';
import type { FormCache, FormSource, RegistrationForm } from './formCache';
import { questionOfColumn } from './mapperColumns';
import { withAdviceOnce } from './cleanAnswer';
import { readTracking, combineTracking, separateTracking } from './tracking';

/*
 * Reads the registration form of a session, and by it the people that items stand for. Begin here, with the person of one item.
 *
 *   question.ts       a question, whatever list it came from
 *   formCache.ts      reads the form of a session, once in a run, and knows what takes its place
 *   personFields.ts   decides which values are sent, left out, or a problem of the person; registrant.ts: what is kept of it
 *   columnNames.ts    finds the question that a column means by its name
 *   cleanAnswer.ts    cleans one answer, and says where it does not fit its question; cleanText.ts: of signs that nobody has written
 *   furtherAnswers.ts reads the answers that stand beside the columns
 *   tracking.ts       finds the columns that say where a person came from
 *   hints.ts          puts into sentences what was left out or is missing
 *   mapperColumns.ts  makes columns of the editor's mapper of questions, and the other way round
 */

export interface RegistrantSettings {
	/** Then no answer is required again. */
	isRegistered?: boolean;
	/**
	 * The form of the session is read although the columns were mapped, and tells before anything is sent what it does not ask for and
	 * what it requires. That takes a request for each session of a run, unless the run reads the sessions anyway.
	 */
	readsForm?: boolean;
}

/** What tells which answers the values are, and what becomes of the rest. */
interface FormRule {
	/**
	 * `node`: the questions that the node has saved. `nodeByNow`: those, each as the form has it now. `formThenNode`: those of the form,
	 * and then those of the node that it does not ask for, whose answers are sent all the same.
	 */
	readonly questions: 'form' | 'formThenNode' | 'nodeByNow' | 'node';
	/** What becomes of a value that no question takes. */
	readonly rest: UnaskedColumns;
}

/**
 * By the columns of the node, and by the form: that of the session, or of the workspace, whose attributes are not what the session asks
 * for and requires. `none`: the platform shows no form. `unread`: it was not asked for, or cannot be read for the moment.
 */
const formRules = {
	/** Nothing but a form tells what the columns of a whole item are. One that cannot be read for the moment is waited for. */
	wholeItem: {
		session: { questions: 'form', rest: 'ignore' },
		workspace: { questions: 'form', rest: 'ignore' },
		none: { questions: 'form', rest: 'sendTexts' },
	},
	/**
	 * The editor has loaded the columns when the node was set up. By now the session may be another one, or its form may have changed.
	 * Nobody who opens the node sees a value without a column, and the platform would refuse it where no question takes it.
	 */
	ofEditor: {
		session: { questions: 'formThenNode', rest: 'ignore' },
		workspace: { questions: 'nodeByNow', rest: 'ignore' },
		none: { questions: 'node', rest: 'send' },
		unread: { questions: 'node', rest: 'ignore' },
	},
	/** The editor has loaded no columns: the names are IDs that somebody has written, and the platform judges the answers. */
	byHand: {
		session: { questions: 'nodeByNow', rest: 'send' },
		workspace: { questions: 'nodeByNow', rest: 'send' },
		none: { questions: 'node', rest: 'send' },
		unread: { questions: 'node', rest: 'send' },
	},
} as const satisfies Record<string, Partial<Record<FormSource | 'unread', FormRule>>>;

interface ItemValues {
	sessionId: string;
	values: IDataObject;
	mapping: Mapping;
}

interface WholeItem extends ItemValues {
	/** Columns that expressions of the node read, so that no hint calls them ignored. */
	usedColumns: ReadonlySet<string>;
}

interface MappedItem extends ItemValues {
	columns: Exclude<keyof typeof formRules, 'wholeItem'>;
	savedQuestions: readonly Question[];
	/** Lists for questions that are not saved: only a form can say that a question takes several answers. */
	unsavedLists: readonly string[];
}

interface Understanding {
	person: PersonFields;
	questions?: readonly Question[];
	tracking?: Readonly<Record<string, string>>;
	/** The reason why the form of the session is not known, where that may change a moment later. */
	unreadForm?: string;
}

/**
 * Reads the person that one item stands for. Throws where a parameter cannot be meant, or where the form that whole items need
 * cannot be read for the moment.
 */
export async function readRegistrant(
	forms: FormCache,
	parameters: ItemParameters,
	{ isRegistered = false, readsForm = false }: RegistrantSettings = {},
): Promise<Registrant> {
	const sessionId = parameters.id('sessionId');
	const { values: mappedValues, columns } = readMappedValues(parameters);
	const furtherAnswers = readFurtherAnswers(parameters);
	const unknownChoices = readUnknownChoices(parameters);
	const values = addFurtherAnswers(mappedValues, furtherAnswers.answers);
	const explicit = new Set(Object.keys(furtherAnswers.answers));
	const mapping: Mapping = { unaskedColumns: 'send', explicit, unknownChoices, isRegistered };
	const item: ItemValues = { sessionId, values, mapping };
	const understanding = columns
		? await understandMapped(forms, mappedItem(item, forms.savedQuestions(columns)), readsForm)
		: await understandWhole(forms, {
				...item,
				mapping: { ...mapping, columnsOfList: () => parameters.columnsOfItems },
				usedColumns: parameters.columnsInExpressions,
			});
	const { person, questions, unreadForm, tracking: trackingOfColumns } = understanding;
	const trackingOfNode = readTracking(parameters);
	return {
		sessionId,
		...emailAndAddressOf(person.email),
		questions,
		registration: {
			fields: person.fields,
			tracking: combineTracking(trackingOfNode.tracking, trackingOfColumns),
		},
		problems: withAdviceOnce([
			...furtherAnswers.problems,
			...person.problems,
			...trackingOfNode.problems,
		]),
		notes: person.notes,
		unreadForm,
	};
}

/** A column that the form does not know may have the name of an attribute. */
async function understandWhole(forms: FormCache, item: WholeItem): Promise<Understanding> {
	const form = await forms.read(item.sessionId);
	const understanding = understandByForm(form, item);
	if (form.hasAttributeNames || !understanding.person.notes.ignored?.length) return understanding;
	return understandByForm(await forms.readWithAttributeNames(item.sessionId), item);
}

function understandByForm(
	{ source, questions }: RegistrationForm,
	{ values, mapping, usedColumns }: WholeItem,
): Understanding {
	const unaskedColumns = formRules.wholeItem[source].rest;
	const { explicit } = mapping;
	const { answers, tracking, contradicting, problems } = separateTracking(
		values,
		questions,
		explicit,
	);
	const person = readPersonFields(answers, { ...mapping, questions, unaskedColumns });
	const ignored = person.notes.ignored?.filter((name) => !usedColumns.has(name));
	const understood: PersonFields = {
		...person,
		notes: {
			...person.notes,
			ignored,
			contradicting: contradicting.length > 0 ? contradicting : undefined,
		},
		problems: [...person.problems, ...problems],
	};
	return { person: understood, questions, tracking };
}

function mappedItem(item: ItemValues, questions: readonly Question[]): MappedItem {
	const { values, mapping } = item;
	const columns = questions.length > 0 ? 'ofEditor' : 'byHand';
	const unsavedLists = Object.entries(values).flatMap(([name, value]) => {
		const isSent = columns === 'byHand' || mapping.explicit.has(name);
		const isSaved = questions.some(({ id }) => id === name);
		return Array.isArray(value) && value.length > 0 && isSent && !isSaved ? name : [];
	});
	// All rows share the saved questions, because a run keeps them with each person.
	const savedQuestions =
		unsavedLists.length === 0
			? questions
			: [...questions, ...unsavedLists.map((id) => questionOfColumn({ id }))];
	return { ...item, columns, savedQuestions, unsavedLists };
}

/**
 * The form is read where the run checks it, and for an answer that is not among the saved choices or a list without a saved question.
 * Otherwise the platform judges the answers, and nothing is asked.
 */
async function understandMapped(
	forms: FormCache,
	item: MappedItem,
	readsForm: boolean,
): Promise<Understanding> {
	const { sessionId, columns, unsavedLists } = item;
	const checksForm = readsForm && columns === 'ofEditor';
	if (checksForm || unsavedLists.length > 0) {
		const reading = await forms.readIfPossible(sessionId);
		if (reading.kind === 'unreadable')
			return { ...understandBy(item), unreadForm: reading.problem };
		const understanding = understandBy(item, reading.form);
		return checksForm ? withSurplus(understanding, reading.form) : understanding;
	}
	const understanding = understandBy(item);
	if (!understanding.person.hasUnknownChoice) return understanding;
	// Without the form, an answer that it offers by now would be refused or left out.
	return understandBy(item, await forms.read(sessionId));
}

function understandBy(item: MappedItem, form?: RegistrationForm): Understanding {
	const { columns, values, mapping, savedQuestions } = item;
	const rule: FormRule = formRules[columns][form?.source ?? 'unread'];
	const questions = questionsBy(rule, savedQuestions, form?.questions ?? []);
	if (questions.length === 0) return { person: readPersonFields(values, mapping) };
	const unaskedColumns = rule.rest;
	return { person: readPersonFields(values, { ...mapping, questions, unaskedColumns }), questions };
}

function questionsBy(
	rule: FormRule,
	ofNode: readonly Question[],
	ofForm: readonly Question[],
): readonly Question[] {
	if (rule.questions === 'node') return ofNode;
	const current = new Map(ofForm.map((question) => [question.id, question]));
	if (rule.questions === 'nodeByNow')
		return ofNode.map((question) => current.get(question.id) ?? question);
	const surplus = ofNode.filter(({ id }) => !current.has(id));
	return [...ofForm, ...surplus.map((question) => ({ ...question, isRequired: false }))];
}

function withSurplus(understanding: Understanding, form: RegistrationForm): Understanding {
	if (form.source !== 'session') return understanding;
	const { person, questions } = understanding;
	const idsOfForm = new Set(form.questions.map(({ id }) => id));
	const unaskedFields = person.fields.filter(({ id }) => !idsOfForm.has(id));
	const surplus = unaskedFields.map(({ id }) => labelOfQuestion(id, questions));
	return { ...understanding, person: { ...person, notes: { ...person.notes, surplus } } };
}

function readUnknownChoices(parameters: ItemParameters): UnknownChoices {
	const { unknownChoices = 'refuse' } = parameters.chosen('options');
	if (isUnknownChoices(unknownChoices)) return unknownChoices;
	throw parameters.parameterError(
		"'Unknown Choices' is none of its values",
		'Give refuse, leaveOut or send. Nothing was sent.',
	);
}
