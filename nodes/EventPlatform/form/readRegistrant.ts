import type { IDataObject } from 'n8n-workflow';
import { emailAndAddressOf } from '../core/people/registration';
import type { ItemParameters } from '../fields/itemParameters';
import { readMappedValues, type MapperColumns } from '../fields/mappedValues';
import { isNamedQuestion, labelOfQuestion, type Question } from './question';
import {
	isUnknownChoices,
	readPersonFields,
	type Mapping,
	type PersonFields,
	type UnknownChoices,
} from './personFields';
import { addFurtherAnswers, readFurtherAnswers } from './furtherAnswers';
import type { Registrant } from './registrant';
import type { FormCache, RegistrationForm } from './formCache';
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
 *   hints.ts          puts into sentences what was left out, is missing or was not kept
 *   mapperColumns.ts  makes columns of the editor's mapper of questions, and the other way round
 */

export interface RegistrantSettings {
	/** Then no answer is required again. */
	isRegistered?: boolean;
	/**
	 * When the form of the session is read although the columns were mapped by hand. It takes a request for each session of a run,
	 * and tells before anything is sent what the form does not ask for and what it requires. `beyondNamed`: where the editor has
	 * loaded more columns than the three that every session has.
	 */
	readsForm?: 'beyondNamed' | 'always';
}

interface MappedItem {
	sessionId: string;
	values: IDataObject;
	mapping: Mapping;
	/** Columns that expressions of the node read, so that no hint calls them ignored. */
	usedColumns: ReadonlySet<string>;
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
	{ isRegistered = false, readsForm }: RegistrantSettings = {},
): Promise<Registrant> {
	const sessionId = parameters.id('sessionId');
	const { values: mappedValues, columns } = readMappedValues(parameters);
	const furtherAnswers = readFurtherAnswers(parameters);
	const unknownChoices = readUnknownChoices(parameters);
	const values = addFurtherAnswers(mappedValues, furtherAnswers.answers);
	const explicit = new Set(Object.keys(furtherAnswers.answers));
	const mapping: Mapping = { unaskedColumns: 'send', explicit, unknownChoices, isRegistered };
	const usedColumns = parameters.columnsInExpressions;
	const columnsOfList = () => parameters.columnsOfItems;
	const mapped: MappedItem = { sessionId, values, mapping, usedColumns };
	const {
		person,
		questions,
		unreadForm,
		tracking: trackingOfColumns,
	} = columns
		? await understandColumns(forms, mapped, columns, readsForm)
		: await understandWholeItem(forms, { ...mapped, mapping: { ...mapping, columnsOfList } });
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

/**
 * Understands a whole item by the form, because nothing else tells what its columns are. Without a form all columns are sent. A column
 * that the form does not know may have the name of an attribute.
 */
async function understandWholeItem(forms: FormCache, item: MappedItem): Promise<Understanding> {
	const form = await forms.read(item.sessionId);
	const understanding = understandByForm(form, item);
	if (form.hasAttributeNames || !understanding.person.notes.ignored?.length) return understanding;
	return understandByForm(await forms.readWithAttributeNames(item.sessionId), item);
}

function understandByForm(
	{ source, questions }: RegistrationForm,
	{ values, mapping, usedColumns }: MappedItem,
): Understanding {
	const unaskedColumns = source === 'none' ? 'sendTexts' : 'ignore';
	const { answers, tracking, problems } = separateTracking(values, questions, mapping.explicit);
	const person = readPersonFields(answers, { ...mapping, questions, unaskedColumns });
	const ignored = person.notes.ignored?.filter((name) => !usedColumns.has(name));
	const understood: PersonFields = {
		...person,
		notes: { ...person.notes, ignored },
		problems: [...person.problems, ...problems],
	};
	return { person: understood, questions, tracking };
}

/**
 * Understands values that were mapped by hand, by the columns that the editor loaded when the node was set up. By now the
 * session may be another one, or its form may have changed. The form tells where it is read anyway. Otherwise it is read only
 * where an answer is not among the choices that were saved, or is a list for a question that was not: only a form can say that a
 * question takes several answers. Where the editor loaded no columns, the names are IDs that were written by hand, and the platform
 * judges the answers.
 */
async function understandColumns(
	forms: FormCache,
	{ sessionId, values, mapping }: MappedItem,
	columns: MapperColumns,
	readsForm: RegistrantSettings['readsForm'],
): Promise<Understanding> {
	const savedQuestions = forms.savedQuestions(columns);
	const isByForm = savedQuestions.length > 0;
	const isUnsavedList = (name: string) => {
		const value = values[name];
		const isSaved = savedQuestions.some(({ id }) => id === name);
		const isSent = !isByForm || mapping.explicit.has(name);
		return Array.isArray(value) && value.length > 0 && isSent && !isSaved;
	};
	const hasFurtherColumns = savedQuestions.some((question) => !isNamedQuestion(question));
	const needsForm =
		readsForm === 'always' ? isByForm : readsForm === 'beyondNamed' && hasFurtherColumns;
	const unsavedLists = Object.keys(values).filter(isUnsavedList);
	// All rows share the saved questions, because a run keeps them with each person.
	const questionsOfNode =
		unsavedLists.length === 0
			? savedQuestions
			: [...savedQuestions, ...unsavedLists.map((id) => questionOfColumn({ id }))];
	const understandBy = (form?: RegistrationForm): Understanding => {
		const questions = form ? questionsByNow(questionsOfNode, form, isByForm) : questionsOfNode;
		if (questions.length === 0) return { person: readPersonFields(values, mapping) };
		// Nobody who opens the node sees a value without a column, and the platform would refuse it where no question takes it.
		const unaskedColumns = isByForm && form?.source !== 'none' ? 'ignore' : 'send';
		const person = readPersonFields(values, { ...mapping, questions, unaskedColumns });
		return { person, questions };
	};
	if (needsForm || unsavedLists.length > 0) {
		const reading = await forms.readIfPossible(sessionId);
		if (reading.kind === 'unreadable') return { ...understandBy(), unreadForm: reading.problem };
		const understanding = understandBy(reading.form);
		return needsForm ? withSurplus(understanding, reading.form) : understanding;
	}
	const bySavedQuestions = understandBy();
	if (!bySavedQuestions.person.hasUnknownChoice) return bySavedQuestions;
	return understandBy(await forms.read(sessionId));
}

/** Questions that the session does not ask for come last; their answers are sent all the same. */
function questionsByNow(
	questionsOfNode: readonly Question[],
	{ source, questions }: RegistrationForm,
	isByForm: boolean,
): readonly Question[] {
	if (source === 'none') return questionsOfNode;
	const currentQuestions = new Map(questions.map((question) => [question.id, question]));
	// The attributes of the workspace are not what this session asks for and requires.
	if (source === 'workspace' || !isByForm) {
		return questionsOfNode.map((question) => currentQuestions.get(question.id) ?? question);
	}
	const surplus = questionsOfNode.filter(({ id }) => !currentQuestions.has(id));
	return [...questions, ...surplus.map((question) => ({ ...question, isRequired: false }))];
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
