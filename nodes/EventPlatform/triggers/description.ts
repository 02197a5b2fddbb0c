import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import { canBeListed, defaultEventTypes, eventTypeOf } from '../core/events/eventTypes';
import { authentication } from '../n8n/authentication';
import {
	choiceField,
	dateField,
	numberField,
	options,
	switchField,
	textField,
} from '../fields/field';
import { simplifyField } from '../fields/recordFields';
import { eventLocator, optional, sessionLocator } from '../fields/locators';
import { joinLinkOption, webhookKinds } from '../fields/sharedFields';

const triggerOn = (
	eventTypes: typeof webhookKinds,
	usual: string,
	hint: string,
): INodeProperties => ({
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	options: eventTypes,
	default: [usual],
	hint,
});

const limitedTo = (event: string, session: string) => [
	optional(eventLocator, `Only this event, its sessions and their people. ${event}`),
	optional(sessionLocator, `Only this session and its people. ${session}`),
];

const jobIds = (description: string) =>
	textField('jobIds', description, {
		displayName: 'Job IDs',
		placeholder: 'e.g. 7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b',
	});

export const triggerProperties: INodeProperties[] = [
	authentication,
	triggerOn(
		webhookKinds,
		defaultEventTypes.webhook,
		"Fires for the whole workspace. Use 'Options' to limit it.",
	),
	choiceField(
		'subscription',
		{
			automatic:
				'Create the webhooks when you publish the workflow, and remove them when you unpublish it',
			manual: 'Enter the URL on the platform yourself',
		},
		'automatic',
		"Who creates the webhooks on the platform. 'Automatic' needs the scope webhooks:write and a public HTTPS URL of this n8n.",
		{ noDataExpression: true },
	),
	{
		displayName: 'Check Subscription',
		name: 'pollTimes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Time' },
		// Shown always: n8n reads it on every activation, and finds no default of a parameter that is hidden.
		default: { item: [{ mode: 'everyX', value: 6, unit: 'hours' }] },
		description:
			'How often to check that the webhooks still exist, and to fetch missed events. If nothing is missing, a check uses one request.',
		placeholder: 'Add Time',
		options: cronNodeOptions,
	},
	{
		displayName:
			"Copy the 'Production URL' from 'Webhook URLs' above and enter it on the platform as the URL of a new webhook, one for each of the events chosen here. Remove these webhooks when you no longer use the workflow. Add the event to each URL, e.g. ?event=session.ended, because a delivery may not say what happened.",
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { subscription: ['manual'] } },
	},
	choiceField(
		'verify',
		{
			api: 'Ask the API about each delivery and use its answer. Uses one request for each.',
			auto: [
				'Automatic',
				'Check the secret key in the URL, and the signature if the credential has a signing secret. Without either, ask the API.',
			],
			none: 'Accept any request. For testing only.',
			signature:
				"Check the signature with the 'Webhook Signing Secret' of the credential. Uses no requests.",
		},
		'auto',
		'How to check that a delivery comes from the platform',
		{ noDataExpression: true },
	),
	choiceField(
		'output',
		{
			failedTasks:
				'One item for each person who was refused, with the reason. Emails are known for jobs that the same n8n process started.',
			job: 'One item with the counts of the job',
			tasks: 'One item for each person of the job',
		},
		'job',
		'What to return for an ended job',
		{ displayOptions: { show: { events: [defaultEventTypes.webhook] } } },
	),
	simplifyField,
	options([
		numberField(
			'confirmationsPerMinute',
			120,
			'Max API requests per minute that deliveries may cause. The platform sends further deliveries again later.',
			{
				typeOptions: { minValue: 1, maxValue: 300 },
				displayOptions: { show: { '/verify': ['auto', 'api'] } },
			},
		),
		switchField(
			'deduplicate',
			true,
			'Whether to start only one run for an event that is delivered several times',
		),
		joinLinkOption,
		...limitedTo(
			"Does not apply to 'Job Ended', because a job does not name its event.",
			"Does not apply to events and 'Job Ended'.",
		),
		jobIds('Only these jobs, comma-separated'),
		switchField(
			'onlyWithFailures',
			true,
			'Whether to ignore jobs in which everyone was registered',
		),
		textField('otherEvents', 'Other kinds of events that the platform offers, comma-separated', {
			placeholder: 'e.g. people.unsubscribed, session.canceled',
		}),
	]),
];

export const pollingProperties: INodeProperties[] = [
	{
		displayName:
			"Every 15 minutes uses about 2,900 of 10,000 monthly requests, and no interval uses more than a third of them ('Limit Monthly Requests'). With a public URL, use the Event Platform Trigger.",
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	authentication,
	triggerOn(
		webhookKinds.filter(
			({ value }) => eventTypeOf(String(value)).isAskedById || canBeListed(String(value)),
		),
		defaultEventTypes.polling,
		"Watched replays aren't available here. 'Job Ended' needs 'Job IDs'.",
	),
	...limitedTo(
		"If empty, the whole workspace. Does not apply to 'Job Ended'.",
		"If empty, all sessions that are open or ended recently. Does not apply to events and 'Job Ended'.",
	),
	simplifyField,
	options([
		numberField(
			'endedWithinDays',
			1,
			'How many days after its end a session is still checked. Upcoming, live and on-demand sessions are always checked.',
			{ typeOptions: { minValue: 0, maxValue: 365 } },
		),
		jobIds(
			"The jobs to wait for, comma-separated, for 'Job Ended'. Jobs that ended before the activation are included.",
		),
		joinLinkOption,
		switchField(
			'keepToShare',
			true,
			"Whether to use at most a third of the month's requests. Checks beyond that are skipped, and the next check finds everything since. Turn off to check at every poll time.",
			{ displayName: 'Limit Monthly Requests' },
		),
		dateField(
			'startFrom',
			'Include events since this time. If empty, only events after the activation. After a change of this time, events since then may start a second run, with the same event_key.',
		),
	]),
];
