import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { credentials } from './n8n/authentication';
import { check } from './trigger/check';
import { properties } from './trigger/description';
import { checkExists, create, remove } from './trigger/hooks';
import { webhook } from './trigger/webhook';

export class EventPlatformTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Platform Trigger',
		name: 'eventPlatformTrigger',
		icon: { light: 'file:eventPlatform.svg', dark: 'file:eventPlatform.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{$parameter["events"].join(", ")}}',
		// The node panel shows one entry for this and the other node, with this description.
		description:
			'Register people, read events and sessions, and start workflows when something happens on a web-event platform such as Livestorm',
		defaults: { name: 'Event Platform Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties,
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await checkExists(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await remove(this);
			},
		},
	};

	async poll(this: IPollFunctions): Promise<null> {
		return await check(this);
	}

	/**
	 * Hands on what the webhook started the run with. In a run from the editor n8n would otherwise call
	 * `poll` and put its result in place of that.
	 */
	execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return Promise.resolve([this.getInputData()]);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await webhook(this);
	}
}
