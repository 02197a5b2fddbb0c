import type { INodeProperties } from 'n8n-workflow';
import { createdAndUpdated, eitherFilter } from './filterFields';

/** What tells the sessions of a list apart, of all events as of one. */
export const sessionFilters: INodeProperties[] = [
	...createdAndUpdated,
	eitherFilter(
		['Breakout Rooms', 'includeBreakoutRooms'],
		['Listed', 'Not Listed'],
		'Whether to list breakout rooms as sessions of their own',
	),
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
