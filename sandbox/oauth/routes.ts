import OAuth2Server, { type ServerOptions } from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform';
import { backToApp, checkAuthorization, type Authorization } from './authorization';
import { createConsentTickets } from './consentTicket';
import { registerOAuthControl } from './control';
import { createModel, type IssuedToken } from './model';
import { consentPage, problemPage, sendPage } from './pages';
import { queryOf } from './parameters';
import { OAuthRefusal, readTokenRequest } from './tokenRequest';
import { createTokens } from './tokens';

const formType = 'application/x-www-form-urlencoded';

/** Section 5.2: the consent page, the codes it gives and the tokens they are exchanged for. */
export function registerOAuth(app: FastifyInstance, platform: Platform): void {
	const tokens = createTokens(platform);
	const options: ServerOptions & { enablePlainPKCE: boolean } = {
		model: createModel(platform, tokens),
		allowEmptyState: true,
		enablePlainPKCE: true,
		alwaysIssueNewRefreshToken: platform.options.rotateRefresh,
	};
	const server = new OAuth2Server(options);
	registerOAuthControl(app, platform, tokens);

	/** A code for what the user has allowed. */
	async function grant({ parameters }: Authorization): Promise<string> {
		// The state goes back as it came, without passing through the library, which would encode it anew.
		const query = { ...parameters, state: '' };
		const { authorizationCode } = await server.authorize(
			new OAuth2Server.Request({ headers: {}, method: 'GET', query }),
			new OAuth2Server.Response(),
			{ authenticateHandler: { handle: () => ({ grantId: tokens.beginGrant() }) } },
		);
		return authorizationCode;
	}

	async function issue(request: FastifyRequest): Promise<IssuedToken> {
		const body = readTokenRequest(
			{
				authorization: request.headers.authorization,
				contentType: request.headers['content-type'],
				query: queryOf(request.raw.url),
				body: textOf(request),
			},
			platform.options,
		);
		const headers = { 'content-type': formType, 'content-length': '1' };
		return (await server.token(
			new OAuth2Server.Request({ headers, method: 'POST', query: {}, body }),
			new OAuth2Server.Response(),
		)) as IssuedToken;
	}

	const { redirectUri } = platform.options;
	const formTarget = `'self' ${new URL(redirectUri).origin}`;
	const tickets = createConsentTickets();

	app.get('/oauth/authorize', { config: { operationId: 'authorize' } }, (request, reply) => {
		const query = queryOf(request.raw.url);
		const verdict = checkAuthorization(query, platform.options);
		if ('problem' in verdict) return sendPage(reply, 400, problemPage(verdict.problem));
		if ('redirect' in verdict) {
			return reply.redirect(backToApp(redirectUri, verdict.redirect, query), 302);
		}
		const csrf = tickets.issue(request, reply, query);
		const { scopes } = verdict.authorization;
		const action = `/oauth/authorize?${query}`;
		return sendPage(reply, 200, consentPage({ scopes, redirectUri, action, csrf }), formTarget);
	});

	// Bodies are text in here: what may be in them is for the token endpoint to say, in its own words.
	void app.register((forms, _options, done) => {
		forms.removeAllContentTypeParsers();
		forms.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) =>
			parsed(null, body),
		);

		forms.post(
			'/oauth/authorize',
			{ config: { operationId: 'decideConsent' } },
			async (request, reply) => {
				const query = queryOf(request.raw.url);
				const verdict = checkAuthorization(query, platform.options);
				if ('problem' in verdict) return sendPage(reply, 400, problemPage(verdict.problem));
				const form = new URLSearchParams(textOf(request));
				if (!tickets.isValid(request, query, form.get('csrf') ?? '')) {
					return sendPage(
						reply,
						403,
						problemPage('This page is out of date. Start again in the app.'),
					);
				}
				if ('redirect' in verdict) {
					return reply.redirect(backToApp(redirectUri, verdict.redirect, query), 302);
				}
				const decision = form.get('decision');
				if (decision !== 'allow' && decision !== 'deny') {
					return sendPage(reply, 400, problemPage('The decision must be Allow or Deny.'));
				}
				const answer: Record<string, string> =
					decision === 'allow'
						? { code: await grant(verdict.authorization) }
						: { error: 'access_denied', error_description: 'The user denied access.' };
				return reply.redirect(backToApp(redirectUri, answer, query), 302);
			},
		);

		forms.post(
			'/oauth/token',
			{ config: { operationId: 'issueToken' } },
			async (request, reply) => {
				logForm(request);
				void reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache');
				try {
					return reply.send((await issue(request)).response);
				} catch (error) {
					return refuse(reply, error);
				}
			},
		);
		done();
	});
}

function textOf({ body }: FastifyRequest): string {
	return typeof body === 'string' ? body : '';
}

function logForm(request: FastifyRequest): void {
	const oauth = request.logged?.oauth;
	if (!oauth) return;
	const form = new URLSearchParams(textOf(request));
	oauth.inForm = [...form.keys()];
	oauth.grantType =
		form.get('grant_type') ?? (request.query as Record<string, string>)['grant_type'] ?? null;
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
	if (error instanceof OAuthRefusal) {
		const { status, error: name, message } = error;
		return reply.code(status).send({ error: name, error_description: message });
	}
	if (error instanceof OAuth2Server.OAuthError && error.name !== 'server_error') {
		const { code, name, message } = error;
		return reply.code(code).send({ error: name, error_description: message });
	}
	throw error;
}
