import type { ResourceMapperField } from 'n8n-workflow';
import type { Question } from './question';

/* A question as a column of the editor's mapper, and a saved column as the question that it was. */

const requiredMark = ' (required)';

/** Marks a column whose answer the form of the session does not ask for. */
export const otherForm = ' (not on this form)';

/** The editor shows so many characters on one line. */
const longestLabel = 45;

/** Names the values that may be typed, because the platform takes no others. */
function offeredMark(choices: Question['choices']): string {
	return choices ? ` (${choices.map(({ value }) => value).join(', ')})` : '';
}

function withoutEnd(text: string, end: string): string {
	return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

/** A workflow that n8n did not write may name the columns only. */
export type SavedColumn = Pick<ResourceMapperField, 'id'> & Partial<ResourceMapperField>;

/** A question as a column of the editor's mapper. */
export function columnOf({
	id,
	label,
	required,
	choices,
	multiple,
}: Question): ResourceMapperField {
	// n8n refuses to run without a required column, but the platform needs only the email: elsewhere only the label says so.
	const isNeeded = required && id === 'email';
	const offered = multiple ? offeredMark(choices) : '';
	const hasRoom = label.length + offered.length <= longestLabel;
	return {
		id,
		displayName: `${label}${hasRoom ? offered : ''}${required && !isNeeded ? requiredMark : ''}`,
		required: isNeeded,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		// The editor's mapper keeps texts only, so several choices are typed, with commas.
		type: choices && !multiple ? 'options' : 'string',
		options: choices,
	};
}

/** The question of a column, as it was when the node was set up. */
export function questionOfColumn(saved: SavedColumn): Question {
	const { id, required, type, options = [] } = saved;
	const displayName = withoutEnd(saved.displayName ?? id, otherForm);
	const offered = options.map(({ name, value }) => ({ name, value: String(value) }));
	const choices = offered.length > 0 ? offered : undefined;
	const title = withoutEnd(displayName, requiredMark);
	return {
		id,
		label: withoutEnd(title, offeredMark(choices)),
		required: required === true || title !== displayName,
		multiple: type === 'string' && choices !== undefined,
		choices,
	};
}
