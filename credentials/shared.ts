import type { INodeProperties } from 'n8n-workflow';
import { emptyNumberField, textField } from '../nodes/EventPlatform/fields/field';

/** Where the API is. */
export const address: INodeProperties[] = [
	textField(
		'baseUrl',
		'Root of the API, without /v1. Change it only for a region of the platform, a proxy in front of it, or the sandbox.',
		{
			default: 'https://api.livestorm.co',
			required: true,
			placeholder: 'e.g. https://api.livestorm.co',
		},
	),
	// n8n's own test of an OAuth2 credential cannot say it.
	{
		displayName:
			'Over http://, anyone on the network can read the token. Use it only for a sandbox on this machine or in your own network.',
		name: 'unencrypted',
		type: 'notice',
		default: '',
		displayOptions: { show: { baseUrl: [{ _cnd: { startsWith: 'http://' } }] } },
	},
];

/** How much of the platform's limits is used, and how its webhooks are checked. */
export const use: INodeProperties[] = [
	emptyNumberField(
		'requestsPerSecond',
		'Max number that one n8n process sends. If empty, all that the platform allows. If several workers or other tools share the token, divide the limit of the platform by the number of processes, such as 0.4 for each of twelve workers.',
		{
			displayName: 'Requests per Second',
			typeOptions: { minValue: 0.01, numberPrecision: 2 },
			placeholder: 'e.g. 2.5',
		},
	),
	emptyNumberField(
		'reserve',
		"How many of the month's requests to keep for registrations. When no more than these are left, lists, polling, lookups and downloads fail until the requests return. Registrations, 'Sync' and the results of jobs continue. If empty, nothing is reserved.",
		{
			displayName: 'Requests Reserved for Registrations',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			placeholder: 'e.g. 500',
		},
	),
	textField(
		'webhookSecret',
		'Secret that the platform signs its webhooks with. Only needed for triggers that verify signatures.',
		{ displayName: 'Webhook Signing Secret', typeOptions: { password: true } },
	),
];
