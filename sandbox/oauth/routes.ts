import type { FastifyInstance } from 'fastify';
import type { Platform } from '../platform';
import { createAuthorizationServer } from './authorizationServer';
import { addConsentRoutes } from './consent';
import { addOAuthControlRoutes } from './control';
import { addTokenRoute } from './tokenEndpoint';
import { createTokens } from './tokens';

/** Section 5.2: the consent page, the codes it gives and the tokens they are exchanged for. */
export function addOAuthRoutes(app: FastifyInstance, platform: Platform): void {
	const tokens = createTokens(platform);
	const server = createAuthorizationServer(platform, tokens);
	addOAuthControlRoutes(app, platform, tokens);

	// Bodies stay text in here: each endpoint parses them and words its own refusals.
	void app.register((forms, _options, done) => {
		forms.removeAllContentTypeParsers();
		forms.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) =>
			parsed(null, body),
		);
		addConsentRoutes(forms, platform, server);
		addTokenRoute(forms, platform, server);
		done();
	});
}
