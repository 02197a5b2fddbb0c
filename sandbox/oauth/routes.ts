import type { FastifyInstance } from 'fastify';
import type { Platform } from '../platform';
import { createAuthorizationServer } from './authorizationServer';
import { registerConsent } from './consent';
import { registerOAuthControl } from './control';
import { registerTokenEndpoint } from './tokenEndpoint';
import { createTokens } from './tokens';

/** Section 5.2: the consent page, the codes it gives and the tokens they are exchanged for. */
export function registerOAuth(app: FastifyInstance, platform: Platform): void {
	const tokens = createTokens(platform);
	const server = createAuthorizationServer(platform, tokens);
	registerOAuthControl(app, platform, tokens);

	// Bodies are text in here: what may be in them is for the endpoints to say, in their own words.
	void app.register((forms, _options, done) => {
		forms.removeAllContentTypeParsers();
		forms.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) =>
			parsed(null, body),
		);
		registerConsent(forms, platform, server);
		registerTokenEndpoint(forms, platform, server);
		done();
	});
}
