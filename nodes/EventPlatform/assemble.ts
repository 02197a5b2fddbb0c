import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import { snakeCase, titleCase } from './parameters/names';
import type { Operation, Resource } from './resources/operation';

/** The menu of resources, the menu of each one's operations, and the fields of each operation. */
export function properties(resources: readonly Resource[]): INodeProperties[] {
	return [resourceMenu(resources), ...resources.map(operationMenu), ...resources.flatMap(fields)];
}

/** What a node on the canvas does, in the words of the panel it was chosen from. */
export function subtitle(resources: readonly Resource[]): string {
	const actions = resources.flatMap(({ value, operations }) =>
		operations.map((operation) => [`${value} ${operation.value}`, operation.action]),
	);
	const table = JSON.stringify(Object.fromEntries(actions));
	return `={{ (${table})[$parameter["resource"] + " " + $parameter["operation"]] }}`;
}

export function findOperation(
	resources: readonly Resource[],
	resource: string,
	operation: string,
): { resource: Resource; operation: Operation } | undefined {
	const found = resources.find(({ value }) => value === resource);
	const chosen = found?.operations.find(({ value }) => value === operation);
	return found && chosen && { resource: found, operation: chosen };
}

function resourceMenu(resources: readonly Resource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ value, name, description }) => ({ value, name, description })),
		default: 'registration',
	};
}

function operationMenu({
	value,
	operations,
	initial: { value: first },
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		options: operations.map(({ value, name, action, description }) => ({
			value,
			name: name ?? titleCase(snakeCase(value)),
			action,
			description,
		})),
		default: first,
	};
}

function fields(resource: Resource): INodeProperties[] {
	return resource.operations.flatMap((operation) =>
		updateDisplayOptions(
			{ show: { resource: [resource.value], operation: [operation.value] } },
			operation.fields,
		),
	);
}
