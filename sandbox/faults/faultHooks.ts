import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentedToken } from '../access/authenticate';
import { isOwnPath } from '../access/ownPath';
import { createTokens, type Tokens } from '../oauth/tokens';
import type { Platform } from '../platform';
import { Refusal } from '../refusal';
import { type Fault, type Faults, readFaults } from './faults';

/** A hanging connection is closed after this time, should its client never close it. */
const longestHangMs = 10 * 60 * 1000;

const ofProxy = (title: string) => `<html>
<head><title>${title}</title></head>
<body><center><h1>${title}</h1></center><hr><center>nginx</center></body>
</html>
`;
const badRequest = ofProxy('400 Bad Request');
const badGateway = ofProxy('502 Bad Gateway');
const unavailable = ofProxy('503 Service Temporarily Unavailable');

declare module 'fastify' {
	interface FastifyRequest {
		fault: Fault | null;
	}
}

/** Lets requests go wrong on demand, precisely those that were named. */
export function addFaultHooks(app: FastifyInstance, platform: Platform): void {
	const { faults, workspace } = platform;
	const faulty = new FaultyPlatform(platform);

	platform.onReset(() => faults.clear());
	addControlRoutes(app, faults);

	app.decorateRequest('fault', null);
	app.addHook('onRequest', (request, reply, done) => {
		const [path = '/', search] = (request.raw.url ?? '/').split('?', 2);
		if (isOwnPath(request)) return done();
		if (workspace.down) return void reply.code(503).type('text/html').send(unavailable);
		const query = new URLSearchParams(search);
		const fault = faults.take({ method: request.method, path, query });
		if (!fault) return done();
		request.fault = fault;
		if (request.logged) request.logged.fault = fault.do;
		if (faulty.before(fault, request, reply)) done();
	});

	// Not calling `done` keeps the answer from being sent: the platform has acted by now.
	app.addHook('onSend', (request, reply, body, done) => {
		if (request.fault?.do === 'reset-after') drop(request, reply);
		else if (request.fault?.do === 'truncate') truncate(request, reply, body);
		else if (request.fault?.do === 'empty-page') done(null, withoutRecords(reply, body));
		else if (isAppliedPatch(request, reply)) faulty.answerPatch(request, reply, body, done);
		else done(null, body);
	});

	app.addHook('preClose', (done) => {
		faulty.close();
		done();
	});
}

/** Handles the requests that go wrong. */
class FaultyPlatform {
	private readonly tokens: Tokens;
	private readonly hanging = new Set<FastifyRequest>();

	constructor(private readonly platform: Platform) {
		this.tokens = createTokens(platform);
	}

	/** Acts before the platform does. Says whether the request goes on. */
	before(fault: Fault, request: FastifyRequest, reply: FastifyReply): boolean {
		if (fault.retryAfter !== undefined) void reply.header('Retry-After', fault.retryAfter);
		switch (fault.do) {
			case '429':
				void reply.header('Retry-After', fault.retryAfter ?? 1);
				throw new Refusal(429, 'Too many requests: a fault that was asked for.');
			case '500':
				throw new Refusal(500, 'Something went wrong: a fault that was asked for.');
			case 'html-400':
				void reply.code(400).type('text/html').send(badRequest);
				return false;
			case 'html-502':
				void reply.code(502).type('text/html').send(badGateway);
				return false;
			case 'empty-400':
				void reply.code(400).send();
				return false;
			case 'empty-403':
				void reply.code(403).send();
				return false;
			case 'reset-before':
				drop(request, reply);
				return false;
			case 'hang':
				this.hang(request, reply);
				return false;
			case 'expire-token':
				this.tokens.expireAccess(presentedToken(request.headers.authorization));
				return true;
			case 'expire-link':
			case 'reset-after':
			case 'truncate':
			case 'empty-page':
				return true;
		}
	}

	/** Reacts to a change of a person that was made. A trait of this platform says how. */
	answerPatch(
		request: FastifyRequest,
		reply: FastifyReply,
		body: unknown,
		done: (error: null, body: unknown) => void,
	): void {
		const { patchAnswer } = this.platform.options;
		if (patchAnswer === 'never') return this.hang(request, reply);
		if (patchAnswer === 'record' || patchAnswer === 'stale') return done(null, body);
		void reply.code(502).type('text/html').removeHeader('Content-Length');
		done(null, badGateway);
	}

	/** Ends the connections that hang. */
	close(): void {
		for (const request of this.hanging) request.raw.socket.destroy();
	}

	private hang(request: FastifyRequest, reply: FastifyReply): void {
		void reply.hijack();
		this.hanging.add(request);
		request.raw.socket.once('close', () => this.hanging.delete(request));
		this.platform.later(longestHangMs, () => request.raw.socket.destroy());
	}
}

function isAppliedPatch({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
	return routeOptions.config.operationId === 'updateSessionPerson' && statusCode === 200;
}

function drop(request: FastifyRequest, reply: FastifyReply): void {
	void reply.hijack();
	request.raw.socket.resetAndDestroy();
}

/** Half of the answer under the length of the whole. */
function truncate(request: FastifyRequest, reply: FastifyReply, body: unknown): void {
	const whole = typeof body === 'string' ? Buffer.from(body) : Buffer.alloc(0);
	void reply.hijack();
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) reply.raw.setHeader(name, value);
	}
	reply.raw.setHeader('Content-Length', whole.length);
	reply.raw.writeHead(reply.statusCode);
	reply.raw.write(whole.subarray(0, whole.length / 2), () => request.raw.socket.destroy());
}

/** The page with nothing in it. Its meta still says how many records the list has, as section 2.4 wants it. */
function withoutRecords(reply: FastifyReply, body: unknown): unknown {
	if (typeof body !== 'string') return body;
	void reply.removeHeader('Content-Length');
	return JSON.stringify({ ...(JSON.parse(body) as object), data: [] });
}

function addControlRoutes(app: FastifyInstance, faults: Faults): void {
	app.get('/_sandbox/faults', () => faults.left());
	app.post('/_sandbox/faults', (request, reply) => {
		faults.add(readFaults(request.body));
		return reply.code(201).send(faults.left());
	});
	app.delete('/_sandbox/faults', (_request, reply) => {
		faults.clear();
		return reply.code(204).send();
	});
}
