import { createHash, randomBytes } from 'node:crypto';
import axios, { type AxiosResponse } from 'axios';
import type { Access } from '../../sandbox/server';

/** Of a token, or of a refusal. */
interface TokenAnswer {
	access_token: string;
	expires_in: number;
	refresh_token: string;
	scope: string;
	created_at: number;
	error?: string;
}

type Parameters = Record<string, string | undefined>;

const text = axios.create({ validateStatus: null, maxRedirects: 0, responseType: 'text' });

/** A partner app, written without knowledge of the sandbox: only what sections 4.1 and 5.2 say. */
export function partnerApp({ authServerUrl, clientId, clientSecret, redirectUri, scope }: Access) {
	const client = { client_id: clientId, client_secret: clientSecret };

	function pageUrl(changes: Parameters = {}): string {
		const usual = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope };
		return `${authServerUrl}/oauth/authorize?${String(encode({ ...usual, ...changes }))}`;
	}

	/** What the user sees whom the app sends to the platform. */
	function page(changes?: Parameters): Promise<AxiosResponse<string>> {
		return text.get<string>(pageUrl(changes));
	}

	/** Where the user who allows is sent. */
	async function allowed(changes?: Parameters): Promise<URL> {
		const { status, headers } = await text.post(pageUrl(changes), 'decision=allow');
		expect(status).toBe(302);
		return new URL(String(headers['location']));
	}

	async function code(changes?: Parameters): Promise<string> {
		return (await allowed(changes)).searchParams.get('code') ?? '';
	}

	function token(
		parameters: Parameters,
		where: 'query' | 'form' = 'query',
	): Promise<AxiosResponse<TokenAnswer>> {
		const sent = encode({ ...client, ...parameters });
		const url = `${authServerUrl}/oauth/token`;
		const always = { validateStatus: null };
		return where === 'form'
			? axios.post<TokenAnswer>(url, sent, always)
			: axios.post<TokenAnswer>(`${url}?${String(sent)}`, undefined, always);
	}

	function exchange(value: string, changes: Parameters = {}, where?: 'query' | 'form') {
		const grant = { grant_type: 'authorization_code', code: value, redirect_uri: redirectUri };
		return token({ ...grant, ...changes }, where);
	}

	function refresh(value: string, changes: Parameters = {}) {
		return token({ grant_type: 'refresh_token', refresh_token: value, ...changes });
	}

	return { page, allowed, code, exchange, refresh };
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
