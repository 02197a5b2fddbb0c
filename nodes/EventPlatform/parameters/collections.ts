import type { INodeProperties } from 'n8n-workflow';
import { sorted } from './filterFields';

const emptyFilters: INodeProperties = {
	displayName: 'When a Filter Is Empty',
	name: 'emptyFilters',
	type: 'options',
	options: [
		{ name: 'Fail', value: 'fail', description: 'Stop and name the filter' },
		{
			name: 'Treat as No Filter',
			value: 'ignore',
			description: 'As if the filter had not been added',
		},
	],
	default: 'ignore',
	description:
		'What to do if a filter has no value. Without this, the node stops and names the filter.',
};

/** Conditions that the platform applies. One that is not added is not sent. */
export function filters(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: sorted([...options, emptyFilters]),
	};
}

export function options(choices: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: choices,
	};
}

export function additionalFields(choices: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: choices,
	};
}

export function updateFields(choices: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: choices,
	};
}
