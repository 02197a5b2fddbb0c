import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { authentication } from '../n8n/authentication';
import { options } from '../parameters/collections';
import { webhookKinds } from '../parameters/webhookKinds';

export const jobIds: INodeProperties = {
	displayName: 'Job IDs',
	name: 'jobIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. 7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b',
};

const jobEnded = { show: { events: ['job.ended'] } };

export const properties: INodeProperties[] = [
	authentication,
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: webhookKinds,
		default: ['job.ended'],
		hint: 'The platform tells of the whole workspace; the options narrow it to one session or event',
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
				description: 'Subscribe when the workflow is activated, unsubscribe when it is deactivated',
			},
			{
				name: 'Manual',
				value: 'manual',
				description: 'Enter the URL on the platform yourself',
			},
		],
		default: 'automatic',
		description:
			"Who makes the webhooks on the platform. 'Automatic' needs the scope webhooks:write and a public HTTPS address of this n8n.",
	},
	{
		displayName: 'Check Subscription',
		name: 'pollTimes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Time' },
		// Shown always: n8n reads it on every activation, and finds no default of a parameter that is hidden.
		default: { item: [{ mode: 'everyX', value: 6, unit: 'hours' }] },
		description:
			'When to ask the platform whether all is still subscribed, and to subscribe again where it is not, with a run for each event that was missed (ended jobs and watched replays cannot be caught up: the platform does not list them). One request each time; without a time, or with a manual subscription, it never asks.',
		placeholder: 'Add Time',
		options: cronNodeOptions,
	},
	{
		displayName:
			"Copy the 'Production URL' from 'Webhook URLs' above and enter it on the platform as the URL of a new webhook, one for each of the events chosen here. Remove them there when this workflow is no longer used.",
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
					'Ask the platform about each delivery and use its answer. Costs one API request for each.',
			},
			{
				name: 'Automatic',
				value: 'auto',
				description:
					"Believe what brings the key that this trigger has put into the URL of its subscription; else check the signature where the credential has a secret, else ask the platform. Costs no API request for each delivery, as long as 'Subscription' is 'Automatic'.",
			},
			{
				name: 'None',
				value: 'none',
				description: 'Believe whoever knows the URL. For trials only.',
			},
			{
				name: 'Signature',
				value: 'signature',
				description:
					"Check that the platform signed the delivery with the 'Webhook Signing Secret' of the credential. Costs no API request.",
			},
		],
		default: 'auto',
		description:
			'How to tell deliveries of the platform from forged ones. Where the platform is asked, an ended job, a person, a session or an event is believed when the platform itself shows it in that state.',
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
					'One item for each person who was refused, and why; no run when there is none. It says who for jobs that this n8n process started, else that nobody knows.',
			},
			{ name: 'Job', value: 'job', description: 'One item with the counts of the job' },
			{ name: 'Tasks', value: 'tasks', description: 'One item for each person of the job' },
		],
		default: 'job',
		description: 'What an ended job starts the workflow with',
	},
	options([
		{
			displayName: 'Confirmations per Minute',
			name: 'confirmationsPerMinute',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 300 },
			default: 120,
			description:
				'How many API requests deliveries may cause each minute. The platform is asked to deliver again what is over. Deliveries with the key or a valid signature cause none.',
			displayOptions: { show: { '/verify': ['auto', 'api'] } },
		},
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			description: 'Whether an event that is delivered several times starts one run only',
		},
		{
			displayName: 'Event ID',
			name: 'eventId',
			type: 'string',
			default: '',
			description:
				'Only events of this ID, its sessions, and the people in them. Ended jobs are not restricted: a job does not name its event.',
		},
		{ ...jobIds, description: 'Only these jobs, comma-separated' },
		{
			displayName: 'Only With Failures',
			name: 'onlyWithFailures',
			type: 'boolean',
			default: true,
			description: 'Whether to ignore jobs in which everybody was registered',
		},
		{
			displayName: 'Other Events',
			name: 'otherEvents',
			type: 'string',
			default: '',
			placeholder: 'e.g. people.unsubscribed, session.canceled',
			description: 'Further kinds of events that the platform offers, comma-separated',
		},
		{
			displayName: 'Session ID',
			name: 'sessionId',
			type: 'string',
			default: '',
			description:
				"Only this session and the people in it. Ended jobs are not restricted: a job does not name its session, so use 'Job IDs' for them.",
		},
	]),
];
