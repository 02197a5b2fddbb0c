import { createHash, randomBytes } from 'node:crypto';
import {
	ClientOAuth2,
	resolveClientAuthOptions,
	type ClientOAuth2Options,
} from '@n8n/client-oauth2';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { text } from '../../../nodes/EventPlatform/core/values/text';
import type { Access } from '../../../sandbox/server';
import { credentials, type Credential } from './engineCredentials';

/** A credential for the sandbox's API token. */
export function tokenCredential(at: Pick<Access, 'baseUrl' | 'apiToken'>): Credential {
	const { baseUrl, apiToken } = at;
	return { type: 'eventPlatformApi', data: { baseUrl, apiToken } };
}

/** An OAuth2 credential for the sandbox that nobody has connected yet. */
export function unconnectedCredential(
	at: Pick<Access, 'baseUrl' | 'authServerUrl' | 'clientId' | 'clientSecret'>,
	more: ICredentialDataDecryptedObject = {},
): Credential {
	const { baseUrl, authServerUrl, clientId, clientSecret } = at;
	const data = { baseUrl, authServerUrl, clientId, clientSecret, ...more };
	return { type: 'eventPlatformOAuth2Api', data };
}

/** The result of connecting a credential. */
export interface Connection {
	/** Where the person was sent to allow it. */
	authorizeUrl: URL;
	/** Where the platform sent the person back to. */
	callback: URL;
	/** The credential with the tokens. */
	credential: Credential;
}

/**
 * Connects a credential as n8n does. The OAuth client is n8n's own, and n8n-core refreshes the tokens later. What n8n's server does
 * before and after it is in no package, so it is done here in the same way: the options from the fields, the state, the verifier,
 * the secret in the body and the time of expiry. A person who allows it is played by a request with the form of the consent page.
 */
export async function connectThroughConsent(
	sandbox: Access,
	more?: ICredentialDataDecryptedObject,
): Promise<Connection> {
	const credential = unconnectedCredential(sandbox, more);
	const fields = await fieldsOf(credential);
	// n8n leads through the consent for these two alone.
	const { grantType } = fields;
	if (grantType !== 'authorizationCode' && grantType !== 'pkce') {
		throw new Error(`n8n does not connect a credential with the grant ${text(grantType)}`);
	}
	const usesPkce = grantType === 'pkce' || fields.usePkce === true;
	const verifier = randomBytes(32).toString('base64url');
	const options: ClientOAuth2Options = {
		clientId: text(fields.clientId),
		...resolveClientAuthOptions({ clientSecret: text(fields.clientSecret) }),
		accessTokenUri: text(fields.accessTokenUrl),
		authorizationUri: text(fields.authUrl),
		authentication: fields.authentication === 'body' ? 'body' : 'header',
		redirectUri: sandbox.redirectUri,
		scopes: text(fields.scope).split(','),
		scopesSeparator: text(fields.scope).includes(',') ? ',' : ' ',
		ignoreSSLIssues: false,
		state: randomBytes(16).toString('hex'),
		...(usesPkce && {
			query: {
				code_challenge: createHash('sha256').update(verifier).digest('base64url'),
				code_challenge_method: 'S256',
			},
		}),
	};
	const authorizeUrl = new URL(new ClientOAuth2(options).code.getUri());
	const callback = await allow(authorizeUrl);
	const { clientSecret, query, ...rest } = options;
	const inBody = options.authentication === 'body';
	const client = new ClientOAuth2({ ...rest, ...(!inBody && { clientSecret }) });
	const token = await client.code.getToken(callback.href, {
		body: {
			...(query && { code_verifier: verifier }),
			...(inBody && { client_id: rest.clientId, client_secret: clientSecret }),
		},
	});
	const n8n_expires_at = String(Date.now() + Number(token.data.expires_in) * 1_000);
	const oauthTokenData = { ...token.data, n8n_expires_at };
	const data = { ...credential.data, oauthTokenData };
	return { authorizeUrl, callback, credential: { ...credential, data } };
}

/** The fields of a credential as n8n reads them: defaults filled in and expressions resolved. */
export function fieldsOf(credential: Credential): Promise<ICredentialDataDecryptedObject> {
	const { id } = credentials.add(credential);
	return credentials.getDecrypted(undefined, { id, name: '' }, credential.type);
}

async function allow(authorizeUrl: URL): Promise<URL> {
	const answer = await fetch(authorizeUrl, {
		method: 'POST',
		redirect: 'manual',
		body: new URLSearchParams({ decision: 'allow' }),
	});
	const location = answer.headers.get('location');
	if (location === null) throw new Error(`The consent was refused: ${await answer.text()}`);
	return new URL(location);
}
