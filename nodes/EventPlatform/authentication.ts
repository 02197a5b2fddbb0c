import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

const types = { oAuth2: 'eventPlatformOAuth2Api', apiToken: 'eventPlatformApi' } as const;

type CredentialType = (typeof types)[keyof typeof types];

/** The credentials of both nodes: the one that matches the chosen authentication. */
export const credentials: INodeCredentialDescription[] = [
	{
		name: types.oAuth2,
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
	{
		name: types.apiToken,
		required: true,
		displayOptions: { show: { authentication: ['apiToken'] } },
	},
];

export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	// One choice for the whole node: an expression could change it from item to item.
	noDataExpression: true,
	options: [
		{ name: 'OAuth2', value: 'oAuth2' },
		{ name: 'API Token', value: 'apiToken' },
	],
	default: 'oAuth2',
};

export function credentialType(context: { getNode(): INode }): CredentialType {
	return context.getNode().parameters.authentication === 'apiToken' ? types.apiToken : types.oAuth2;
}
