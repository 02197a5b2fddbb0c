import { createHash, randomBytes } from 'node:crypto';
import axios, { type AxiosResponse } from 'axios';
import type { Access } from '../../sandbox/server';
import { responseProblems } from '../support/contract';
import { press, visit } from './browser';

export interface Token {
	access_token: string;
	token_type: string;
	expires_in: number;
	refresh_token: string;
	scope: string;
	created_at: number;
}
export interface OAuthRefused {
	error: string;
	error_description: string;
}
type Parameters = Record<string, string | undefined>;

/** A partner app, written without knowledge of the sandbox: only what sections 4.1 and 5.2 say. */
export function partnerApp({ authServerUrl, clientId, clientSecret, redirectUri, scope }: Access) {
	const client = { client_id: clientId, client_secret: clientSecret };

	function authorizeUrl(changes: Parameters = {}): URL {
		const url = new URL('/oauth/authorize', authServerUrl);
		url.search = encode({
			response_type: 'code',
			client_id: clientId,
			redirect_uri: redirectUri,
			scope,
			...changes,
		}).toString();
		return url;
	}

	async function token(parameters: Parameters, where: 'query' | 'form' = 'query') {
		const text = encode({ ...client, ...parameters });
		const url = `${authServerUrl}/oauth/token`;
		const answer: AxiosResponse<Token & OAuthRefused> =
			where === 'query'
				? await axios.post(`${url}?${text.toString()}`, undefined, { validateStatus: null })
				: await axios.post(url, text, { validateStatus: null });
		expect(responseProblems('issueToken', answer.status, answer.data)).toEqual([]);
		return answer;
	}

	/** Sends the user to the consent page, who allows: the code that comes back. */
	async function code(changes: Parameters = {}): Promise<string> {
		const { sentTo } = await press(await visit(authorizeUrl(changes)), 'allow');
		const value = sentTo?.searchParams.get('code');
		if (!value) throw new Error(`no code at ${String(sentTo)}`);
		return value;
	}

	const exchange = (value: string, changes: Parameters = {}, where?: 'query' | 'form') =>
		token(
			{ grant_type: 'authorization_code', code: value, redirect_uri: redirectUri, ...changes },
			where,
		);
	const refresh = (value: string, changes: Parameters = {}, where?: 'query' | 'form') =>
		token({ grant_type: 'refresh_token', refresh_token: value, ...changes }, where);

	return { authorizeUrl, token, code, exchange, refresh };
}

function encode(parameters: Parameters): URLSearchParams {
	const given = Object.entries(parameters).filter(
		(entry): entry is [string, string] => entry[1] !== undefined,
	);
	return new URLSearchParams(given);
}

export function pkce() {
	const verifier = randomBytes(32).toString('base64url');
	return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
