import type { IBuilderHintVariation, INodeTypeDescription } from 'n8n-workflow';

type BuilderHint = NonNullable<INodeTypeDescription['builderHint']>;

/* An AI that builds workflows reads these hints to choose a node and connect it. People do not see them. */

const action = 'n8n-nodes-event-platform.eventPlatform';
const trigger = `${action}Trigger`;
const pollingTrigger = `${action}PollingTrigger`;

/** An example of an operation. A model reads all of them, so each stands once and has only what the operation is about. */
interface Example {
	resource: string;
	operation: string;
	/** The purpose of the example, in words. */
	title: string;
	/** The parameters besides resource and operation, as code. */
	parameters: string;
}

const session = `sessionId: { __rl: true, mode: 'id', value: expr('{{ $json.session_id }}') },`;
const byColumns = `fields: { mappingMode: 'autoMapInputData', value: null, schema: [] },`;

const examples: Example[] = [
	{
		resource: 'registration',
		operation: 'bulkRegister',
		title:
			'Register a list: one input item for each person, whose columns are named like the questions',
		parameters: `${session}
${byColumns}`,
	},
	{
		resource: 'registration',
		operation: 'sync',
		title: 'Make the registrants those of a list, and look first: nothing changes in a dry run',
		parameters: `${session}
${byColumns}
options: { dryRun: true, removeOthers: false },`,
	},
	{
		resource: 'registration',
		operation: 'register',
		title: 'Register one person and get the personal link',
		parameters: `${session}
fields: {
  mappingMode: 'defineBelow',
  value: { email: expr('{{ $json.email }}'), first_name: expr('{{ $json.first_name }}') },
  schema: [],
},
options: { includeJoinLink: true },`,
	},
	{
		resource: 'registration',
		operation: 'get',
		title: 'Find the person of a registration by email',
		parameters: `${session}
by: 'email',
email: expr('{{ $json.email }}'),`,
	},
	{
		resource: 'session',
		operation: 'getPeople',
		title: 'Everyone who registered and did not attend',
		parameters: `${session}
returnAll: true,
filters: { attended: false },`,
	},
	{
		resource: 'session',
		operation: 'getReport',
		title:
			"Who came to a session, for how long and from where, in one step: 'summary' is one item, 'page' one with HTML for a mail",
		parameters: `${session}
output: 'summary',`,
	},
	{
		resource: 'event',
		operation: 'getReport',
		title: 'The people of all sessions of an event by the campaign that they came from',
		parameters: `eventId: { __rl: true, mode: 'id', value: expr('{{ $json.event_id }}') },
output: 'groups',
groupBy: 'utmCampaign',`,
	},
	{
		resource: 'session',
		operation: 'getAll',
		title: 'The sessions that are still to come',
		parameters: `returnAll: true,
filters: { status: 'upcoming' },`,
	},
	{
		resource: 'session',
		operation: 'getCalendarFile',
		title: 'A calendar file in the binary field data, for the attachment of a mail',
		parameters: `${session}
options: { joinLink: expr('{{ $json.join_link }}') },`,
	},
	{
		resource: 'event',
		operation: 'create',
		title: 'An event with a session; the start without an offset is on the clock of its time zone',
		parameters: `title: 'Product demo',
sessions: {
  session: [{ estimatedStartedAt: '2027-03-01T10:00:00', timezone: { __rl: true, mode: 'list', value: 'Europe/Paris' } }],
},
additionalFields: { status: 'published' },`,
	},
	{
		resource: 'job',
		operation: 'wait',
		title: 'A job of a bulk registration that did not wait',
		parameters: `jobId: expr('{{ $json.job_id }}'),`,
	},
];

/** Writes an example as n8n's builder reads it: as code of its workflow SDK. */
function variationOf({ resource, operation, title, parameters }: Example): IBuilderHintVariation {
	return {
		displayOptions: { show: { resource: [resource], operation: [operation] } },
		content: `<pattern title="${title}">
${parameters}
</pattern>`,
	};
}

export const actionHint: BuilderHint = {
	searchHint:
		"People register for a session, which is one date of an event. For more than a few people use the resource 'registration' with the operation 'bulkRegister' once, with one input item for each person: no loop, batches, waiting or retry around it. It gives one item for each person with a 'status'. To make the registrants of a session those of a list use the operation 'sync'. For who came, for how long and from where use the resource 'session' or 'event' with the operation 'getReport', without a list, a loop or code. For the answers of people, mappingMode 'autoMapInputData' with value null takes each input field named like a question; with 'defineBelow' the keys of value are IDs of questions, such as email. With 'returnAll' a list is read to its end; no pagination is needed. The option 'fields' takes names of fields, 'usual' or 'all'; the names stand where the records are listed.",
	relatedNodes: [
		{
			nodeType: trigger,
			relationHint: 'Starts a workflow when somebody registers or attends, or a bulk job has ended',
		},
		{
			nodeType: pollingTrigger,
			relationHint: 'The same for an n8n without a public HTTPS address',
		},
	],
	extraTypeDefContent: examples.map(variationOf),
};

export const triggerHint: BuilderHint = {
	searchHint:
		"It subscribes and unsubscribes on the platform by itself, so that nothing else has to receive or register webhooks. n8n needs a public HTTPS address. 'event_key' is the same however often an event arrives.",
	relatedNodes: [
		{
			nodeType: pollingTrigger,
			relationHint: 'For an n8n that the platform cannot reach, such as one on localhost',
		},
		{ nodeType: action, relationHint: 'Reads and changes what the event is about' },
	],
};

export const pollingTriggerHint: BuilderHint = {
	searchHint:
		'Every 5 minutes or more: each check costs a request of the quota of the month. It gives each event once; no Remove Duplicates node is needed.',
	relatedNodes: [
		{
			nodeType: trigger,
			relationHint:
				'Better if n8n has a public HTTPS address: starts at once and needs few requests',
		},
		{ nodeType: action, relationHint: 'Reads and changes what the event is about' },
	],
};
