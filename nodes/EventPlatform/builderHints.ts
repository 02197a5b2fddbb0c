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
	title: string;
	/** The parameters besides resource and operation, as code. */
	parameters: string;
}

const sessionOfItem = `sessionId: { __rl: true, mode: 'id', value: expr('{{ $json.session_id }}') },`;
const byColumns = `fields: { mappingMode: 'autoMapInputData', value: null, schema: [] },`;

const examples: Example[] = [
	{
		resource: 'registration',
		operation: 'bulkRegister',
		title: 'Register a list of people',
		parameters: `${sessionOfItem}
${byColumns}`,
	},
	{
		resource: 'registration',
		operation: 'sync',
		title: 'See what would change, in a dry run',
		parameters: `${sessionOfItem}
${byColumns}
options: { dryRun: true, removeOthers: false },`,
	},
	{
		resource: 'registration',
		operation: 'register',
		title: 'Register one person and get the personal link',
		parameters: `${sessionOfItem}
fields: {
  mappingMode: 'defineBelow',
  value: { email: expr('{{ $json.email }}'), first_name: expr('{{ $json.first_name }}') },
  schema: [],
},
options: { includeJoinLink: true },`,
	},
	{
		resource: 'session',
		operation: 'getPeople',
		title: 'Everyone who registered and did not attend',
		parameters: `${sessionOfItem}
returnAll: true,
filters: { attended: false },`,
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
];

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
		"People register for a session, which is one date of an event. For a list of people use 'bulkRegister' of 'registration' once, with one input item for each person: no loop, batches, waiting or retry around it. It gives one item for each person with a 'status'. To make the registrants of a session those of a list use 'sync'. For who came, for how long and from where use 'getReport' of 'session' or 'event', without a list, a loop or code; its output 'page' is HTML for a mail. For answers, mappingMode 'autoMapInputData' with value null takes each input field named like a question; with 'defineBelow' the keys of value are IDs of questions, such as email. 'returnAll' reads a list to its end. The option 'fields' takes names of fields, 'usual' or 'all'; the names stand where the records are listed.",
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
