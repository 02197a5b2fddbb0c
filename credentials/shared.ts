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

export const requestsPerSecond: INodeProperties = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0.01, numberPrecision: 2 },
	default: '',
	placeholder: 'e.g. 2.5',
	description:
		'The most that one n8n process sends. When empty, all that the platform allows. For those who run several workers or share the token with other tools: divide what the platform allows by the number of processes, such as 0.4 for each of twelve workers.',
};
