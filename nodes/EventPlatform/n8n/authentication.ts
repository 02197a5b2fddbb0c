import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The credentials of the package, by the names that workflows save. */
export type CredentialType = 'eventPlatformApi' | 'eventPlatformOAuth2Api';

/** The credentials of the triggers. */
export const credentials: INodeCredentialDescription[] = ['apiToken', 'oAuth2'].map((chosen) => ({
	name: typeFor(chosen),
	required: true,
	displayOptions: { show: { authentication: [chosen] } },
}));

/** The parameter by which people choose the kind of credential. */
export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	// An expression could give each item another credential.
	noDataExpression: true,
	options: [
		{ name: 'API Token', value: 'apiToken' },
		{
			name: 'OAuth2',
			value: 'oAuth2',
			description: "Only for apps of Livestorm's technology partners",
		},
	],
	default: 'apiToken',
};

/** Reads which credential a node uses. */
export function credentialType(context: { getNode(): INode }): CredentialType {
	return typeFor(context.getNode().parameters.authentication);
}

function typeFor(chosen: unknown): CredentialType {
	return chosen === 'oAuth2' ? 'eventPlatformOAuth2Api' : 'eventPlatformApi';
}
