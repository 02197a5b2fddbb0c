import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorObject as Fault, ValidateFunction } from 'ajv/dist/2020';
import type { Operation } from './contract';
import type { Platform } from './platform';
import type { Answered, Handler } from './records/handler';
import { bulkHint } from './jobs/bulkHint';
import { jsonApi } from './mediaType';
import { Refusal, envelope } from './refusal';

/** One route per operation of the contract; what has no handler is a mistake in the sandbox. */
export function registerOperations(
	app: FastifyInstance,
	platform: Platform,
	operations: readonly Operation[],
	handlers: Readonly<Record<string, Handler>>,
): void {
	for (const operation of operations) {
		const handler = handlers[operation.id];
		if (!handler) continue;
		app.route({
			method: operation.method,
			url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
			config: { operationId: operation.id, ...access(operation) },
			handler: (request, reply) => {
				const answered = handler({
					platform,
					...readParameters(operation, request),
					body: readBody(operation, request),
					caller: request.caller,
				});
				return send(platform, operation, request, reply, answered);
			},
		});
	}
}

/** The scopes of which any one opens the operation (section 5.3), and whether it is for OAuth alone. */
function access({ document }: Operation): { scopes: string[]; oauthOnly: boolean } {
	const schemes = (document['security'] ?? []) as Array<Record<string, string[]>>;
	const scopes = (document['x-scopes'] ?? []) as string[];
	return { scopes, oauthOnly: schemes.length > 0 && !schemes.some((one) => 'apiToken' in one) };
}

function readParameters(operation: Operation, request: FastifyRequest) {
	const path = { ...(request.params as Record<string, string>) };
	const query: Record<string, unknown> = { ...(request.query as Record<string, unknown>) };
	for (const name of Object.keys(query)) {
		const known = operation.parameters.find((one) => one.in === 'query' && one.name === name);
		if (!known && /^(page|filter|include|sort|fields)\b/.test(name)) {
			throw new Refusal(400, unknownParameter(operation, name));
		}
		if (known && Array.isArray(query[name]) && !known.list) {
			throw new Refusal(400, `The query parameter ${name} is given more than once.`);
		}
		if (known?.list) {
			query[name] = [query[name]].flat().flatMap((text) => String(text).split(','));
		}
	}
	// Pages are read by the lists themselves, who know what is wrong with them in their own words.
	const { 'page[number]': number, 'page[size]': size, ...rest } = query;
	const values = { ...rest, ...path };
	if (!operation.checkParameters(values)) {
		throw new Refusal(400, `The query ${fault(operation.checkParameters)}.`);
	}
	return { path, query: { ...values, 'page[number]': number, 'page[size]': size } };
}

function unknownParameter(operation: Operation, name: string): string {
	const known = operation.parameters.filter((one) => one.in === 'query').map((one) => one.name);
	const takes = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes none.';
	return `${operation.method} ${operation.path} has no query parameter '${name}'. ${takes}`;
}

function readBody(operation: Operation, request: FastifyRequest): unknown {
	const { body } = request;
	if (!operation.checkBody) return undefined;
	if (body === undefined || body === null) {
		if (!operation.bodyRequired) return undefined;
		throw new Refusal(400, `${operation.method} ${operation.path} needs a JSON body.`);
	}
	if (!operation.checkBody(body)) {
		const hint = operation.id === 'registerInBulk' ? bulkHint(body) : undefined;
		throw new Refusal(400, hint ?? `The body ${fault(operation.checkBody)}.`);
	}
	return body;
}

function send(
	platform: Platform,
	operation: Operation,
	request: FastifyRequest,
	reply: FastifyReply,
	{ status, body, contentType }: Answered,
): FastifyReply {
	const broken = violation(operation, status, body);
	if (broken) {
		platform.violations.push(broken);
		throw new Refusal(500, `The sandbox's own answer breaks the contract: ${broken}`);
	}
	reply.code(status);
	if (body === undefined) return reply.send();
	return reply.type(contentType ?? wanted(request)).send(JSON.stringify(body));
}

/** Every answer is held against the contract, so that the sandbox cannot drift away from it. */
function violation(operation: Operation, status: number, body: unknown): string | undefined {
	const here = `${operation.id} ${status}`;
	if (!operation.checkAnswer.has(String(status))) return `${here} is not in the contract`;
	const check = operation.checkAnswer.get(String(status));
	if (!check) return body === undefined ? undefined : `${here} has a body`;
	return check(body) ? undefined : `${here} ${fault(check)}`;
}

function wanted(request: FastifyRequest): string {
	return request.headers.accept?.includes(jsonApi) ? jsonApi : 'application/json; charset=utf-8';
}

/** The first fault that Ajv found, as the end of a sentence. */
export function fault({ errors }: ValidateFunction): string {
	const found: Fault | undefined = errors?.[0];
	if (!found) return 'is not as the contract says';
	const { instancePath, message = 'is wrong', params } = found;
	const values: unknown = params['allowedValues'] ?? params['additionalProperty'];
	const hint = values === undefined ? '' : ` (${String(values)})`;
	return `at '${decodeURIComponent(instancePath) || '/'}' ${message}${hint}`;
}

/** Whatever goes wrong leaves as the error envelope: no stack, no library's own words about itself. */
export function answerErrors(app: FastifyInstance, platform: Platform): void {
	app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
		const refusal = asRefusal(error, platform);
		return reply
			.code(refusal.status)
			.type(wanted(request))
			.send(JSON.stringify(envelope(refusal)));
	});
	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?')[0]?.slice(0, 200);
		const refusal = new Refusal(404, `There is no ${request.method} ${path}.`);
		return reply
			.code(404)
			.type(wanted(request))
			.send(JSON.stringify(envelope(refusal)));
	});
}

function asRefusal(error: Error & { statusCode?: number; code?: string }, platform: Platform) {
	if (error instanceof Refusal) return error;
	const known = ownWords[error.code ?? ''];
	if (known) return new Refusal(error.statusCode ?? 400, known);
	if (error.statusCode !== undefined && error.statusCode < 500) {
		return new Refusal(error.statusCode, error.message);
	}
	platform.violations.push(`unexpected ${error.name}: ${error.message}`);
	return new Refusal(500, 'Something unexpected went wrong in the sandbox.');
}

const ownWords: Readonly<Record<string, string>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 1 MiB.',
	FST_ERR_CTP_INVALID_MEDIA_TYPE: `Send the body as application/json or ${jsonApi}.`,
	FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
};
