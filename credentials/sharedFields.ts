import type { ICredentialTestRequest, INodeProperties } from 'n8n-workflow';
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
	// The notice stands here, because n8n's test of a credential cannot warn of an unencrypted connection.
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

const notLivestorm =
	"Something other than Livestorm answers at the 'Base URL'. Enter the root of its API, such as https://api.livestorm.co.";

const ruleForStatus = (value: number, message: string) =>
	({ type: 'responseCode', properties: { value, message } }) as const;

const testRules = [
	// No rule can turn an error into a success, so the message has to say when the token is right all the same.
	ruleForStatus(
		400,
		'Livestorm answers with 400. If the workspace has no event yet, that is all it means: the token is right.',
	),
	ruleForStatus(
		401,
		'Livestorm does not accept the token (401). An API token may be mistyped or deleted: copy it again. An OAuth2 credential may have to be connected again.',
	),
	ruleForStatus(
		403,
		'Livestorm refuses the token (403): the workspace is blocked, or the token lacks the scope for the list that the test reads. For an API token that is events:read; with other scopes it works for what they allow.',
	),
	ruleForStatus(404, notLivestorm),
	{
		type: 'responseSuccessBody',
		properties: { key: 'data', value: undefined, message: notLivestorm },
	},
];

/** The test reads a list, because only the platform responds with one: with a ping, every server that responds with 200 would pass. */
export function credentialTest(pathOfList: string): ICredentialTestRequest {
	return {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
			url: pathOfList,
		},
		rules: testRules as ICredentialTestRequest['rules'],
	};
}
