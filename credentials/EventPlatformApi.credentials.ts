import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

export class EventPlatformApi implements ICredentialType {
	name = 'eventPlatformApi';

	displayName = 'Event Platform API';

	icon = {
		light: 'file:../nodes/EventPlatform/eventPlatform.svg',
		dark: 'file:../nodes/EventPlatform/eventPlatform.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/event-platform-connector/n8n-nodes-event-platform#api-token';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://api.livestorm.co',
			required: true,
			placeholder: 'e.g. https://api.livestorm.co',
			description: 'Root of the API, without /v1',
		},
		{
			displayName: 'API Token',
			name: 'apiToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Created by an administrator of the workspace in its account settings',
		},
		{
			displayName: 'Webhook Signing Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Only for triggers that verify signatures: the secret that the platform signs its webhooks with',
		},
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				// 5.1: the token as it is. With a Bearer prefix it would be looked up as an OAuth token.
				Authorization: '={{$credentials.apiToken}}',
			},
		},
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
			url: '/v1/ping',
		},
	};
}
