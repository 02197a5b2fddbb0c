import type {
	AuthorizationCodeModel,
	RefreshTokenModel,
	Token,
	User,
} from '@node-oauth/oauth2-server';
import type { Platform } from '../platform';
import { clientId, partnerApp } from './client';
import { createCodes } from './codes';
import { newSecret, type TokenResponse, type Tokens } from './tokens';

/** An issued token is the library's token with the answer of section 2.5 beside it. */
export interface IssuedToken extends Token {
	response: TokenResponse;
}

/** Gives the model through which the OAuth library reads and writes the database. */
export function createModel(
	platform: Platform,
	tokens: Tokens,
): AuthorizationCodeModel & RefreshTokenModel {
	const client = partnerApp(platform.options);
	const codes = createCodes(platform, tokens, client);

	return {
		getClient: (id) => Promise.resolve(id === clientId && client),

		generateAuthorizationCode: () => Promise.resolve(newSecret()),
		saveAuthorizationCode: (code, _client, user) => Promise.resolve(codes.save(code, user)),
		getAuthorizationCode: (code) => Promise.resolve(codes.find(code)),
		revokeAuthorizationCode: (code) => Promise.resolve(codes.spend(code)),

		saveToken(token, _client, user: User): Promise<IssuedToken> {
			const response = tokens.issue({
				grantId: user['grantId'] as string,
				scope: (token.scope ?? []).join(' '),
				// Without rotation a refresh carries the refresh token that stays in force.
				refreshToken: user['refreshToken'] as string | undefined,
			});
			return Promise.resolve({
				...token,
				accessToken: response.access_token,
				client,
				user,
				response,
			});
		},
		getRefreshToken(refreshToken) {
			const refresh = tokens.findRefresh(refreshToken);
			if (!refresh) return Promise.resolve(undefined);
			const { rotateRefresh } = platform.options;
			const user = { grantId: refresh.grant_id, ...(rotateRefresh ? {} : { refreshToken }) };
			return Promise.resolve({ refreshToken, scope: refresh.scope.split(' '), client, user });
		},
		revokeToken: ({ refreshToken }) => Promise.resolve(tokens.spendRefresh(refreshToken)),

		// Access tokens are checked in access/authenticate.ts, which words the refusals of the API.
		getAccessToken: () => Promise.resolve(undefined),
	};
}
