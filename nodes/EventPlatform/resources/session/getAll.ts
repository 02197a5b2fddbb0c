import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { filters, options } from '../../parameters/collections';
import { createdAndUpdated, sorted } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { manyRecords } from '../records';
import { includes } from './includes';

const sessionFilters: INodeProperties[] = [
	{
		displayName: 'Planned From',
		name: 'dateFrom',
		type: 'dateTime',
		default: '',
		description: 'Only sessions planned to start at this time or later',
	},
	{
		displayName: 'Planned To',
		name: 'dateTo',
		type: 'dateTime',
		default: '',
		description: 'Only sessions planned to start at this time or earlier',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Canceled', value: 'canceled' },
			{ name: 'Draft', value: 'draft' },
			{ name: 'Live', value: 'live' },
			{ name: 'On Demand', value: 'on_demand' },
			{ name: 'Past', value: 'past' },
			{ name: 'Past, Not Started', value: 'past_not_started' },
			{ name: 'Upcoming', value: 'upcoming' },
		],
		default: 'upcoming',
		description: 'Only sessions in this state',
	},
];

/** The sessions of all events. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'Retrieve the sessions of all events',
	fields: [
		...listFields,
		filters(sorted([...createdAndUpdated, ...sessionFilters])),
		options([includes]),
	],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, '/sessions', visit.read.query('include'));
	},
};
