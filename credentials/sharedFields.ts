import type { INodeProperties } from 'n8n-workflow';
import { emptyNumberField, textField } from '../nodes/EventPlatform/fields/fieldBuilders';

/** The HTTP Request node offers the credential for requests that go beyond the nodes. */
export const httpRequestNodeEntry = {
	name: 'Livestorm',
	docsUrl: 'https://developers.livestorm.co',
	apiBaseUrl: 'https://api.livestorm.co/v1/',
};

export const addressFields: INodeProperties[] = [
	textField(
		'baseUrl',
		'URL of the API, without /v1. Change it only for a proxy in front of it, or the sandbox.',
		{
			default: 'https://api.livestorm.co',
			required: true,
			placeholder: 'e.g. https://api.livestorm.co',
		},
	),
	// The notice stands here, because n8n's own test of an OAuth2 credential cannot warn of an unencrypted connection.
	{
		displayName:
			'With http:// the token is sent unencrypted. Use it only for a sandbox on your own machine or network.',
		name: 'unencrypted',
		type: 'notice',
		default: '',
		displayOptions: { show: { baseUrl: [{ _cnd: { startsWith: 'http://' } }] } },
	},
];

export const limitFields: INodeProperties[] = [
	emptyNumberField(
		'requestsPerSecond',
		"Max requests that one n8n process sends per second. Empty: Livestorm's 5. If several workers or tools share the token, divide, e.g. 0.4 for each of twelve.",
		{
			displayName: 'Requests per Second',
			typeOptions: { minValue: 0.01, numberPrecision: 2 },
			placeholder: 'e.g. 2.5',
		},
	),
];

export const webhookSecretField: INodeProperties = textField(
	'webhookSecret',
	'Secret that Livestorm signs its webhooks with. Only needed if a trigger verifies signatures.',
	{ displayName: 'Webhook Signing Secret', typeOptions: { password: true } },
);
