import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

type CredentialType = 'eventPlatformOAuth2Api' | 'eventPlatformApi';

export const oAuth2: INodeCredentialDescription = {
	name: 'eventPlatformOAuth2Api',
	required: true,
	displayOptions: { show: { authentication: ['oAuth2'] } },
};

export const apiToken: INodeCredentialDescription = {
	name: 'eventPlatformApi',
	required: true,
	displayOptions: { show: { authentication: ['apiToken'] } },
};

/** The credentials of the nodes: the one that matches the chosen authentication. */
export const credentials = [oAuth2, apiToken];

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
	const { authentication: chosen } = context.getNode().parameters;
	return chosen === 'apiToken' ? 'eventPlatformApi' : 'eventPlatformOAuth2Api';
}
