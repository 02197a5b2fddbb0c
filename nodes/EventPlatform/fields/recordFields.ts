import type { INodeProperties } from 'n8n-workflow';
import {
	choiceField,
	filters,
	numberField,
	optionsField,
	switchField,
	type Choice,
} from './fieldBuilders';
import { titleCase } from './fieldNames';
import { allFields, recordKinds, type RecordKind } from '../core/records/columns';

/* The fields of operations that return records: how many, whether simplified, and which columns. */

/** The titles of columns that differ from their names in words, by the kind of record and the name. */
const titlesOfColumns = new Map([
	['registrants fields', 'Answers to the Form'],
	['registrants attendance_duration', 'Attendance Seconds'],
	['events fields', 'Registration Form'],
]);

export const simplifyField: INodeProperties = switchField(
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

/** Gives the fields of an operation that returns a record; `ownOptions` are those that other operations do not have. */
export function recordFields(
	kind: RecordKind,
	ownOptions: readonly INodeProperties[] = [],
): INodeProperties[] {
	return [simplifyField, recordOptions(kind, ownOptions)];
}

/** Gives the fields of an operation that returns a list; `conditions` are its filters, and `ownOptions` those that other operations do not have. */
export function listFields(
	kind: RecordKind,
	conditions: INodeProperties[] = [],
	ownOptions: readonly INodeProperties[] = [],
): INodeProperties[] {
	const filterFields = conditions.length > 0 ? [filters(conditions)] : [];
	return [...pageFields, simplifyField, ...filterFields, recordOptions(kind, ownOptions)];
}

function recordOptions(kind: RecordKind, ownOptions: readonly INodeProperties[]): INodeProperties {
	const { usual, further } = recordKinds[kind];
	const choices = `${usual} ${further}`
		.split(' ')
		.map((value) => ({ value, name: titlesOfColumns.get(`${kind} ${value}`) ?? titleCase(value) }))
		.sort((left, right) => left.name.localeCompare(right.name));
	const namedChoices = [{ value: allFields, name: 'All' }, ...choices].map(
		({ value, name }): [string, Choice] => [value, { name }],
	);
	const fields = choiceField(
		'fields',
		Object.fromEntries(namedChoices),
		usual.split(' '),
		'Fields to return',
	);
	return optionsField([fields, ...ownOptions]);
}
