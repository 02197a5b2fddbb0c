import type { INodeProperties } from 'n8n-workflow';

export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: 'https://api.livestorm.co',
	required: true,
	placeholder: 'e.g. https://api.livestorm.co',
	description:
		'Root of the API, without /v1. Another one is for a region of the platform, a proxy that leads to it, or its sandbox.',
};

/** n8n's own test of an OAuth2 credential cannot say it. */
export const unencrypted: INodeProperties = {
	displayName:
		'Over http://, anyone on the network can read the token. Use it only for a sandbox on this machine or in your own network.',
	name: 'unencrypted',
	type: 'notice',
	default: '',
	displayOptions: { show: { baseUrl: [{ _cnd: { startsWith: 'http://' } }] } },
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

export const reserve: INodeProperties = {
	displayName: 'Requests Reserved for Registrations',
	name: 'reserve',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: '',
	placeholder: 'e.g. 500',
	description:
		"How many of the month's requests only registrations may use. When no more are left, lists, polling, lookups and downloads stop until the month returns; registering people, 'Sync' and the results of their jobs go on. When empty, nothing is reserved.",
};
