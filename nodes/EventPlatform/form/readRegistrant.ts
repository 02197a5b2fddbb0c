import type { IDataObject } from 'n8n-workflow';
import { normalizeId } from '../core/client/path';
import { emailAndAddressOf } from '../core/people/registration';
import type { ItemParameters } from '../fields/itemParameters';
import { readMappedValues } from '../fields/mappedValues';
import type { Question } from './question';
import { readPersonFields, type Mapping, type PersonFields } from './personFields';
import { addFurtherAnswers, readFurtherAnswers } from './furtherAnswers';
import { formNeedOf, formRules, questionsBy, type Columns } from './formRules';
import type { Notes, Registrant } from './registrant';
import type { FormCache, RegistrationForm } from './formCache';
import { questionOfColumn, questionsOfColumns } from './mapperColumns';
import { withAdviceOnce } from './cleanAnswer';
import { readTracking, combineTracking, separateTracking } from './tracking';

/*
 * Reads the registration form of a session, and by it the people that items stand for. Begin here, with the person of one item.
 *
 *   question.ts       a question, whatever list it came from
 *   formRules.ts      decides when the form of a session is read, and which questions the columns of the node answer
 *   formCache.ts      the requests for a form, which is read once in a run, and what takes its place
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
	checksForms?: boolean;
}

/** An item of the input, read by the settings of the node. */
interface Item {
	sessionId: string;
	columns: Columns;
	values: IDataObject;
	mapping: Omit<Mapping, 'questions' | 'unaskedColumns'>;
	/** Of columns that are mapped; a whole item has none. */
	savedQuestions: readonly Question[];
	/** Lists for questions that are not saved. */
	unsavedLists: readonly string[];
	/** Columns that expressions of the node read, so that no hint calls them ignored. */
	usedColumns: ReadonlySet<string>;
	/** Of the answers that stand beside the columns. */
	problems: readonly string[];
}

interface Understanding {
	person: PersonFields;
	questions: readonly Question[];
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
	{ isRegistered = false, checksForms = false }: RegistrantSettings = {},
): Promise<Registrant> {
	const item = readItem(parameters, isRegistered);
	const { person, questions, tracking, unreadForm } = await understand(forms, item, checksForms);
	const trackingOfNode = readTracking(parameters);
	return {
		sessionId: item.sessionId,
		...emailAndAddressOf(person.email),
		questions,
		registration: {
			fields: person.fields,
			tracking: combineTracking(trackingOfNode.tracking, tracking),
		},
		problems: withAdviceOnce([...item.problems, ...person.problems, ...trackingOfNode.problems]),
		notes: person.notes,
		unreadForm,
	};
}

/** In one spelling, so that a session of a list is one session, whose form and people are asked for once. */
export function sessionIdOf(parameters: ItemParameters): string {
	return normalizeId(parameters.id('sessionId'));
}

function readItem(parameters: ItemParameters, isRegistered: boolean): Item {
	const sessionId = sessionIdOf(parameters);
	const { values: mappedValues, columns: savedColumns } = readMappedValues(parameters);
	const { answers, problems } = readFurtherAnswers(parameters);
	const values = addFurtherAnswers(mappedValues, answers);
	const explicit = new Set(Object.keys(answers));
	const unknownChoices = parameters.choice(
		'options.unknownChoices',
		['refuse', 'leaveOut', 'send'],
		'refuse',
	);
	const mapping = { explicit, unknownChoices, isRegistered };
	const item = { sessionId, values, mapping, problems };
	if (savedColumns === undefined) {
		return {
			...item,
			columns: 'wholeItem',
			mapping: { ...mapping, columnsOfList: () => parameters.columnsOfItems },
			savedQuestions: [],
			unsavedLists: [],
			usedColumns: parameters.columnsInExpressions,
		};
	}
	const questions = questionsOfColumns(savedColumns);
	const columns = questions.length > 0 ? 'ofEditor' : 'byHand';
	const unsavedLists = Object.entries(values).flatMap(([name, value]) => {
		const isSent = columns === 'byHand' || explicit.has(name);
		const isSaved = questions.some(({ id }) => id === name);
		return Array.isArray(value) && value.length > 0 && isSent && !isSaved ? name : [];
	});
	// All rows share the saved questions, because a run keeps them with each person.
	const savedQuestions =
		unsavedLists.length === 0
			? questions
			: [...questions, ...unsavedLists.map((id) => questionOfColumn({ id }))];
	return { ...item, columns, savedQuestions, unsavedLists, usedColumns: new Set() };
}

async function understand(
	forms: FormCache,
	item: Item,
	checksForms: boolean,
): Promise<Understanding> {
	const { sessionId, columns, unsavedLists } = item;
	const need = formNeedOf(columns, { checksForms, hasUnsavedLists: unsavedLists.length > 0 });
	switch (need) {
		case 'needed': {
			const form = await forms.read(sessionId);
			const understanding = understandBy(item, form);
			const { fields, notes } = understanding.person;
			const answeredIds = new Set(fields.map(({ id }) => id));
			const hasOpen = form.questions.some(({ id }) => !answeredIds.has(id));
			if (!notes.ignored?.length || !hasOpen) return understanding;
			// A column that the form does not know may have the name of an attribute, and answer a question that no other column answers.
			return understandBy(item, await forms.readWithAttributeNames(sessionId));
		}
		case 'toCheck':
		case 'forLists': {
			const reading = await forms.readIfPossible(sessionId);
			if (reading.kind === 'unreadable')
				return { ...understandBy(item), unreadForm: reading.problem };
			const understanding = understandBy(item, reading.form);
			return need === 'toCheck' ? withSurplus(understanding, reading.form) : understanding;
		}
		case 'forUnknownChoices': {
			const understanding = understandBy(item);
			if (!understanding.person.hasUnknownChoice) return understanding;
			// Without the form, an answer that it offers by now would be refused or left out.
			return understandBy(item, await forms.read(sessionId));
		}
	}
}

function understandBy(item: Item, form?: RegistrationForm): Understanding {
	const { columns, values, mapping, savedQuestions } = item;
	const rule = formRules[columns][form?.source ?? 'unread'];
	const questions = questionsBy(rule, savedQuestions, form?.questions ?? []);
	const mappingByForm = { ...mapping, questions, unaskedColumns: rule.rest };
	return columns === 'wholeItem'
		? { ...readWholeItem(item, mappingByForm), questions }
		: { person: readPersonFields(values, mappingByForm), questions };
}

/** The columns of a whole item may say where the person came from, and some are there for expressions alone. */
function readWholeItem(
	{ values, usedColumns }: Item,
	mapping: Mapping,
): Pick<Understanding, 'person' | 'tracking'> {
	const { answers, tracking, problems } = separateTracking(
		values,
		mapping.questions,
		mapping.explicit,
	);
	const person = readPersonFields(answers, mapping);
	const notes: Notes = {
		...person.notes,
		ignored: person.notes.ignored?.filter((name) => !usedColumns.has(name)),
	};
	return { person: { ...person, notes, problems: [...person.problems, ...problems] }, tracking };
}

function withSurplus(understanding: Understanding, form: RegistrationForm): Understanding {
	if (form.source !== 'session') return understanding;
	const { person, questions } = understanding;
	const idsOfForm = new Set(form.questions.map(({ id }) => id));
	const labels = new Map(questions.map(({ id, label }) => [id, label]));
	const unaskedFields = person.fields.filter(({ id }) => !idsOfForm.has(id));
	const surplus = unaskedFields.map(({ id }) => labels.get(id) ?? id);
	return { ...understanding, person: { ...person, notes: { ...person.notes, surplus } } };
}
