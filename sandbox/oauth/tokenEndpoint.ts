import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxOptions } from '../options';
import type { Platform } from '../platform';
import type { AuthorizationServer } from './authorizationServer';
import { queryOf } from './parameters';
import { OAuthRefusal, readTokenRequest } from './tokenRequest';

/** `forms` reads bodies as text. */
export function addTokenRoute(
	forms: FastifyInstance,
	{ options }: Platform,
	server: AuthorizationServer,
): void {
	const config = { operationId: 'issueToken' };
	forms.post('/oauth/token', { config }, async (request, reply) => {
		void reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache');
		const { authorization, 'content-type': contentType } = request.headers;
		const query = queryOf(request.raw.url);
		const body = (request.body as string | undefined) ?? '';
		logNames(request, query, body);
		try {
			const asked = readTokenRequest({ authorization, contentType, query, body }, options);
			return await server.issue(asked);
		} catch (error) {
			return refuse(reply, error, options);
		}
	});
}

/** The log gets the grant type and the names of the rest, whose values are credentials. */
function logNames({ logged }: FastifyRequest, query: string, body: string): void {
	if (!logged?.oauth) return;
	const form = new URLSearchParams(body);
	const grantType = form.get('grant_type') ?? new URLSearchParams(query).get('grant_type');
	logged.oauth = { ...logged.oauth, grantType, inForm: [...form.keys()] };
}

/** A grant that is not good is refused as this platform does it. */
function refuse(
	reply: FastifyReply,
	error: unknown,
	{ refreshRefusal }: SandboxOptions,
): FastifyReply {
	const { status, name, description } = readRefusal(error);
	const errorName = name === 'invalid_grant' ? refreshRefusal : name;
	if (errorName === 'html') return reply.code(400).type('text/html').send(refusalPage);
	if (errorName === '403') return reply.code(403).send({ error: 'access_denied' });
	return reply.code(status).send({ error: errorName, error_description: description });
}

const refusalPage = '<html><head><title>400 Bad Request</title></head><body></body></html>\n';

function readRefusal(error: unknown) {
	if (error instanceof OAuthRefusal) {
		return { status: error.status, name: error.error, description: error.message };
	}
	if (error instanceof OAuth2Server.OAuthError && error.name !== 'server_error') {
		return { status: error.code, name: error.name, description: error.message };
	}
	throw error;
}
