import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Operation, type Parameter, fault } from './contract';
import type { Platform } from './platform';
import type { Answered, Handler } from './records/handler';
import { bulkHint } from './jobs/bulkHint';
import { wantedType } from './mediaType';
import { Refusal } from './refusal';
import { inWorld } from './world/records';
import { inShape } from './world/shape';
import { knownParameters, requireSpecifiedBody } from './world/strict';

/** One route per operation of the contract; what has no handler is a mistake in the sandbox. */
export function addOperations(
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
			config: {
				operationId: operation.id,
				isSpecified: operation.isSpecified,
				// Section 5.3: any one of these opens the operation.
				scopes: (operation.document['x-scopes'] ?? []) as string[],
			},
			handler: (request, reply) => {
				const answered = handler({
					platform,
					...readParameters(platform, operation, request),
					body: readBody(platform, operation, request),
				});
				return send(platform, operation, request, reply, answered);
			},
		});
	}
}

function readParameters({ options }: Platform, operation: Operation, request: FastifyRequest) {
	const takes = knownParameters(operation, options);
	const path = { ...(request.params as Record<string, string>) };
	const query: Record<string, unknown> = { ...(request.query as Record<string, unknown>) };
	for (const name of Object.keys(query)) {
		const parameter = takes.find((taken) => taken.name === name);
		if (!parameter && (options.strict || /^(?:page|filter|include|sort|fields)\b/.test(name))) {
			throw new Refusal(400, unknownParameter(operation, takes, name));
		}
		if (parameter && Array.isArray(query[name]) && !parameter.list) {
			throw new Refusal(400, `The query parameter ${name} is given more than once.`);
		}
		if (parameter?.list) {
			query[name] = [query[name]].flat().flatMap((text) => String(text).split(','));
		}
	}
	// `readPage` checks the page parameters and words their refusals.
	const { 'page[number]': number, 'page[size]': size, ...rest } = query;
	const values = { ...rest, ...path };
	if (!operation.checkParameters(values)) {
		throw new Refusal(400, sentence(fault(operation.checkParameters, 'The parameter')));
	}
	return { path, query: { ...values, 'page[number]': number, 'page[size]': size } };
}

function unknownParameter(
	{ method, path }: Operation,
	takes: readonly Parameter[],
	name: string,
): string {
	const names = takes.map((parameter) => parameter.name).join(', ');
	const hint = takes.length > 0 ? `It takes ${names}.` : 'It takes none.';
	return `${method} ${path} has no query parameter '${name.slice(0, 60)}'. ${hint}`;
}

function readBody({ options }: Platform, operation: Operation, request: FastifyRequest): unknown {
	const { body } = request;
	if (!operation.checkBody) return undefined;
	if (body === undefined || body === null) {
		if (!operation.bodyRequired) return undefined;
		throw new Refusal(400, `${operation.method} ${operation.path} needs a JSON body.`);
	}
	if (!operation.checkBody(body)) {
		const hint = operation.id === 'registerInBulk' ? bulkHint(body) : undefined;
		throw new Refusal(400, hint ?? sentence(fault(operation.checkBody, 'The body:')));
	}
	if (options.strict) requireSpecifiedBody(operation, request, body);
	return body;
}

function send(
	platform: Platform,
	operation: Operation,
	request: FastifyRequest,
	reply: FastifyReply,
	answered: Answered,
): FastifyReply {
	const response = { ...answered, body: inWorld(platform.options, answered.body) };
	const broken = violation(operation, response.status, response.body);
	if (broken) {
		platform.violations.push(broken);
		throw new Refusal(500, `The sandbox's own answer breaks the contract: ${broken}`);
	}
	const { status, body, contentType } = inShape(platform.options, operation.id, response);
	reply.code(status);
	if (body === undefined) return reply.send();
	return reply.type(contentType ?? wantedType(request)).send(JSON.stringify(body));
}

/** Says how an answer of the sandbox breaks the contract. `send` turns such an answer into a 500. */
function violation(operation: Operation, status: number, body: unknown): string | undefined {
	const here = `${operation.id} ${status}`;
	if (!operation.checkAnswer.has(String(status))) return `${here} is not in the contract`;
	const check = operation.checkAnswer.get(String(status));
	if (!check) return body === undefined ? undefined : `${here} has a body`;
	return check(body) ? undefined : fault(check, `${here}:`);
}

function sentence(text: string): string {
	return text.endsWith('.') ? text : `${text}.`;
}
