import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { textField } from '../nodes/EventPlatform/fields/fieldBuilders';
import { readApiToken } from '../nodes/EventPlatform/n8n/apiToken';
import {
	addressFields,
	credentialTest,
	httpRequestNodeEntry,
	limitFields,
	webhookSecretField,
} from './sharedFields';

export class EventPlatformApi implements ICredentialType {
	name = 'eventPlatformApi';

	displayName = 'Event Platform (Livestorm) API';

	icon = {
		light: 'file:../nodes/EventPlatform/eventPlatform.svg',
		dark: 'file:../nodes/EventPlatform/eventPlatform.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/event-platform-connector/n8n-nodes-event-platform#api-token';

	/** The entry in the HTTP Request node, for paths that the nodes have no operation for. */
	httpRequestNode = httpRequestNodeEntry;

	properties: INodeProperties[] = [
		textField(
			'apiToken',
			'Created by an owner or admin of the workspace in Livestorm, under Public API in the account settings',
			{ displayName: 'API Token', required: true, typeOptions: { password: true } },
		),
		...addressFields,
		...limitFields,
		webhookSecretField,
	];

	test: ICredentialTestRequest = credentialTest('/v1/events?page[size]=1');

	/**
	 * Signs a request with the token. This is a function, because an expression would be evaluated for every request, which takes
	 * a tenth of the CPU time of the request.
	 */
	authenticate(
		{ apiToken: pastedToken }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		// 5.1: the token is sent as it is. With a Bearer prefix the platform would look it up as an OAuth token.
		const headers = { ...request.headers, Authorization: readApiToken(pastedToken) };
		return Promise.resolve({ ...request, headers });
	}
}
