import type { INodeProperties } from 'n8n-workflow';
import { choiceField, neededText, switchFields, textField } from '../../fields/fieldBuilders';
import { optionalLocator, userLocator } from '../../fields/locators';

export const eventTitle: INodeProperties = textField(
	'title',
	'Title of the event, as people see it',
	'Product demo',
);

export const eventFields: INodeProperties[] = [
	...switchFields(true, {
		chatEnabled: 'Whether attendees can use the chat',
		detailedRegistrationPageEnabled: 'Whether the event has the detailed registration page',
		pollsEnabled: 'Whether polls can be held during a session',
		questionsEnabled: 'Whether attendees can ask questions',
		recordingEnabled: 'Whether sessions are recorded',
		registrationPageEnabled: 'Whether the event has a registration page',
		showInCompanyPage: 'Whether the event is listed on the public page of the company',
	}),
	...switchFields(false, {
		everyoneCanSpeak: 'Whether all attendees can use microphone and camera',
		lightRegistrationPageEnabled: 'Whether the event has the light registration page',
		recordingPublic: 'Whether anyone with the link can watch the recording',
	}),
	textField('description', 'Text on the registration page', { typeOptions: { rows: 4 } }),
	optionalLocator(userLocator, 'The user who owns the event', {
		displayName: 'Owner',
		name: 'ownerId',
	}),
	textField('slug', 'Last part of the URL of the registration page', 'product-demo'),
	choiceField(
		'status',
		{ draft: 'Only the team sees it', published: 'People can register' },
		'draft',
		'Who can see the event',
	),
];

export const tagTitle: INodeProperties = neededText('tag', 'Title of the tag', 'customers');

export const includeField: INodeProperties = choiceField(
	'include',
	['sessions', 'tags'],
	[],
	'Related records to return with each event',
);
