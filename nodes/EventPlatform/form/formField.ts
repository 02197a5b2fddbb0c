import type { ResourceMapperField } from 'n8n-workflow';
import { knownHeaders, plainName } from './headers';

/** A question of a registration form, whatever list it came from. */
export interface FormField {
	id: string;
	label: string;
	/** Visitors of the form have to answer. The platform registers somebody with the email alone. */
	required: boolean;
	/** The answers to choose from; undefined where people type what they like. */
	choices?: ReadonlyArray<{ label: string; value: string }>;
	/** More than one answer may be chosen. */
	multiple: boolean;
}

/** Finds the question that is meant by its ID, by its label, or by a usual header of lists. */
export function finder(form: readonly FormField[]): (name: string) => FormField | undefined {
	const ids = new Map(form.map((field) => [field.id, field]));
	const spoken = new Map([
		...form.map((field) => [plainName(field.id), field] as const),
		...form.map((field) => [plainName(field.label), field] as const),
	]);
	return (name) => {
		const plain = plainName(name);
		return ids.get(name) ?? spoken.get(plain) ?? ids.get(knownHeaders.get(plain) ?? '');
	};
}

const requiredMark = ' (required)';

/** A question as a column of the editor's mapper. */
export function column({ id, label, required, choices, multiple }: FormField): ResourceMapperField {
	// n8n refuses to run a workflow without a column that is required, but the platform registers
	// with the email alone: of the other questions only the label says so.
	const isNeeded = required && id === 'email';
	const options = choices?.map(({ label: name, value }) => ({ name, value }));
	const offered = multiple ? choicesMark(label, options) : '';
	return {
		id,
		displayName: `${label}${offered}${required && !isNeeded ? requiredMark : ''}`,
		required: isNeeded,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		// The editor's mapper keeps texts only, so several choices are typed, with commas.
		type: choices && !multiple ? 'options' : 'string',
		options,
	};
}

/** The question of a column, as it was when the node was set up. */
export function question(saved: ResourceMapperField): FormField {
	// A workflow that n8n did not write may name the columns only.
	const { id, displayName = id, required, type, options } = saved;
	const isMarked = displayName.endsWith(requiredMark);
	const shown = isMarked ? displayName.slice(0, -requiredMark.length) : displayName;
	const offered = ` (${options?.map(({ value }) => value).join(', ')})`;
	return {
		id,
		label: shown.endsWith(offered) ? shown.slice(0, -offered.length) : shown,
		required: required || isMarked,
		// Saved by an earlier version, it is an "array".
		multiple: type === 'array' || (type === 'string' && options !== undefined),
		choices: options?.map(({ name, value }) => ({ label: name, value: String(value) })),
	};
}

/** What may be typed, where the line has room for all of it. */
function choicesMark(label: string, options: ResourceMapperField['options']): string {
	const mark = options ? ` (${options.map(({ value }) => value).join(', ')})` : '';
	return label.length + mark.length <= longestLabel ? mark : '';
}

const longestLabel = 45;
