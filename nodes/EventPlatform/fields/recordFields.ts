import type { INodeProperties } from 'n8n-workflow';
import {
	choiceField,
	filtersField,
	numberField,
	optionsField,
	switchField,
	type Choice,
} from './fieldBuilders';
import { titleCase } from './fieldNames';
import { allFields, usualFields } from '../core/records/columns';
import { recordKinds, type RecordKind } from '../core/records/recordKinds';

/* The fields of operations that return records: how many, whether simplified, and which columns. */

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

/** The most records for an agent, because more would fill what a model can read, and it skims them. */
export const mostForTool = 20;

export const pageFields: INodeProperties[] = [
	{
		displayName: `An agent gets at most ${mostForTool} records, and is told how many there are. Let it narrow the list with a filter.`,
		name: 'limitOfTool',
		type: 'notice',
		default: '',
		displayOptions: { show: { '@tool': [true] } },
	},
	switchField('returnAll', false, 'Whether to return all results or only up to a given limit'),
	numberField('limit', 50, 'Max number of results to return', {
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
	}),
];

export function recordFields(
	kind: RecordKind,
	ownOptions: readonly INodeProperties[] = [],
): INodeProperties[] {
	return [simplifyField, optionsField([columnsField(kind), ...ownOptions])];
}

/** `namesFields`: whether the AI that builds workflows reads the names of the fields here. */
export function listFields(
	kind: RecordKind,
	conditions: INodeProperties[] = [],
	ownOptions: readonly INodeProperties[] = [],
	namesFields = true,
): INodeProperties[] {
	const filterFields = conditions.length > 0 ? [filtersField(conditions)] : [];
	const { usual, further } = recordKinds[kind];
	const hint = { propertyHint: `usual: ${usual.join(' ')}; others: ${further.join(' ')}` };
	const columns = columnsField(kind, namesFields ? hint : undefined);
	return [...pageFields, simplifyField, ...filterFields, optionsField([columns, ...ownOptions])];
}

/** An AI that builds workflows reads the names once for each kind, in the hint of its lists. */
function columnsField(
	kind: RecordKind,
	builderHint?: INodeProperties['builderHint'],
): INodeProperties {
	const { usual, further } = recordKinds[kind];
	const title = (name: string) => titlesOfColumns.get(`${kind} ${name}`) ?? titleCase(name);
	const fields = [...usual, ...further].map((name) => [name, { name: title(name) }]);
	const choices = [
		[allFields, { name: 'All' }],
		[usualFields, { name: 'Usual', description: usual.map(title).join(', ') }],
		...fields,
	] as Array<[string, Choice]>;
	return choiceField(
		'fields',
		Object.fromEntries(choices.sort(([, left], [, right]) => left.name.localeCompare(right.name))),
		[usualFields],
		'Columns',
		// Where choices depend on something, n8n does not write all of them into what the AI reads of the operation.
		{ typeOptions: { loadOptionsDependsOn: [] }, ...(builderHint && { builderHint }) },
	);
}
