import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform';
import { backToApp, checkAuthorization, type Authorization } from './authorization';
import type { AuthorizationServer } from './authorizationServer';
import { consentPage, problemPage, sendPage } from './pages';
import { queryOf } from './parameters';

const undecided = 'The decision must be Allow or Deny.';

/** The step that is left for a request that may be put before the user. */
type Ask = (authorization: Authorization, query: string) => FastifyReply | Promise<FastifyReply>;

/** Shows the user who asks for what, and takes the decision. `forms` reads bodies as text. */
export function addConsentRoutes(
	forms: FastifyInstance,
	{ options }: Platform,
	server: AuthorizationServer,
): void {
	const { redirectUri } = options;
	const formTarget = `'self' ${new URL(redirectUri).origin}`;

	function whenInOrder(request: FastifyRequest, reply: FastifyReply, ask: Ask) {
		const query = queryOf(request.raw.url);
		const verdict = checkAuthorization(query, options);
		if ('problem' in verdict) return sendPage(reply, 400, problemPage(verdict.problem));
		if ('authorization' in verdict) return ask(verdict.authorization, query);
		return reply.redirect(backToApp(redirectUri, verdict.redirect, query), 302);
	}

	forms.get('/oauth/authorize', { config: { operationId: 'authorize' } }, (request, reply) =>
		whenInOrder(request, reply, ({ scopes }, query) => {
			const action = `/oauth/authorize?${query}`;
			return sendPage(reply, 200, consentPage({ scopes, redirectUri, action }), formTarget);
		}),
	);

	forms.post('/oauth/authorize', { config: { operationId: 'decideConsent' } }, (request, reply) =>
		whenInOrder(request, reply, async ({ parameters }, query) => {
			const form = new URLSearchParams(request.body as string | undefined);
			const answer = await answerTo(form.get('decision'), parameters);
			if (!answer) return sendPage(reply, 400, problemPage(undecided));
			return reply.redirect(backToApp(redirectUri, answer, query), 302);
		}),
	);

	async function answerTo(
		decision: string | null,
		parameters: Record<string, string>,
	): Promise<Record<string, string> | null> {
		if (decision === 'allow') return { code: await server.grant(parameters) };
		if (decision !== 'deny') return null;
		return { error: 'access_denied', error_description: 'The user denied access.' };
	}
}
