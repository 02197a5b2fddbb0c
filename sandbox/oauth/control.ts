import type { FastifyInstance } from 'fastify';
import { parseScopes, scopeProblem } from './scope';
import { errorsText, shape } from '../check';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import type { Tokens } from './tokens';

const isIssue = shape<{ scope?: string; ttl?: number }>({
	type: 'object',
	additionalProperties: false,
	properties: { scope: { type: 'string' }, ttl: { type: 'integer', minimum: 0 } },
});

/** Adds routes that only tests need. They issue tokens without a browser and withdraw the consent of users. */
export function addOAuthControlRoutes(
	app: FastifyInstance,
	{ options }: Platform,
	tokens: Tokens,
): void {
	app.post('/_sandbox/oauth/issue', (request) => {
		const body = request.body ?? {};
		if (!isIssue(body)) throw new Refusal(400, errorsText(isIssue));
		const { scope = options.scope, ttl } = body;
		const problem = scopeProblem(parseScopes(scope));
		if (problem) throw new Refusal(400, problem);
		return tokens.issue({ grantId: tokens.beginGrant(), scope, ttlSeconds: ttl });
	});

	app.post('/_sandbox/oauth/revoke', () => ({ revoked: tokens.revokeAll() }));
}
