import type { INodeProperties } from 'n8n-workflow';

export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: 'https://api.livestorm.co',
	required: true,
	placeholder: 'e.g. https://api.livestorm.co',
	description: 'Root of the API, without /v1',
};

export const webhookSecret: INodeProperties = {
	displayName: 'Webhook Signing Secret',
	name: 'webhookSecret',
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description:
		'Only for triggers that verify signatures: the secret that the platform signs its webhooks with',
};

/** What tests a credential, with the base URL as people enter it. */
export const ping = {
	baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
	url: '/v1/ping',
};
