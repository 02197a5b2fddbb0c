import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { jsonApi, wantedType } from './mediaType';
import type { Platform } from './platform';
import { Refusal, missingScope } from './refusal';
import { errorBody } from './world/errorBody';

/** Every failure of a request that can be read is answered with the error envelope, without a stack or the words of a library. */
export function answerErrors(app: FastifyInstance, platform: Platform): void {
	const { options } = platform;
	const refuse = (reply: FastifyReply, refusal: Refusal) => {
		reply.code(refusal.status);
		if (refusal.code === missingScope && options.missingScope === 'empty') return reply.send();
		const { text, contentType = wantedType(reply.request) } = errorBody(options, refusal);
		return text === undefined ? reply.send() : reply.type(contentType).send(text);
	};

	app.setErrorHandler<FastifyError>((error, _request, reply) =>
		refuse(reply, asRefusal(error, platform)),
	);
	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?')[0]?.slice(0, 200);
		return refuse(reply, new Refusal(404, `There is no ${request.method} ${path}.`));
	});
}

function asRefusal(error: FastifyError, platform: Platform): Refusal {
	if (error instanceof Refusal) return error;
	const detail = ownWords[error.code];
	if (detail) return new Refusal(error.statusCode ?? 400, detail);
	if (error.statusCode !== undefined && error.statusCode < 500) {
		return new Refusal(error.statusCode, error.message);
	}
	platform.violations.push(`unexpected ${error.name}: ${error.message}`);
	return new Refusal(500, 'Something unexpected went wrong in the sandbox.');
}

const ownWords: Readonly<Record<string, string>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 1 MiB.',
	FST_ERR_CTP_INVALID_MEDIA_TYPE: `Send the body as application/json or ${jsonApi}.`,
	FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON, or has a key such as __proto__.',
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says.',
};
