import type { INodeProperties } from 'n8n-workflow';
import { choiceField, dateField, eitherField, rowsField, textField } from './fieldBuilders';
import { timezoneLocator } from './locators';
import { createdAndUpdated } from './sharedFields';
import type { ItemParameters } from './itemParameters';
import type { Query } from '../core/client/request';

export const sessionNameField: INodeProperties = textField(
	'name',
	'Name that tells the session from others of the event',
	'Morning session',
);

export const embedUrlField: INodeProperties = textField(
	'embedUrl',
	'URL of the page that embeds the room',
	'https://www.example.com/live',
);

export const plannedStartField: INodeProperties = dateField(
	'estimatedStartedAt',
	'Date and time of the planned start',
	{
		displayName: 'Start',
	},
);

export const plannedSessionsField: INodeProperties = rowsField(
	'sessions',
	'session',
	'={{ $collection.item.value.name || $collection.item.value.estimatedStartedAt || "Session" }}',
	[plannedStartField, timezoneLocator, sessionNameField],
	'Dates of the event. You can add more later.',
);

export const sessionFilters: INodeProperties[] = [
	...createdAndUpdated,
	eitherField({
		displayName: 'Breakout Rooms',
		name: 'includeBreakoutRooms',
		yes: 'Listed',
		no: 'Not Listed',
		description: 'Breakout rooms as separate sessions, or not at all',
	}),
	dateField('dateFrom', 'Planned to start at this time or later', {
		displayName: 'Planned From',
	}),
	dateField('dateTo', 'Planned to start at this time or earlier', {
		displayName: 'Planned To',
	}),
	choiceField(
		'status',
		['canceled', 'draft', 'live', 'on_demand', 'past', 'past_not_started', 'upcoming'],
		'upcoming',
		'Only sessions in this state',
	),
];

/** Simplified sessions come with their events, by whose titles people know them. */
export const sessionRecordSettings = {
	options: [
		choiceField(
			'include',
			['event', 'people', 'recordings'],
			[],
			'Related records to return with each session',
		),
	],
	addedQuery(parameters: ItemParameters): Query | undefined {
		const names = parameters.names('options.include');
		if (!parameters.simplify() || names.includes('event')) return undefined;
		return { include: [...names, 'event'].join(',') };
	},
};
