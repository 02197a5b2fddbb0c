import { timingSafeEqual } from 'node:crypto';
import { hash, type Tokens } from '../oauth/tokens';
import { parseScopes } from '../oauth/scope';
import type { Caller } from './caller';

/** The API token of the sandbox: raw in the Authorization header. */
export const apiToken = 'sandbox-token';

const apiTokenHash = Buffer.from(hash(apiToken));

function isApiToken(text: string): boolean {
	return timingSafeEqual(Buffer.from(hash(text)), apiTokenHash);
}

/** The token as it was sent, whatever form it came in. */
export function presentedToken(authorization: string | undefined): string {
	return (authorization ?? '').replace(/^bearer +/i, '').trim();
}

/** Whether it is sent as an access token. */
export function isBearer(authorization = ''): boolean {
	return /^bearer\b/i.test(authorization);
}

/** Section 5.1: who is calling, or the detail of the 401. Each kind of token is refused in the other's form. */
export function authenticate(
	tokens: Tokens,
	authorization: string | undefined,
	now: number,
	apiTokenScope: string,
): Caller | string {
	if (!authorization?.trim()) {
		return 'There is no Authorization header. Send an API token as it is, or "Bearer" followed by an OAuth access token.';
	}
	if (/^basic\b/i.test(authorization)) {
		return 'HTTP Basic is not accepted. Send an API token as it is, or "Bearer" followed by an OAuth access token.';
	}
	const token = presentedToken(authorization);
	return isBearer(authorization)
		? authenticateBearer(tokens, token, now)
		: authenticateRaw(tokens, token, apiTokenScope);
}

function authenticateBearer(tokens: Tokens, token: string, now: number): Caller | string {
	const access = tokens.findAccess(token);
	if (!access) {
		return isApiToken(token)
			? 'This is an API token: send it in the Authorization header without "Bearer".'
			: 'The access token is unknown.';
	}
	if (access.revoked) return 'The access token was revoked. Connect the account again.';
	if (access.expires_at <= now) return 'The access token has expired. Refresh it.';
	return {
		kind: 'access_token',
		tokenKey: hash(token),
		quotaKey: access.grant_id,
		scopes: access.scope.split(' '),
	};
}

function authenticateRaw(tokens: Tokens, token: string, scope: string): Caller | string {
	if (isApiToken(token)) {
		return {
			kind: 'api_token',
			tokenKey: 'api_token',
			quotaKey: 'api_token',
			scopes: parseScopes(scope),
		};
	}
	return tokens.findAccess(token)
		? 'This is an OAuth access token: it needs "Bearer " in front.'
		: 'The API token is unknown.';
}
