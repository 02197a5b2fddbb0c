import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { pollingTriggerHint } from './builderHints';
import { listSearch } from './editor';
import { credentials } from './n8n/authentication';
import { pollInTurn } from './triggers/polling';
import { chosenEventsSubtitle, pollingProperties } from './triggers/description';

export class EventPlatformPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Platform Polling Trigger',
		name: 'eventPlatformPollingTrigger',
		icon: { light: 'file:eventPlatform.svg', dark: 'file:eventPlatform.dark.svg' },
		group: ['trigger'],
		version: 1,
		polling: true,
		subtitle: chosenEventsSubtitle,
		description:
			'Checks at intervals who registered and what started or ended. If n8n has a public URL, use the Event Platform Trigger: it uses far fewer requests.',
		defaults: { name: 'Event Platform Polling Trigger' },
		builderHint: pollingTriggerHint,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		// n8n puts the poll times in front.
		properties: [...pollingProperties],
	};

	methods = { listSearch };

	poll = pollInTurn;
}
