import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { eitherFilter } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { manyRecords } from '../records';

const attributeFilters: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Job title',
		description: 'Only attributes with this name',
	},
	eitherFilter(
		['Origin', 'builtin'],
		['Built In', 'Custom'],
		'Only built-in attributes, or only custom ones',
	),
	{
		displayName: 'Slug',
		name: 'slug',
		type: 'string',
		default: '',
		placeholder: 'e.g. job_title',
		description: 'Only the attribute with this identifier',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'Avatar', value: 'avatar' },
			{ name: 'Consent', value: 'consent' },
			{ name: 'Email', value: 'email' },
			{ name: 'Multiple Select', value: 'multiple_select' },
			{ name: 'Text', value: 'text' },
			{ name: 'Unique Select', value: 'unique_select' },
			{ name: 'URL', value: 'url' },
		],
		default: 'text',
		description: 'Only attributes of this type',
	},
];

const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'string',
	default: '',
	placeholder: 'e.g. name,-type',
	description:
		'What to sort by. Separate several with commas. A minus in front reverses the order.',
};

/** The fields that registration forms of the workspace can ask for. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many person attributes',
	description: 'Retrieve the person attributes: the fields that registration forms can ask for',
	fields: [...listFields, filters(attributeFilters), recordOptions('people_attributes', sort)],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, '/people_attributes', visit.read.query('sort'));
	},
};
