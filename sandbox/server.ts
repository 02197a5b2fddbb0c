import Fastify, { type FastifyInstance } from 'fastify';
import { addAccessHooks } from './access/accessHooks';
import { apiToken } from './access/authenticate';
import { addHostHooks } from './access/hostHooks';
import { isOwnPath } from './access/ownPath';
import { addRequestLog } from './access/requestLog';
import { readContract } from './contract';
import { addControlRoutes } from './control';
import { createPlatform } from './createPlatform';
import { answerErrors } from './errors';
import { addFaultHooks } from './faults/faultHooks';
import { createHandlers } from './handlers';
import { addFileRoutes } from './files/fileRoutes';
import { Processing } from './jobs/processing';
import { jsonApi } from './mediaType';
import { clientId, clientSecret } from './oauth/client';
import { addOAuthRoutes } from './oauth/routes';
import { type SandboxOptions, defaultsOf } from './options';
import { addPageRoutes } from './page/routes';
import { addOperations } from './operations';
import type { Platform } from './platform';
import { Refusal } from './refusal';
import { addWorldRoutes } from './world/worldRoutes';

const largestBody = 1024 * 1024;

/** Where a sandbox is, and what a client needs to talk to it. */
export interface Access {
	baseUrl: string;
	authServerUrl: string;
	apiToken: string;
	clientId: string;
	clientSecret: string;
	redirectUri: string;
	scope: string;
}

export interface Sandbox extends Access {
	platform: Platform;
	close(): Promise<void>;
}

const operations = readContract();

export async function startSandbox(changes: Partial<SandboxOptions> = {}): Promise<Sandbox> {
	const options = { ...defaultsOf(changes.world ?? 'specification'), ...changes };
	const { platform, webhooks } = createPlatform(options);
	const app = Fastify({
		bodyLimit: largestBody,
		routerOptions: { maxParamLength: 1_000 },
		forceCloseConnections: true,
		return503OnClosing: false,
	});
	try {
		register(app, platform);
		webhooks.register(app);
		await app.listen({ host: options.host, port: options.port });
	} catch (error) {
		await app.close();
		await platform.close();
		throw error;
	}
	const { port } = app.addresses()[0] ?? options;
	const baseUrl = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`;
	platform.listensAt(baseUrl);
	return {
		baseUrl,
		authServerUrl: baseUrl,
		apiToken,
		clientId,
		clientSecret,
		redirectUri: options.redirectUri,
		scope: options.scope,
		platform,
		async close() {
			await app.close();
			await platform.close();
		},
	};
}

/** The order of the hooks is the order in which a request meets them. */
function register(app: FastifyInstance, platform: Platform): void {
	parseBodies(app);
	answerErrors(app, platform);
	addRequestLog(app, platform);
	addHostHooks(app, platform.options);
	app.addHook('onRequest', (_request, reply, done) => {
		const now = platform.now() + platform.options.clockAheadMs;
		void reply.header('Date', new Date(now).toUTCString());
		done();
	});
	app.addHook('onRequest', (request, _reply, done) => {
		const { latencyMs } = platform.options;
		if (latencyMs > 0 && !isOwnPath(request)) platform.later(latencyMs, done);
		else done();
	});
	addFaultHooks(app, platform);
	addAccessHooks(app, platform);
	addOAuthRoutes(app, platform);
	addControlRoutes(app, platform);
	addWorldRoutes(app, platform);
	addPageRoutes(app, platform);
	addFileRoutes(app, platform);
	const processing = new Processing(platform);
	addOperations(app, platform, operations, createHandlers(processing));
}

/** Both media types are JSON. Whatever type it names, a request may also send nothing. */
function parseBodies(app: FastifyInstance): void {
	const parse = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser<string>(
		['application/json', jsonApi],
		{ parseAs: 'string' },
		(request, body, done) => (body === '' ? done(null, undefined) : parse(request, body, done)),
	);
	app.addContentTypeParser('*', ({ headers }, _body, done) => {
		if (headers['content-length'] === '0') done(null, undefined);
		else done(new Refusal(415, `Send the body as application/json or ${jsonApi}.`));
	});
}
