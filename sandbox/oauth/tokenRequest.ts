import type { SandboxOptions } from '../options';
import { grantTypes, isPartnerApp } from './client';
import { readParameters } from './parameters';

/** A refusal in the form of RFC 6749, 5.2. */
export class OAuthRefusal extends Error {
	override readonly name = 'OAuthRefusal';
	constructor(
		readonly error: string,
		description: string,
		readonly status = 400,
	) {
		super(description);
	}
}

interface TokenRequest {
	authorization: string | undefined;
	contentType: string | undefined;
	query: string;
	body: string;
}

/** Section 4.1: the parameters of a token request, once the id and the secret of the client are right. */
export function readTokenRequest(
	{ authorization, contentType, query, body }: TokenRequest,
	options: SandboxOptions,
): Record<string, string> {
	if (body && !/^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')) {
		throw invalidRequest(
			'Send the parameters in the query string or as application/x-www-form-urlencoded: no other body is read.',
		);
	}
	const parameters = combine(query, body, options);
	checkClient(parameters, authorization);
	checkGrant(parameters, options);
	return parameters;
}

function combine(
	queryText: string,
	formText: string,
	{ oauthParams }: SandboxOptions,
): Record<string, string> {
	const query = readParameters(queryText);
	const form = readParameters(formText);
	const repeated = query.repeated ?? form.repeated;
	if (repeated) throw invalidRequest(`The parameter ${repeated} is given more than once.`);
	if (oauthParams === 'query' && formText) {
		throw invalidRequest('The parameters go in the query string: the body must be empty.');
	}
	if (oauthParams === 'form' && queryText) {
		throw invalidRequest('The parameters go in the form body: the query string must be empty.');
	}
	for (const [name, value] of Object.entries(form.values)) {
		if (Object.hasOwn(query.values, name) && query.values[name] !== value) {
			throw invalidRequest(`The parameter ${name} differs between query string and body.`);
		}
	}
	return { ...query.values, ...form.values };
}

/** An Authorization header is ignored: clients send it beside parameters that are complete. */
function checkClient(
	{ client_id: id, client_secret: secret }: Record<string, string>,
	authorization: string | undefined,
): void {
	if (!id || !secret) {
		throw invalidClient(
			authorization === undefined
				? 'Both client_id and client_secret are needed.'
				: 'Send client_id and client_secret as parameters: the Authorization header is not read here.',
		);
	}
	if (!isPartnerApp(id, secret))
		throw invalidClient('The client_id or the client_secret is wrong.');
}

function checkGrant(parameters: Record<string, string>, { redirectUri }: SandboxOptions): void {
	const { grant_type: grantType, redirect_uri: sentUri } = parameters;
	if (!grantType) throw invalidRequest('The parameter grant_type is missing.');
	if (!grantTypes.includes(grantType)) {
		throw new OAuthRefusal('unsupported_grant_type', `Known are ${grantTypes.join(' and ')}.`);
	}
	if (grantType !== 'authorization_code') return;
	if (!sentUri) throw invalidRequest('The parameter redirect_uri is missing.');
	if (sentUri !== redirectUri) {
		throw new OAuthRefusal(
			'invalid_grant',
			'The redirect_uri is not the one the code was made for.',
		);
	}
}

function invalidRequest(description: string): OAuthRefusal {
	return new OAuthRefusal('invalid_request', description);
}

function invalidClient(description: string): OAuthRefusal {
	return new OAuthRefusal('invalid_client', description, 401);
}
