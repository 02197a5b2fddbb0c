import { cronNodeOptions, type INodeProperties } from 'n8n-workflow';
import {
	defaultEventTypes,
	eventTypeOf,
	eventTypeTable,
	isPollable,
	scheduleTypes,
} from '../core/events/eventTypes';
import { defaultLeadTimes, leadUnits } from '../core/polling/schedule/leadTime';
import { authentication } from '../n8n/authentication';
import {
	choiceField,
	dateField,
	numberField,
	optionsField,
	rowsField,
	switchField,
	textField,
} from '../fields/fieldBuilders';
import { simplifyField } from '../fields/recordFields';
import { chosenFromList, eventLocator, optionalLocator, sessionLocator } from '../fields/locators';
import { webhookEventTypes, eventTypeOptions } from '../fields/eventTypeFields';
import { joinLinkOption } from '../fields/sharedFields';
import { usualEndedWithinDays, usualLookupsPerMinute } from './parameters';

const triggerOn = (
	eventTypes: typeof webhookEventTypes,
	initial: string,
	hint: string,
): INodeProperties => ({
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	options: eventTypes,
	default: [initial],
	hint,
});

const titleFilter: INodeProperties = textField(
	'eventTitleContains',
	"Only events with this text in their title, their sessions and their people. Letter case does not matter. Doesn't apply to 'Job Ended'.",
	'webinar',
);

const limitedTo = (event: string, session: string) => [
	optionalLocator(eventLocator, `Only this event, its sessions and its people. ${event}`),
	optionalLocator(sessionLocator, `Only this session and its people. ${session}`),
	titleFilter,
];

const startTypes = scheduleTypes(Object.keys(eventTypeTable), 'start');

const jobIds = (description: string) =>
	textField('jobIds', description, {
		displayName: 'Job IDs',
		placeholder: 'e.g. 7f3c2b9e-1d4a-4c8e-9b7f-2a1d3e4f5a6b',
	});

export const triggerProperties: INodeProperties[] = [
	authentication,
	triggerOn(
		webhookEventTypes,
		defaultEventTypes.webhook,
		"Starts for every webinar of the workspace. Limit it under 'Options'.",
	),
	choiceField(
		'subscription',
		{
			automatic:
				'Create the webhooks when you publish the workflow, and remove them when you unpublish it',
			manual: 'Create the webhooks in Livestorm yourself',
		},
		'automatic',
		"Who creates the webhooks in Livestorm. 'Automatic' needs the scope webhooks:write, and n8n needs a public HTTPS URL.",
		{ noDataExpression: true },
	),
	{
		displayName:
			"Create one webhook per event in Livestorm, with the 'Production URL' above. Add the event to each URL, e.g. ?event=session.ended. Livestorm's page offers six events: create the others with 'Webhook: Create'. Delete the webhooks when you stop using this workflow.",
		name: 'manualNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { subscription: ['manual'] } },
	},
	choiceField(
		'verify',
		{
			api: 'Look up each event through the API and output the result. One request per event.',
			auto: {
				name: 'Automatic',
				description:
					'Check the key in the URL and, if the credential has a signing secret, the signature. If there is neither, look the event up: what the API does not show then starts nothing.',
			},
			none: 'Accept any request. For testing only.',
			signature:
				"Check the signature with the 'Webhook Signing Secret' of the credential. Takes no requests.",
		},
		'auto',
		'How to check that a delivery comes from Livestorm',
		{ noDataExpression: true },
	),
	choiceField(
		'output',
		{
			failedTasks: {
				name: 'People Not Registered',
				description:
					'One item per rejected person, with the reason. Includes the email only for jobs that this n8n process started.',
			},
			job: 'One item with the counts of the job',
			tasks: { name: 'People', description: 'One item per person of the job' },
		},
		'job',
		'What to return for an ended job',
		{ displayOptions: { show: { events: [defaultEventTypes.webhook] } } },
	),
	simplifyField,
	optionsField([
		numberField(
			'confirmationsPerMinute',
			usualLookupsPerMinute,
			'Max API requests per minute for looking up events. Livestorm resends the rest later.',
			{
				displayName: 'Max Lookups per Minute',
				typeOptions: { minValue: 1, maxValue: 300 },
				displayOptions: { show: { '/verify': ['auto', 'api'] } },
			},
		),
		switchField('deduplicate', true, 'Whether to ignore repeated deliveries of an event', {
			displayName: 'Ignore Duplicates',
		}),
		joinLinkOption,
		...limitedTo(
			"Doesn't apply to 'Job Ended', because a job does not name its event.",
			"Doesn't apply to 'Event Created', 'Event Published' and 'Job Ended'.",
		),
		jobIds('Comma-separated IDs of the jobs that start the workflow. If empty, all jobs.'),
		switchField(
			'onlyWithFailures',
			true,
			'Whether to skip jobs without failures. People who were registered before count as failures.',
			{ displayName: 'Only with Failures' },
		),
		textField(
			'otherEvents',
			"Comma-separated names of other events, if Livestorm's API offers more than 'Trigger On' has",
			{
				placeholder: 'e.g. name.of_event',
			},
		),
	]),
	{
		displayName: 'Check Subscription',
		name: 'pollTimes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Time' },
		// It is always shown, because n8n reads it on every activation and finds no default of a hidden parameter.
		default: { item: [{ mode: 'everyX', value: 6, unit: 'hours' }] },
		description:
			'How often to check that the webhooks still exist and to fetch missed events. A check usually takes one request.',
		placeholder: 'Add Time',
		options: cronNodeOptions,
	},
];

const leadTimesField: INodeProperties = rowsField(
	'leadTimes',
	'lead',
	'={{ $collection.item.value.amount }} {{ $collection.item.value.unit }}',
	[
		numberField('amount', 1, 'How long before the planned start', {
			typeOptions: { minValue: 1 },
		}),
		choiceField('unit', leadUnits, 'hours', 'A day is 24 hours'),
	],
	'When to start the workflow, before the planned start of a session. Each of them is told once.',
	{
		displayName: 'Lead Times',
		default: defaultLeadTimes,
		displayOptions: { show: { events: startTypes } },
	},
);

export const pollingProperties: INodeProperties[] = [
	{
		displayName:
			"Polling every 15 minutes takes about 2,900 of 10,000 monthly requests; what would take more than a third is skipped. For 'Session Starts Soon' and 'Session Changed' alone choose every minute: they take 24 to 96 requests a day, however often n8n polls.",
		name: 'costNotice',
		type: 'notice',
		default: '',
	},
	authentication,
	triggerOn(
		eventTypeOptions(isPollable),
		defaultEventTypes.polling,
		"'Job Ended' needs 'Job IDs'. 'Session Changed' arrives within an hour.",
	),
	leadTimesField,
	...limitedTo(
		"If empty, the whole workspace. Doesn't apply to 'Job Ended'.",
		"If empty, all sessions that are open or ended recently. Doesn't apply to 'Event Created', 'Event Published' and 'Job Ended'.",
	),
	simplifyField,
	optionsField([
		numberField(
			'endedWithinDays',
			usualEndedWithinDays,
			'Days after its end that a session is still checked. Upcoming, live and on-demand sessions are always checked.',
			{ typeOptions: { minValue: 0, maxValue: 365 } },
		),
		jobIds(
			"Comma-separated IDs of the jobs to watch for 'Job Ended', including jobs that have already ended",
		),
		joinLinkOption,
		switchField(
			'keepToShare',
			true,
			'Whether to use at most a third of the monthly requests. Polls beyond that are skipped; the next one catches up.',
			{ displayName: 'Limit Monthly Requests' },
		),
		dateField(
			'startFrom',
			'Include events since this fixed time, without $now. If empty, only events after the activation. If changed, events since then may start a second run, with the same event_key.',
		),
	]),
];

const namesByEventType = Object.fromEntries(
	Object.keys(eventTypeTable).map((eventType) => [eventType, eventTypeOf(eventType).name]),
);
const chosenEventsCode = `[].concat($parameter.events || []).map((eventType) => (${JSON.stringify(namesByEventType)})[eventType] || eventType).join(', ')`;
/** The webhook trigger has these among its options, the polling trigger beside them. */
const filterParameters = ['sessionId', 'eventId'].flatMap((name) => [name, `options?.${name}`]);

/** Shows the names of the chosen event types below a trigger on the canvas, and the session or event that limits it. */
export const chosenEventsSubtitle = `={{ [${chosenEventsCode}, ${chosenFromList(filterParameters)}].filter(Boolean).join(": ") }}`;
