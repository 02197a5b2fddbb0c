import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation';
import { filters } from '../../parameters/collections';
import { createdAndUpdated, eitherFilter } from '../../parameters/filterFields';
import { listFields } from '../../parameters/listFields';
import { recordOptions } from '../../parameters/recordFields';
import { manyRecords } from '../records';
import { includes } from './includes';

const eventFilters: INodeProperties[] = [
	eitherFilter(
		['Speakers', 'everyoneCanSpeak'],
		['Everyone', 'The Team Only'],
		'Only events in which these people may use microphone and camera',
	),
	{
		displayName: 'Scheduling Status',
		name: 'schedulingStatus',
		type: 'options',
		options: [
			{ name: 'Cancelled', value: 'cancelled' },
			{ name: 'Draft', value: 'draft' },
			{ name: 'Ended', value: 'ended' },
			{ name: 'Live', value: 'live' },
			{ name: 'Not Scheduled', value: 'not_scheduled' },
			{ name: 'Not Started', value: 'not_started' },
			{ name: 'On Demand', value: 'on_demand' },
			{ name: 'Upcoming', value: 'upcoming' },
		],
		default: 'upcoming',
		description: 'Only events in this state',
	},
	{
		displayName: 'Tags',
		name: 'tag',
		type: 'string',
		default: '',
		placeholder: 'e.g. customers,product',
		description: 'Only events with one of these tags. Separate several with commas.',
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Product demo',
		description: 'Only events with this text in their title',
	},
];

/** The events of the workspace. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many events',
	description: 'Retrieve the events of the workspace',
	fields: [
		...listFields,
		filters([...createdAndUpdated, ...eventFilters]),
		recordOptions('events', includes),
	],
	overlapping: true,
	run(visit) {
		return manyRecords(visit, '/events', visit.read.query('include'));
	},
};
