import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { triggerHint } from './builderHints';
import { listSearch } from './editor';
import { credentials } from './n8n/authentication';
import { chosenEventsSubtitle, triggerProperties } from './triggers/description';
import {
	checkSubscriptions,
	subscribeAtActivation,
	unsubscribeAtDeactivation,
} from './triggers/lifecycle';
import { takeDelivery } from './triggers/webhook';

export class EventPlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Platform Trigger',
		name: 'eventPlatformTrigger',
		icon: { light: 'file:eventPlatform.svg', dark: 'file:eventPlatform.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: chosenEventsSubtitle,
		// The node panel shows one entry for this and the other node, with this description.
		description:
			'Manage webinars on the web-event platform Livestorm: events, sessions, registrations, attendance and recordings',
		defaults: { name: 'Event Platform Trigger' },
		eventTriggerDescription:
			"Now cause a chosen event: register yourself, start or end a session, or run 'Bulk Register' in another tab. It arrives here within seconds.",
		activationMessage:
			'The workflow now starts when Livestorm sends a chosen event. The executions show what arrives.',
		triggerPanel: {
			header: 'Listen for Livestorm events',
			executionsHelp:
				"<b>To try it</b>, click 'Execute step', then cause a chosen event: register yourself, start or end a session, or run 'Bulk Register' in another tab. If Livestorm cannot reach this n8n, for example on localhost, use the Event Platform Polling Trigger.<br /><br /><b>Once published</b>, the workflow runs for every chosen event. The <a data-key='executions'>executions</a> show what arrived.",
		},
		builderHint: triggerHint,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				// Somebody who sees the URL would enter it on the platform, where the trigger has already done that.
				ndvHideUrl: '={{ $parameter["subscription"] !== "manual" }}',
			},
		],
		properties: triggerProperties,
	};

	methods = { listSearch };

	webhookMethods = {
		default: {
			/** n8n then calls `create`, which asks the platform what is missing. */
			checkExists: (): Promise<boolean> => Promise.resolve(false),
			create(this: IHookFunctions): Promise<boolean> {
				return subscribeAtActivation(this);
			},
			delete(this: IHookFunctions): Promise<boolean> {
				return unsubscribeAtDeactivation(this);
			},
		},
	};

	poll = checkSubscriptions;

	webhook = takeDelivery;

	/** In a run from the editor n8n would otherwise put the result of `poll` in place of what the webhook has. */
	execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return Promise.resolve([this.getInputData()]);
	}
}
