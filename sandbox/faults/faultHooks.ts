import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentedToken } from '../access/authenticate';
import { isOwnPath } from '../access/ownPath';
import { createTokens } from '../oauth/tokens';
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
	const tokens = createTokens(platform);
	const hanging = new Set<FastifyRequest>();

	platform.onReset(() => faults.clear());
	addControlRoutes(app, faults);

	/** What happens before the platform acts. True: the request goes on. */
	function before(fault: Fault, request: FastifyRequest, reply: FastifyReply): boolean {
		if (fault.retryAfter !== undefined) void reply.header('Retry-After', fault.retryAfter);
		switch (fault.do) {
			case '429':
				void reply.header('Retry-After', fault.retryAfter ?? 1);
				throw new Refusal(429, 'Too many requests: a fault that was asked for.');
			case '500':
				throw new Refusal(500, 'Something went wrong: a fault that was asked for.');
			case 'html-502':
				void reply.code(502).type('text/html').send(badGateway);
				return false;
			case 'empty-403':
				void reply.code(403).send();
				return false;
			case 'reset-before':
				drop(request, reply);
				return false;
			case 'hang':
				hang(request, reply);
				return false;
			case 'expire-token':
				tokens.expireAccess(presentedToken(request.headers.authorization));
				return true;
			case 'expire-link':
			case 'reset-after':
			case 'truncate':
				return true;
		}
	}

	function hang(request: FastifyRequest, reply: FastifyReply): void {
		void reply.hijack();
		hanging.add(request);
		request.raw.socket.once('close', () => hanging.delete(request));
		platform.later(longestHangMs, () => request.raw.socket.destroy());
	}

	/** What follows a change of a person that was made: a trait of this platform. */
	function answerPatch(
		request: FastifyRequest,
		reply: FastifyReply,
		body: unknown,
		done: (error: null, body: unknown) => void,
	): void {
		const { patchAnswer } = platform.options;
		if (patchAnswer === 'never') return hang(request, reply);
		if (patchAnswer === 'record' || patchAnswer === 'stale') return done(null, body);
		void reply.code(502).type('text/html').removeHeader('Content-Length');
		done(null, badGateway);
	}

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
		if (before(fault, request, reply)) done();
	});

	// Not calling `done` keeps the answer from being sent: the platform has acted by now.
	app.addHook('onSend', (request, reply, body, done) => {
		if (request.fault?.do === 'reset-after') drop(request, reply);
		else if (request.fault?.do === 'truncate') truncate(request, reply, body);
		else if (isAppliedPatch(request, reply)) answerPatch(request, reply, body, done);
		else done(null, body);
	});

	app.addHook('preClose', (done) => {
		for (const request of hanging) request.raw.socket.destroy();
		done();
	});
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
