import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createTokens } from '../oauth/tokens';
import type { Platform } from '../platform';
import { Refusal, missingScope } from '../refusal';
import { authenticate, isBearer } from './authenticate';
import type { Caller } from './caller';
import { createLimits } from './limits';
import { covers } from '../oauth/scope';

/** Authentication, then rate limit and quota, then scope: in the order in which a request is refused. */
export function addAccessHooks(app: FastifyInstance, platform: Platform): void {
	const tokens = createTokens(platform);
	const limit = createLimits(platform);

	if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null);
	app.addHook('onRequest', (request, reply, done) => {
		if (!isApiPath(request)) return done();
		const { apiTokenScope } = platform.options;
		const { authorization } = request.headers;
		const caller = authenticate(tokens, authorization, platform.now(), apiTokenScope);
		if (typeof caller === 'string') {
			if (!isBearer(authorization)) throw new Refusal(401, caller);
			void reply.code(401).header('WWW-Authenticate', challenge(caller)).send();
			return;
		}
		request.caller = caller;
		limit(caller, reply);
		if (platform.workspace.blocked) {
			throw new Refusal(403, 'The workspace is blocked. Ask its owner to unblock API access.');
		}
		if (platform.options.endpoints === 'specified') requireSpecified(request);
		requireScope(request, caller);
		done();
	});
}

/** An access token is refused in a header alone, as the library does it that looks after these tokens. */
function challenge(why: string): string {
	const description = why.replaceAll('"', "'");
	return `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`;
}

/**
 * Says whether a request is for the API. The route decides where there is one, because an address may
 * spell /v1 in many ways that lead to the same route.
 */
function isApiPath({ routeOptions, url }: FastifyRequest): boolean {
	return /^\/v1(?:[/?]|$)/.test(routeOptions.url ?? url);
}

/** Section 4.3 names all that there is. */
function requireSpecified({ method, routeOptions, url }: FastifyRequest): void {
	if (routeOptions.config.isSpecified) return;
	throw new Refusal(404, `There is no ${method} ${url.split('?')[0]?.slice(0, 200)}.`);
}

function requireScope(request: FastifyRequest, caller: Caller): void {
	const { scopes = [] } = request.routeOptions.config;
	if (scopes.length > 0 && !scopes.some((scope) => covers(caller.scopes, scope))) {
		const needed = scopes.join(' or ');
		throw new Refusal(403, `The token lacks the scope ${needed}.`, missingScope);
	}
}
