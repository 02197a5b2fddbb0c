import type { Operation } from '../operation';
import { includesOfEvents } from '../../parameters/eventFields';
import { choiceField, eitherField, textField } from '../../parameters/field';
import { createdAndUpdated } from '../../parameters/filterFields';
import { listOf } from '../records';

const eventFilters = [
	...createdAndUpdated,
	eitherField(
		['Speakers', 'everyoneCanSpeak'],
		['Everyone', 'The Team Only'],
		'Only events in which these people can use microphone and camera',
	),
	choiceField(
		'schedulingStatus',
		[
			'cancelled',
			'draft',
			'ended',
			'live',
			'not_scheduled',
			'not_started',
			'on_demand',
			'upcoming',
		],
		'upcoming',
		'Only events in this state',
	),
	textField('tag', 'Only events with one of these tags, separated by commas', {
		displayName: 'Tags',
		placeholder: 'e.g. customers,product',
	}),
	textField('title', 'Only events with this text in their title', {
		placeholder: 'e.g. Product demo',
	}),
];

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many events',
	description: 'Retrieve the events of the workspace',
	...listOf('events', '/events', { filters: eventFilters, options: [includesOfEvents] }),
};
