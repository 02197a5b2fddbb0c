import OAuth2Server, { type ServerOptions } from '@node-oauth/oauth2-server';
import type { Platform } from '../platform';
import { createModel, type IssuedToken } from './model';
import type { TokenResponse, Tokens } from './tokens';

type Parameters = Record<string, string>;

/** The OAuth library, called with parameters that were already read and checked. */
/** Signs people in, and gives their apps tokens. */
export interface AuthorizationServer {
	/** Gives a code for what the user has allowed. */
	grant(parameters: Parameters): Promise<string>;
	/** Exchanges a code or a refresh token. */
	issue(body: Parameters): Promise<TokenResponse>;
}

export function createAuthorizationServer(platform: Platform, tokens: Tokens): AuthorizationServer {
	const options: ServerOptions & { enablePlainPKCE: boolean } = {
		model: createModel(platform, tokens),
		allowEmptyState: true,
		enablePlainPKCE: true,
	};
	const server = new OAuth2Server(options);

	return {
		async grant(parameters) {
			// The state goes back as it came; the library would encode it anew.
			const query = { ...parameters, state: '' };
			const { authorizationCode } = await server.authorize(
				new OAuth2Server.Request({ headers: {}, method: 'GET', query }),
				new OAuth2Server.Response(),
				{ authenticateHandler: { handle: () => ({ grantId: tokens.beginGrant() }) } },
			);
			return authorizationCode;
		},

		async issue(body) {
			const headers = {
				'content-type': 'application/x-www-form-urlencoded',
				'content-length': '1',
			};
			const issued = (await server.token(
				new OAuth2Server.Request({ headers, method: 'POST', query: {}, body }),
				new OAuth2Server.Response(),
				{ alwaysIssueNewRefreshToken: platform.options.rotateRefresh },
			)) as IssuedToken;
			return issued.response;
		},
	};
}
