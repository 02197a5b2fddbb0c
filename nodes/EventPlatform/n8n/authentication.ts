import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The credentials of the package, by the names that workflows save. */
type CredentialType = 'eventPlatformApi' | 'eventPlatformOAuth2Api';

type ChosenCredential = 'apiToken' | 'oAuth2';

/** The credentials of every node. */
export const credentials: INodeCredentialDescription[] = (['apiToken', 'oAuth2'] as const).map(
	(chosen) => ({
		name: typeOf(chosen),
		required: true,
		displayOptions: { show: { authentication: [chosen] } },
	}),
);

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

export function chosenCredential({ parameters }: INode): ChosenCredential {
	return parameters.authentication === 'oAuth2' ? 'oAuth2' : 'apiToken';
}

export function credentialType(context: { getNode(): INode }): CredentialType {
	return typeOf(chosenCredential(context.getNode()));
}

function typeOf(chosen: ChosenCredential): CredentialType {
	return chosen === 'oAuth2' ? 'eventPlatformOAuth2Api' : 'eventPlatformApi';
}
