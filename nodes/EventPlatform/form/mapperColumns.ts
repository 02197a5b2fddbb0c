import type { ResourceMapperField } from 'n8n-workflow';
import { isObject } from '../core/values/json';
import type { Question } from './question';

/* Makes a column of the editor's mapper out of a question, and the question again out of a saved column. */

const requiredMark = ' (required)';

const otherForm = ' (not on this form)';

/** The editor shows so many characters on one line. */
const longestLabel = 45;

/** The platform takes no other values. */
function offeredMark(choices: Question['choices']): string {
	return choices ? ` (${choices.map(({ value }) => value).join(', ')})` : '';
}

function withoutEnd(text: string, end: string): string {
	return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

/** A workflow that n8n did not write may give its ID only. */
type SavedColumn = Pick<ResourceMapperField, 'id'> & Partial<ResourceMapperField>;

type SavedColumns = readonly SavedColumn[];

export function columnOf({
	id,
	label,
	isRequired,
	choices,
	mayHaveSeveral,
}: Question): ResourceMapperField {
	// n8n refuses to run without a required column, but the platform needs only the email. For other questions only
	// the label says that they are required.
	const isNeeded = isRequired && id === 'email';
	const offered = mayHaveSeveral ? offeredMark(choices) : '';
	const hasRoom = label.length + offered.length <= longestLabel;
	return {
		id,
		displayName: `${label}${hasRoom ? offered : ''}${isRequired && !isNeeded ? requiredMark : ''}`,
		required: isNeeded,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		// The editor's mapper keeps texts only, so several choices are typed, with commas.
		type: choices && !mayHaveSeveral ? 'options' : 'string',
		options: choices,
	};
}

const questionsBySavedColumns = new WeakMap<SavedColumns, readonly Question[]>();

/** The items of a run share the columns that the node has saved, and then their questions as well, which the run keeps with each person. */
export function questionsOfColumns(saved: SavedColumns): readonly Question[] {
	const questions = questionsBySavedColumns.get(saved) ?? saved.map(questionOfColumn);
	questionsBySavedColumns.set(saved, questions);
	return questions;
}

/** As it was when the node was set up. */
export function questionOfColumn(saved: SavedColumn): Question {
	const { id, required, type, options = [] } = saved;
	const displayName = withoutEnd(saved.displayName ?? id, otherForm);
	const offeredChoices = options.map(({ name, value }) => ({ name, value: String(value) }));
	const choices = offeredChoices.length > 0 ? offeredChoices : undefined;
	const title = withoutEnd(displayName, requiredMark);
	return {
		id,
		label: withoutEnd(title, offeredMark(choices)),
		isRequired: required === true || title !== displayName,
		mayHaveSeveral: type === 'string' && choices !== undefined,
		choices,
	};
}

/**
 * When the panel of a node opens, n8n's editor takes the columns of this moment and throws away every answer without one: answers that
 * were mapped by hand for the form of another session would be gone from the panel and from the run. `mapper` is the value of the
 * mapper in the node.
 */
export function keptColumns(
	mapper: unknown,
	columns: readonly ResourceMapperField[],
	isOfSession: boolean,
): ResourceMapperField[] {
	if (!isObject(mapper) || mapper.mappingMode === 'autoMapInputData') return [];
	const currentIds = new Set(columns.map(({ id }) => id));
	const savedColumns = Array.isArray(mapper.schema)
		? (mapper.schema as unknown as ResourceMapperField[])
		: [];
	const answeredIds = Object.keys(isObject(mapper.value) ? mapper.value : {});
	return answeredIds
		.filter((id) => !currentIds.has(id))
		.map((id) => {
			const question = questionOfColumn(savedColumns.find((column) => column.id === id) ?? { id });
			const optionalColumn = columnOf({ ...question, isRequired: false });
			if (!isOfSession) return optionalColumn;
			return { ...optionalColumn, displayName: optionalColumn.displayName + otherForm };
		});
}
