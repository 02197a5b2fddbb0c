import { createHash, randomBytes } from 'node:crypto';
import axios, { type AxiosResponse } from 'axios';
import type { Access } from '../../sandbox/server';

/** The answer with a token, or a refusal. */
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

/** An app of a partner does these things at the platform. */
export interface PartnerApp {
	/** Gives the page that the user sees when the app sends them to the platform. */
	page(changes?: Parameters): Promise<AxiosResponse<string>>;
	/** Where the user who allows is sent. */
	allowed(changes?: Parameters): Promise<URL>;
	/** The code that the user who allows brings back. */
	code(changes?: Parameters): Promise<string>;
	/** Exchanges a code for tokens. */
	exchange(code: string, changes?: Parameters): Promise<AxiosResponse<TokenAnswer>>;
	refresh(refreshToken: string, changes?: Parameters): Promise<AxiosResponse<TokenAnswer>>;
}

/** A partner app, written without knowledge of the sandbox: only what sections 4.1 and 5.2 say. */
export function partnerApp({
	authServerUrl,
	clientId,
	clientSecret,
	redirectUri,
	scope,
}: Access): PartnerApp {
	const client = { client_id: clientId, client_secret: clientSecret };

	const pageUrl = (changes: Parameters = {}) => {
		const parameters = encode({
			response_type: 'code',
			client_id: clientId,
			redirect_uri: redirectUri,
			scope,
			...changes,
		});
		return `${authServerUrl}/oauth/authorize?${String(parameters)}`;
	};

	const page = (changes?: Parameters) => text.get<string>(pageUrl(changes));

	async function allowed(changes?: Parameters): Promise<URL> {
		const { status, headers } = await text.post(pageUrl(changes), 'decision=allow');
		expect(status).toBe(302);
		return new URL(String(headers['location']));
	}

	const code = async (changes?: Parameters) =>
		(await allowed(changes)).searchParams.get('code') ?? '';

	function token(parameters: Parameters) {
		const url = `${authServerUrl}/oauth/token?${String(encode({ ...client, ...parameters }))}`;
		return axios.post<TokenAnswer>(url, undefined, { validateStatus: null });
	}

	const exchange = (value: string, changes: Parameters = {}) =>
		token({ grant_type: 'authorization_code', redirect_uri: redirectUri, code: value, ...changes });
	const refresh = (value: string, changes: Parameters = {}) =>
		token({ grant_type: 'refresh_token', refresh_token: value, ...changes });

	return { page, allowed, code, exchange, refresh };
}

/** Encodes the parameters without those that are undefined. */
function encode(parameters: Parameters): URLSearchParams {
	return new URLSearchParams(JSON.parse(JSON.stringify(parameters)) as Record<string, string>);
}

export function pkce() {
	const verifier = randomBytes(32).toString('base64url');
	return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
