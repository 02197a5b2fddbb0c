import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { properties } from './assemble';
import { apiToken, authentication, oAuth2 } from './n8n/authentication';
import { credentialTest } from './n8n/credentialTest';
import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/loadOptions';
import { resourceMapping } from './methods/resourceMapping';
import { resources } from './resources';
import { route } from './router';

export class EventPlatform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Event Platform',
		name: 'eventPlatform',
		icon: { light: 'file:eventPlatform.svg', dark: 'file:eventPlatform.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description:
			'Manage webinars and registrations on a web-event platform such as Livestorm: events, sessions, people, bulk registration',
		defaults: { name: 'Event Platform' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [oAuth2, { ...apiToken, name: 'eventPlatformApi', testedBy: 'apiToken' }],
		properties: [authentication, ...properties(resources)],
	};

	methods = { credentialTest, listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await route(this);
	}
}
