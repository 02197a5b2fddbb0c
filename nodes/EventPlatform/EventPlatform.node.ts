import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { properties, subtitle } from './assemble';
import { actionHint } from './builderHints';
import { authentication } from './n8n/authentication';
import { credentialTest } from './n8n/credentialTest';
import { listSearch, loadOptions, resourceMapping } from './methods';
import { route } from './router';

export class EventPlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Platform',
		name: 'eventPlatform',
		icon: { light: 'file:eventPlatform.svg', dark: 'file:eventPlatform.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description:
			'Manage webinars on the web-event platform Livestorm: events, sessions, registrations, attendance and recordings',
		defaults: { name: 'Event Platform' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: actionHint,
		// Of records as sent: what logs a person in, and links that work for anybody who has them. Versions
		// of n8n that do not know the list ignore it.
		sensitiveOutputFields: [
			...['', 'data.', 'data.data.', 'included[*].'].flatMap((record) =>
				['connection_link', 'password_key'].map(
					(key) => `${record}attributes.registrant_detail.${key}`,
				),
			),
			'attributes.url',
			'included[*].attributes.url',
		],
		// Those of the triggers; n8n and its lint look for the test of a credential here.
		credentials: [
			{
				name: 'eventPlatformOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
			{
				name: 'eventPlatformApi',
				required: true,
				testedBy: 'apiToken',
				displayOptions: { show: { authentication: ['apiToken'] } },
			},
		],
		properties: [authentication, ...properties],
	};

	methods = { credentialTest, listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await route(this);
	}
}
