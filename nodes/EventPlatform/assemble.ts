import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { snakeCase, titleCase } from './parameters/names';
import { resources } from './resources';

const all = Object.entries(resources);

const wordsOf = (name: string) => titleCase(snakeCase(name));

/** The menu of resources, the menu of each one's operations, and the fields of each operation. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: all.map(([value, { description }]) => ({ value, name: wordsOf(value), description })),
		default: 'registration',
	},
	...all.map(([resource, { operations, initial = 'getAll' }]) => ({
		displayName: 'Operation',
		name: 'operation',
		type: 'options' as const,
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations).map(([value, { action, description }]) => ({
			value,
			name: value === 'getAll' ? 'Get Many' : wordsOf(value),
			action,
			description,
		})),
		default: initial,
	})),
	...all.flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { fields }]) =>
			updateDisplayOptions({ show: { resource: [resource], operation: [operation] } }, fields),
		),
	),
];

const actions = all.flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([name, { action }]) => [`${resource} ${name}`, action]),
);
const table = JSON.stringify(Object.fromEntries(actions));

/** What a node on the canvas does, in the words of the panel it was chosen from. */
export const subtitle = `={{ (${table})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
