import type { INodeTypeDescription } from 'n8n-workflow';

/** What an AI that builds workflows has to know to choose a node and connect it. People do not see it. */

const action = 'n8n-nodes-event-platform.eventPlatform';
const trigger = `${action}Trigger`;
const pollingTrigger = `${action}PollingTrigger`;

export const actionHint = hint(
	"People register for a session, which is one date of an event. For more than a few people use the resource 'registration' with the operation 'bulkRegister' once, with one input item for each person: no loop, batches, waiting or retry around it, because the node keeps to the rate limit, waits for the jobs and gives one item for each person with a 'status'. To make the registrants of a session those of a list use the operation 'sync'. With 'returnAll' a list is read to its end; no pagination is needed.",
	[trigger, 'Starts a workflow when somebody registers or attends, or a bulk job has ended'],
	[pollingTrigger, 'The same for an n8n without a public HTTPS address'],
);

export const triggerHint = hint(
	"It subscribes and unsubscribes on the platform by itself, so that nothing else has to receive or register webhooks. n8n needs a public HTTPS address. 'event_key' is the same however often an event arrives.",
	[pollingTrigger, 'For an n8n that the platform cannot reach, such as one on localhost'],
	[action, 'Reads and changes what the event is about'],
);

export const pollingTriggerHint = hint(
	'Every 5 minutes or more: each check costs a request of the quota of the month. It gives each event once; no Remove Duplicates node is needed.',
	[trigger, 'Better if n8n has a public HTTPS address: starts at once and needs few requests'],
	[action, 'Reads and changes what the event is about'],
);

function hint(
	searchHint: string,
	...related: Array<[nodeType: string, relationHint: string]>
): INodeTypeDescription['builderHint'] {
	const relatedNodes = related.map(([nodeType, relationHint]) => ({ nodeType, relationHint }));
	return { searchHint, relatedNodes };
}
