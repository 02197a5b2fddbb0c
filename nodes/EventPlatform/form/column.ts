import type { FieldType, NodePropertyTypes, ResourceMapperField } from 'n8n-workflow';
import type { FormField } from './formField';

const requiredMark = ' (required)';

/** A question as a column of the editor's mapper. */
export function column({ id, label, required, choices, multiple }: FormField): ResourceMapperField {
	// n8n refuses to run a workflow without a column that is required, but the platform registers
	// with the email alone: of the other questions only the label says so.
	const isNeeded = required && id === 'email';
	const input: NodePropertyTypes = !choices ? 'string' : multiple ? 'multiOptions' : 'options';
	return {
		id,
		displayName: required && !isNeeded ? `${label}${requiredMark}` : label,
		required: isNeeded,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		// The editor shows any field of n8n here, this one as a list to choose several from.
		type: input as FieldType,
		options: choices?.map(({ label: name, value }) => ({ name, value })),
	};
}

/** The question of a column, as it was when the node was set up. */
export function question(saved: ResourceMapperField): FormField {
	const { id, displayName, required, type, options } = saved;
	const isMarked = displayName.endsWith(requiredMark);
	return {
		id,
		label: isMarked ? displayName.slice(0, -requiredMark.length) : displayName,
		required: required || isMarked,
		// Saved by an earlier version, it is an "array".
		multiple: (type as NodePropertyTypes) === 'multiOptions' || type === 'array',
		choices: options?.map(({ name, value }) => ({ label: name, value: String(value) })),
	};
}
