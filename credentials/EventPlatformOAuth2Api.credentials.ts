import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';
import { choiceField, switchField, textField } from '../nodes/EventPlatform/fields/fieldBuilders';
import { composedScope, readablePath, scopeChoices, startScopes } from './scopes';
import {
	addressFields,
	credentialTest,
	httpRequestNodeEntry,
	limitFields,
	webhookSecretField,
} from './sharedFields';

/** Writes the address of an endpoint of the authorization server, whose root may end with slashes. */
const endpoint = (path: string) =>
	`={{$self["authServerUrl"].trim().replace(/\\/+$/, "")}}/oauth/${path}`;

/** Describes a hidden field: n8n needs its value, and nobody chooses it. */
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

	/** The entry in the HTTP Request node is hidden, because that of the API token is enough. */
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

	test: ICredentialTestRequest = credentialTest(readablePath);
}
