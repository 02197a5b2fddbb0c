import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { defaultKinds } from '../core/deliveries/kinds';
import { authentication } from '../n8n/authentication';
import { options } from '../parameters/field';
import { simplifyField } from '../parameters/recordFields';
import { eventLocator, sessionLocator } from '../parameters/locators';
import { webhookKinds } from '../parameters/webhookKinds';

export const jobIds: INodeProperties = {
	displayName: 'Job IDs',
	name: 'jobIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b',
};

const jobEnded = { show: { events: [defaultKinds.webhook] } };

export const properties: INodeProperties[] = [
	authentication,
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: webhookKinds,
		default: [defaultKinds.webhook],
		hint: "Fires for the whole workspace. Use 'Options' to limit it.",
	},
	{
		displayName: 'Subscription',
		name: 'subscription',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description:
					'Create the webhooks when you publish the workflow, and remove them when you unpublish it',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: 'Enter the URL on the platform yourself',
			},
		],
		default: 'automatic',
		description:
			"Who creates the webhooks on the platform. 'Automatic' needs the scope webhooks:write and a public HTTPS URL of this n8n.",
	},
	{
		displayName: 'Check Subscription',
		name: 'pollTimes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Time' },
		// Shown always: n8n reads it on every activation, and finds no default of a parameter that is hidden.
		default: { item: [{ mode: 'everyX', value: 6, unit: 'hours' }] },
		description:
			'How often to check that the webhook still exists and to fetch missed events. Each check uses one request.',
		placeholder: 'Add Time',
		options: cronNodeOptions,
	},
	{
		displayName:
			"Copy the 'Production URL' from 'Webhook URLs' above and enter it on the platform as the URL of a new webhook, one for each of the events chosen here. Remove these webhooks when you no longer use the workflow.",
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { subscription: ['manual'] } },
	},
	{
		displayName: 'Verify',
		name: 'verify',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'API',
				value: 'api',
				description:
					'Ask the API about each delivery and use its answer. Uses one request for each.',
			},
			{
				name: 'Automatic',
				value: 'auto',
				description:
					'Check the secret key in the URL, and the signature if the credential has a signing secret. Without either, ask the API.',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Accept any request. For testing only.',
			},
			{
				name: 'Signature',
				value: 'signature',
				description:
					"Check the signature with the 'Webhook Signing Secret' of the credential. Uses no requests.",
			},
		],
		default: 'auto',
		description: 'How to check that a delivery comes from the platform',
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		displayOptions: jobEnded,
		options: [
			{
				name: 'Failed Tasks',
				value: 'failedTasks',
				description:
					'One item for each person who was refused, with the reason. Emails are known for jobs started by this n8n.',
			},
			{ name: 'Job', value: 'job', description: 'One item with the counts of the job' },
			{ name: 'Tasks', value: 'tasks', description: 'One item for each person of the job' },
		],
		default: 'job',
		description: 'What to return for an ended job',
	},
	simplifyField,
	options([
		{
			displayName: 'Confirmations per Minute',
			name: 'confirmationsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 300 },
			default: 120,
			description:
				'Max API requests per minute that deliveries may cause. The platform sends further deliveries again later.',
			displayOptions: { show: { '/verify': ['auto', 'api'] } },
		},
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			description: 'Whether to start only one run for an event that is delivered several times',
		},
		{
			...eventLocator,
			required: false,
			description:
				"Only this event, its sessions and their people. Does not apply to 'Job Ended', because a job does not name its event.",
		},
		{ ...jobIds, description: 'Only these jobs, comma-separated' },
		{
			displayName: 'Only With Failures',
			name: 'onlyWithFailures',
			type: 'boolean',
			default: true,
			description: 'Whether to ignore jobs in which everyone was registered',
		},
		{
			displayName: 'Other Events',
			name: 'otherEvents',
			type: 'string',
			default: '',
			placeholder: 'e.g. people.unsubscribed, session.canceled',
			description: 'Other kinds of events that the platform offers, comma-separated',
		},
		{
			...sessionLocator,
			required: false,
			description:
				"Only this session and its people. Does not apply to 'Job Ended': use 'Job IDs' instead.",
		},
	]),
];
