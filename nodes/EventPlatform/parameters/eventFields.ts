import type { INodeProperties } from 'n8n-workflow';
import { userLocator } from './locators';

/** What can be set on an event, whether it is new or not. */
export const eventFields: INodeProperties[] = [
	{
		displayName: 'Chat Enabled',
		name: 'chatEnabled',
		type: 'boolean',
		default: true,
		description: 'Whether attendees can use the chat',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		description: 'Text on the registration page',
	},
	{
		displayName: 'Detailed Registration Page Enabled',
		name: 'detailedRegistrationPageEnabled',
		type: 'boolean',
		default: true,
		description: 'Whether the event has the detailed registration page',
	},
	{
		displayName: 'Everyone Can Speak',
		name: 'everyoneCanSpeak',
		type: 'boolean',
		default: false,
		description: 'Whether every attendee may use microphone and camera',
	},
	{
		displayName: 'Light Registration Page Enabled',
		name: 'lightRegistrationPageEnabled',
		type: 'boolean',
		default: false,
		description: 'Whether the event has the light registration page',
	},
	{
		...userLocator,
		displayName: 'Owner',
		name: 'ownerId',
		required: false,
		description: 'The user who owns the event',
	},
	{
		displayName: 'Polls Enabled',
		name: 'pollsEnabled',
		type: 'boolean',
		default: true,
		description: 'Whether polls can be held during a session',
	},
	{
		displayName: 'Questions Enabled',
		name: 'questionsEnabled',
		type: 'boolean',
		default: true,
		description: 'Whether attendees can ask questions',
	},
	{
		displayName: 'Recording Enabled',
		name: 'recordingEnabled',
		type: 'boolean',
		default: true,
		description: 'Whether sessions are recorded',
	},
	{
		displayName: 'Recording Public',
		name: 'recordingPublic',
		type: 'boolean',
		default: false,
		description: 'Whether anyone with the link can watch the recording',
	},
	{
		displayName: 'Registration Page Enabled',
		name: 'registrationPageEnabled',
		type: 'boolean',
		default: true,
		description: 'Whether the event has a registration page',
	},
	{
		displayName: 'Show in Company Page',
		name: 'showInCompanyPage',
		type: 'boolean',
		default: true,
		description: 'Whether the event is listed on the public page of the company',
	},
	{
		displayName: 'Slug',
		name: 'slug',
		type: 'string',
		default: '',
		placeholder: 'e.g. product-demo',
		description: 'Last part of the URL of the registration page',
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{
				name: 'Draft',
				value: 'draft',
				description: 'Only the team sees it',
			},
			{
				name: 'Published',
				value: 'published',
				description: 'People can register',
			},
		],
		default: 'draft',
		description: 'Whether people can already see the event and register',
	},
];
