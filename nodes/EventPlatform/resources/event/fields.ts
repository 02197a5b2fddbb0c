import type { INodeProperties } from 'n8n-workflow';
import { choiceField, eitherField, switchField, textField } from '../../parameters/field';
import { createdAndUpdated } from '../../parameters/filterFields';
import { optional, userLocator } from '../../parameters/locators';

export const eventTitle = textField('title', 'Title of the event, as people see it', {
	placeholder: 'e.g. Product demo',
});

const switches: ReadonlyArray<[name: string, isUsual: boolean, description: string]> = [
	['chatEnabled', true, 'Whether attendees can use the chat'],
	['detailedRegistrationPageEnabled', true, 'Whether the event has the detailed registration page'],
	['everyoneCanSpeak', false, 'Whether all attendees can use microphone and camera'],
	['lightRegistrationPageEnabled', false, 'Whether the event has the light registration page'],
	['pollsEnabled', true, 'Whether polls can be held during a session'],
	['questionsEnabled', true, 'Whether attendees can ask questions'],
	['recordingEnabled', true, 'Whether sessions are recorded'],
	['recordingPublic', false, 'Whether anyone with the link can watch the recording'],
	['registrationPageEnabled', true, 'Whether the event has a registration page'],
];

/** What can be set on an event, whether it is new or not. */
export const eventFields: INodeProperties[] = [
	...switches.map(([name, isUsual, description]) => switchField(name, isUsual, description)),
	switchField(
		'showInCompanyPage',
		true,
		'Whether the event is listed on the public page of the company',
		{ displayName: 'Show in Company Page' },
	),
	textField('description', 'Text on the registration page', { typeOptions: { rows: 4 } }),
	{
		...optional(userLocator, 'The user who owns the event'),
		displayName: 'Owner',
		name: 'ownerId',
	},
	textField('slug', 'Last part of the URL of the registration page', 'product-demo'),
	choiceField(
		'status',
		{
			draft: ['Draft', 'Only the team sees it'],
			published: ['Published', 'People can register'],
		},
		'draft',
		'Whether people can already see the event and register',
	),
];

/** Related records that come along in the same request. */
export const includesOfEvents = choiceField(
	'include',
	['sessions', 'tags'],
	[],
	'Related records to return with each event',
);

export const eventFilters: INodeProperties[] = [
	...createdAndUpdated,
	eitherField(
		['Speakers', 'everyoneCanSpeak'],
		['Everyone', 'The Team Only'],
		'Only events in which these people can use microphone and camera',
	),
	choiceField(
		'schedulingStatus',
		'cancelled draft ended live not_scheduled not_started on_demand upcoming'.split(' '),
		'upcoming',
		'Only events in this state',
	),
	textField('tag', 'Only events with one of these tags, separated by commas', {
		displayName: 'Tags',
		placeholder: 'e.g. customers,product',
	}),
	textField('title', 'Only events with this text in their title', 'Product demo'),
];

export const tagTitle = textField('tag', 'Title of the tag', {
	required: true,
	placeholder: 'e.g. customers',
});
