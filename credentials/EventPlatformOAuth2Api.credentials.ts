import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';
import { baseUrl, requestsPerSecond, reserve, unencrypted, webhookSecret } from './shared';

/** Without slashes at the end. */
const root = (field: string) => `$self["${field}"].trim().replace(/\\/+$/, "")`;

// 5.3: full:read goes with single write scopes only, full:write with nothing else. A field that
// is not shown has no value, so a list left over from another choice cannot get in.
const scope = [
	'$self["access"] === "full" ? "full:write"',
	'$self["access"] === "readAll" ? ["full:read"].concat($self["writeScopes"] || []).join(" ")',
	'($self["scopes"] || []).join(" ")',
].join(' : ');

/** What the scopes of the credential allow to read. */
const testPath = [
	'/full|events/.test($credentials.scope) ? "/v1/events?page[size]=1"',
	'/admin/.test($credentials.scope) ? "/v1/users?page[size]=1"',
	'/webhooks/.test($credentials.scope) ? "/v1/webhooks?page[size]=1"',
	'"/v1/organization"',
].join(' : ');

const elsewhere =
	"Something other than the platform answers at the 'Base URL'. Enter the root of its API, such as https://api.livestorm.co.";

const refused = (value: number, message: string) =>
	({ type: 'responseCode', properties: { value, message } }) as const;

const testRules = [
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

const writeScopes = [
	{
		name: 'Administration: Write (admin:write)',
		value: 'admin:write',
		description: 'Read and change users and the organization',
	},
	{
		name: 'Events: Write (events:write)',
		value: 'events:write',
		description: 'Read and change events, sessions and people; needed for registration',
	},
	{
		name: 'Identity: Write (identity:write)',
		value: 'identity:write',
		description: 'Read and change the connected user and the organization',
	},
	{
		name: 'Webhooks: Write (webhooks:write)',
		value: 'webhooks:write',
		description: 'Read, create and delete webhooks; needed for the trigger',
	},
];

const readScopes = [
	{
		name: 'Administration: Read (admin:read)',
		value: 'admin:read',
		description: 'Read users and the organization',
	},
	{
		name: 'Events: Read (events:read)',
		value: 'events:read',
		description: 'Read events, sessions and people',
	},
	{
		name: 'Identity: Read (identity:read)',
		value: 'identity:read',
		description: 'Read the connected user and the organization',
	},
	{
		name: 'Webhooks: Read (webhooks:read)',
		value: 'webhooks:read',
		description: 'Read webhooks',
	},
];

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);

export class EventPlatformOAuth2Api implements ICredentialType {
	name = 'eventPlatformOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Event Platform (Livestorm) OAuth2 API';

	icon = {
		light: 'file:../nodes/EventPlatform/eventPlatform.svg',
		dark: 'file:../nodes/EventPlatform/eventPlatform.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/event-platform-connector/n8n-nodes-event-platform#oauth2';

	properties: INodeProperties[] = [
		baseUrl,
		unencrypted,
		{
			displayName: 'Authorization Server URL',
			name: 'authServerUrl',
			type: 'string',
			default: 'https://app.livestorm.co',
			required: true,
			placeholder: 'e.g. https://app.livestorm.co',
			description: 'Root of the authorization server, without /oauth',
		},
		{
			displayName: 'Access',
			name: 'access',
			type: 'options',
			options: [
				{
					name: 'Selected',
					value: 'selected',
					description: 'Only the scopes below (recommended)',
				},
				{
					name: 'Read Everything',
					value: 'readAll',
					description: 'The scope full:read and the write scopes below',
				},
				{
					name: 'Full',
					value: 'full',
					description: 'The scope full:write, which includes everything',
				},
			],
			default: 'selected',
			description:
				'What the connection may do. It must match the scopes of the app on the platform.',
		},
		{
			displayName: 'Scopes',
			name: 'scopes',
			type: 'multiOptions',
			options: [...readScopes, ...writeScopes].sort(byName),
			default: ['events:write', 'webhooks:write'],
			required: true,
			displayOptions: { show: { access: ['selected'] } },
			description: 'A write scope includes the read scope of the same name',
		},
		{
			displayName: 'Write Scopes',
			name: 'writeScopes',
			type: 'multiOptions',
			options: writeScopes,
			default: [],
			displayOptions: { show: { access: ['readAll'] } },
			description: 'Scopes for changes, in addition to reading everything',
		},
		{
			displayName: 'Use PKCE',
			name: 'usePkce',
			type: 'boolean',
			default: true,
			description:
				'Whether to protect the connection with a code challenge (S256) in addition to the client secret',
		},
		requestsPerSecond,
		reserve,
		webhookSecret,
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'hidden',
			default: `={{ ${scope} }}`,
		},
		{
			displayName: 'Grant Type',
			name: 'grantType',
			type: 'hidden',
			default: 'authorizationCode',
		},
		{
			displayName: 'Authorization URL',
			name: 'authUrl',
			type: 'hidden',
			default: `={{${root('authServerUrl')}}}/oauth/authorize`,
			required: true,
		},
		{
			displayName: 'Access Token URL',
			name: 'accessTokenUrl',
			type: 'hidden',
			default: `={{${root('authServerUrl')}}}/oauth/token`,
			required: true,
		},
		{
			displayName: 'Auth URI Query Parameters',
			name: 'authQueryParameters',
			type: 'hidden',
			default: '',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'hidden',
			default: 'body',
		},
	];

	// n8n lets no code test an OAuth2 credential. A list of what the scopes allow is what only the platform
	// answers with: everything that answers 200 to a ping would pass otherwise.
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}',
			url: `={{ ${testPath} }}`,
		},
		rules: testRules as ICredentialTestRequest['rules'],
	};
}
