import type { INode, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The credentials of the triggers. */
export const credentials: INodeCredentialDescription[] = ['oAuth2', 'apiToken'].map((chosen) => ({
	name: typeFor(chosen),
	required: true,
	displayOptions: { show: { authentication: [chosen] } },
}));

export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	// An expression could change it from item to item.
	noDataExpression: true,
	// Who has no credential yet is offered that of the first one.
	options: [
		{ name: 'OAuth2', value: 'oAuth2' },
		{ name: 'API Token', value: 'apiToken' },
	],
	default: 'oAuth2',
};

export function credentialType(context: { getNode(): INode }) {
	return typeFor(context.getNode().parameters.authentication);
}

function typeFor(chosen: unknown) {
	return chosen === 'apiToken' ? 'eventPlatformApi' : 'eventPlatformOAuth2Api';
}
