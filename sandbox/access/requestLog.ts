import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Platform } from '../platform';
import { presentedToken } from './authenticate';
import { isOwnPath } from './ownPath';
import { withoutSecrets } from './redact';

/** The log keeps these parts of a request. They are enough to check it as the client sent it, and none is a credential. */
export interface LoggedRequest {
	id: number;
	method: string;
	path: string;
	/** The query. Only the names are kept for /oauth/*, because the values are credentials. */
	query: Record<string, string>;
	/** Null while it is being answered, and for good when the connection broke first. */
	status: number | null;
	tokenKind: 'api_token' | 'access_token' | 'unknown' | 'none';
	/** Milliseconds since 1970. */
	time: number;
	durationMs: number | null;
	operationId: string | null;
	/** The parsed body of an API request. */
	body: unknown;
	oauth: OAuthParameters | null;
	/** The fault that the sandbox was told to give this request. */
	fault: string | null;
}

interface OAuthParameters {
	grantType: string | null;
	inQuery: string[];
	inForm: string[];
}

declare module 'fastify' {
	interface FastifyRequest {
		logged: LoggedRequest | null;
	}
}

const kept = 20_000;
const keptBodies = 2_000;

/** The latest requests, oldest first. Those for the sandbox itself are left out. */
class RequestLog {
	private requests: LoggedRequest[] = [];
	private lastId = 0;

	add(request: Omit<LoggedRequest, 'id'>): LoggedRequest {
		const logged = { id: ++this.lastId, ...request };
		this.requests.push(logged);
		const bodyless = this.requests.at(-1 - keptBodies);
		if (bodyless) bodyless.body = null;
		// Cut seldom and by a quarter: shifting a long array for every request costs time.
		if (this.requests.length >= kept * 1.25) this.requests = this.requests.slice(-kept);
		return logged;
	}

	all(): LoggedRequest[] {
		return this.requests.slice(-kept);
	}

	clear(): void {
		this.requests = [];
	}
}

const logs = new WeakMap<Platform, RequestLog>();

/** The log of this platform, shared with the page. */
export function requestLogOf(platform: Platform): RequestLog {
	const log = logs.get(platform) ?? new RequestLog();
	logs.set(platform, log);
	return log;
}

export function addRequestLog(app: FastifyInstance, platform: Platform): void {
	const log = requestLogOf(platform);

	if (!app.hasRequestDecorator('caller')) app.decorateRequest('caller', null);
	app.decorateRequest('logged', null);

	app.addHook('onRequest', (request, reply, done) => {
		const [path = '/', search] = (request.raw.url ?? '/').split('?', 2);
		if (isOwnPath(request)) return done();
		const query = new URLSearchParams(search);
		// The route decides where there is one, because an address may be spelt in many ways.
		const isOAuth = (request.routeOptions.url ?? path).startsWith('/oauth');
		const token = presentedToken(request.headers.authorization);
		const startedAt = performance.now();
		const logged = log.add({
			method: request.method,
			path,
			query: isOAuth ? {} : Object.fromEntries(query),
			status: null,
			tokenKind: 'none',
			time: platform.now(),
			durationMs: null,
			operationId: request.routeOptions.config?.operationId ?? null,
			body: null,
			oauth: isOAuth ? { grantType: null, inQuery: [...query.keys()], inForm: [] } : null,
			fault: null,
		});
		request.logged = logged;
		reply.raw.once('close', () => {
			logged.durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
			logged.tokenKind = tokenKind(request, token);
			if (reply.raw.writableFinished) logged.status = reply.raw.statusCode;
			if (!isOAuth) logged.body = request.body ?? null;
		});
		done();
	});

	app.get('/_sandbox/requests', (_request, reply) =>
		reply.type('application/json').send(JSON.stringify(log.all(), withoutSecrets)),
	);
	platform.onReset(() => log.clear());
}

function tokenKind(request: FastifyRequest, token: string): LoggedRequest['tokenKind'] {
	if (request.caller) return request.caller.kind;
	return token ? 'unknown' : 'none';
}
