import type { ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';
import {
	choiceField,
	switchField,
	textField,
	type Choices,
} from '../nodes/EventPlatform/fields/field';
import { address, httpRequestNodeEntry, use } from './shared';

/** Below the authorization server, whose root may end with slashes. */
const endpoint = (path: string) =>
	`={{$self["authServerUrl"].trim().replace(/\\/+$/, "")}}/oauth/${path}`;

/**
 * Where OAuth2 is chosen in n8n's list of kinds, n8n replaces this field by the scopes of the person in n8n, of which the
 * platform knows none: then the scopes that the field has at first are asked for.
 */
const chosenScopes = [
	'(($self["scopes"] || []).every((name) => /^(admin|events|identity|webhooks):(read|write)$/.test(name))',
	' ? ($self["scopes"] || []) : ["events:write", "webhooks:write"])',
].join('');

// 5.3: full:read goes with single write scopes only, full:write with nothing else. A field that
// is not shown has no value, so a list left over from another choice cannot get in.
const scope = [
	'$self["access"] === "full" ? "full:write"',
	'$self["access"] === "readAll" ? ["full:read"].concat($self["writeScopes"] || []).join(" ")',
	`${chosenScopes}.join(" ")`,
].join(' : ');

/** A list that the scopes of the credential allow to read, so that the test of the credential is not refused. */
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

const scopes: Readonly<Record<string, [shown: string, text: string]>> = {
	'admin:read': ['Administration: Read', 'Read users and the organization'],
	'admin:write': ['Administration: Write', 'Read and change users and the organization'],
	'events:read': ['Events: Read', 'Read events, sessions and people'],
	'events:write': [
		'Events: Write',
		'Read and change events, sessions and people; needed for registration',
	],
	'identity:read': ['Identity: Read', 'Read the connected user and the organization'],
	'identity:write': ['Identity: Write', 'Read and change the connected user and the organization'],
	'webhooks:read': ['Webhooks: Read', 'Read webhooks'],
	'webhooks:write': ['Webhooks: Write', 'Read, create and delete webhooks; needed for the trigger'],
};

/** Those whose names end like this. */
function scopesOf(end: string): Choices {
	const found = Object.entries(scopes).filter(([name]) => name.endsWith(end));
	return Object.fromEntries(
		found.map(([name, [title, text]]) => [name, [`${title} (${name})`, text]]),
	);
}

/** A field that n8n needs and nobody chooses. */
function hidden(name: string, displayName: string, value: string): INodeProperties {
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
		...address,
		textField('authServerUrl', 'URL of the authorization server, without /oauth', {
			displayName: 'Authorization Server URL',
			default: 'https://app.livestorm.co',
			required: true,
			placeholder: 'e.g. https://app.livestorm.co',
		}),
		choiceField(
			'access',
			{
				selected: ['Selected', 'Only the scopes below (recommended)'],
				readAll: ['Read Everything', 'The scope full:read and the write scopes below'],
				full: ['Full', 'The scope full:write, which includes everything'],
			},
			'selected',
			'What the connection may do. It must match the scopes of the app in Livestorm.',
		),
		choiceField(
			'scopes',
			scopesOf(''),
			['events:write', 'webhooks:write'],
			'A write scope includes the read scope of the same name',
			{ required: true, displayOptions: { show: { access: ['selected'] } } },
		),
		choiceField(
			'writeScopes',
			scopesOf(':write'),
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
		...use,
		hidden('scope', 'Scope', `={{ ${scope} }}`),
		hidden('grantType', 'Grant Type', 'authorizationCode'),
		{ ...hidden('authUrl', 'Authorization URL', endpoint('authorize')), required: true },
		{ ...hidden('accessTokenUrl', 'Access Token URL', endpoint('token')), required: true },
		hidden('authQueryParameters', 'Auth URI Query Parameters', ''),
		hidden('authentication', 'Authentication', 'body'),
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
