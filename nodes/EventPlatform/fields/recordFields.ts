import type { INodeProperties } from 'n8n-workflow';
import { choiceField, filters, numberField, options, switchField } from './fieldBuilders';
import { titleCase } from './fieldNames';
import { allFields, recordKinds, type RecordKind } from '../core/records/columns';

/* The fields of operations that return records: how many, whether simplified, and which columns. */

const labels = new Map([
	['registrants fields', 'Answers to the Form'],
	['registrants attendance_duration', 'Attendance Seconds'],
	['events fields', 'Registration Form'],
]);

export const simplifyField = switchField(
	'simplify',
	true,
	'Whether to return a simplified version of the response instead of the raw data',
);

export const pageFields: INodeProperties[] = [
	switchField('returnAll', false, 'Whether to return all results or only up to a given limit'),
	numberField('limit', 50, 'Max number of results to return', {
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
	}),
];

/** Gives the fields of an operation that returns a record; `others` are its own options. */
export function recordFields(kind: RecordKind, ...others: INodeProperties[]): INodeProperties[] {
	return [simplifyField, recordOptions(kind, others)];
}

/** Gives the fields of an operation that returns a list; `conditions` are its filters, and `others` its own options. */
export function listFields(
	kind: RecordKind,
	conditions: INodeProperties[] = [],
	...others: INodeProperties[]
): INodeProperties[] {
	const narrowed = conditions.length > 0 ? [filters(conditions)] : [];
	return [...pageFields, simplifyField, ...narrowed, recordOptions(kind, others)];
}

function recordOptions(kind: RecordKind, others: INodeProperties[]): INodeProperties {
	const [usual, besides] = recordKinds[kind];
	const names = `${usual} ${besides}`
		.split(' ')
		.map((name) => [name, [labels.get(`${kind} ${name}`) ?? titleCase(name)]] as const)
		.sort(([, [a]], [, [b]]) => a.localeCompare(b));
	const choices = Object.fromEntries([[allFields, ['All']] as const, ...names]);
	const fields = choiceField('fields', choices, usual.split(' '), 'Fields to return');
	return options([fields, ...others]);
}
