import type { INodeProperties } from 'n8n-workflow';

export const baseUrl: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	default: 'https://api.livestorm.co',
	required: true,
	placeholder: 'e.g. https://api.livestorm.co',
	description:
		'Root of the API, without /v1. Change it only for a region of the platform, a proxy in front of it, or the sandbox.',
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
		'Secret that the platform signs its webhooks with. Only needed for triggers that verify signatures.',
};

export const requestsPerSecond: INodeProperties = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0.01, numberPrecision: 2 },
	default: '',
	placeholder: 'e.g. 2.5',
	description:
		'Max number that one n8n process sends. If empty, all that the platform allows. If several workers or other tools share the token, divide the limit of the platform by the number of processes, such as 0.4 for each of twelve workers.',
};

export const reserve: INodeProperties = {
	displayName: 'Requests Reserved for Registrations',
	name: 'reserve',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: '',
	placeholder: 'e.g. 500',
	description:
		"How many of the month's requests to keep for registrations. When no more than these are left, lists, polling, lookups and downloads fail until the requests return. Registrations, 'Sync' and the results of jobs continue. If empty, nothing is reserved.",
};
