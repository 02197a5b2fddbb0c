import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';
import { choiceField, switchField, textField } from '../nodes/EventPlatform/fields/fieldBuilders';
import { composedScope, readablePath, scopeChoices, startScopes } from './scopes';
import {
	addressFields,
	httpRequestNodeEntry,
	limitFields,
	webhookSecretField,
} from './sharedFields';

/** Writes the address of an endpoint of the authorization server, whose root may end with slashes. */
const endpoint = (path: string) =>
	`={{$self["authServerUrl"].trim().replace(/\\/+$/, "")}}/oauth/${path}`;

const elsewhere =
	"Something other than the platform answers at the 'Base URL'. Enter the root of its API, such as https://api.livestorm.co.";

/** Describes what a status of the test means. */
const refused = (value: number, message: string) =>
	({ type: 'responseCode', properties: { value, message } }) as const;

const testRules = [
	// Nothing can turn an error into a success here.
	refused(
		400,
		'The platform answers with 400. If the workspace has no event yet, that is all it means: the access token is right.',
	),
	refused(
		401,
		'The platform does not accept the access token (401). Connect the credential again.',
	),
	refused(
		403,
		'The platform refuses the access token (403): the workspace is blocked, or the app on the platform has other scopes than this credential.',
	),
	refused(404, elsewhere),
	{
		type: 'responseSuccessBody',
		properties: { key: 'data', value: undefined, message: elsewhere },
	},
];

/** Describes a field that n8n needs and nobody chooses. */
function hiddenField(name: string, displayName: string, value: string): INodeProperties {
	return { displayName, name, type: 'hidden', default: value };
}

export class EventPlatformOAuth2Api implements ICredentialType {
	name = 'eventPlatformOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Event Platform (Livestorm) OAuth2 API';

	icon = {
		light: 'file:../nodes/EventPlatform/eventPlatform.svg',
		dark: 'file:../nodes/EventPlatform/eventPlatform.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/event-platform-connector/n8n-nodes-event-platform#oauth2';

	/** One entry is enough: that of the API token. */
	httpRequestNode = { ...httpRequestNodeEntry, hidden: true };

	properties: INodeProperties[] = [
		...addressFields,
		textField('authServerUrl', 'URL of the authorization server, without /oauth', {
			displayName: 'Authorization Server URL',
			default: 'https://app.livestorm.co',
			required: true,
			placeholder: 'e.g. https://app.livestorm.co',
		}),
		choiceField(
			'access',
			{
				selected: { name: 'Selected', description: 'Only the scopes below (recommended)' },
				readAll: {
					name: 'Read Everything',
					description: 'The scope full:read and the write scopes below',
				},
				full: { name: 'Full', description: 'The scope full:write, which includes everything' },
			},
			'selected',
			'What the connection may do. It must match the scopes of the app in Livestorm.',
		),
		choiceField(
			'scopes',
			scopeChoices(),
			startScopes,
			'A write scope includes the read scope of the same name',
			{ required: true, displayOptions: { show: { access: ['selected'] } } },
		),
		choiceField(
			'writeScopes',
			scopeChoices(':write'),
			[],
			'Scopes for changes, in addition to reading everything',
			{ displayOptions: { show: { access: ['readAll'] } } },
		),
		switchField(
			'usePkce',
			true,
			'Whether to add PKCE (S256) to the sign-in. Leave on unless the server rejects it.',
			{ displayName: 'Use PKCE' },
		),
		...limitFields,
		webhookSecretField,
		hiddenField('scope', 'Scope', composedScope),
		hiddenField('grantType', 'Grant Type', 'authorizationCode'),
		{ ...hiddenField('authUrl', 'Authorization URL', endpoint('authorize')), required: true },
		{ ...hiddenField('accessTokenUrl', 'Access Token URL', endpoint('token')), required: true },
		hiddenField('authQueryParameters', 'Auth URI Query Parameters', ''),
		hiddenField('authentication', 'Authentication', 'body'),
	];

	// n8n lets no code test an OAuth2 credential. A list of what the scopes allow is what only the platform
	// answers with: everything that answers 200 to a ping would pass otherwise.
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
			url: readablePath,
		},
		rules: testRules as ICredentialTestRequest['rules'],
	};
}
