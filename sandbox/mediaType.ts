import type { FastifyRequest } from 'fastify';

export const jsonApi = 'application/vnd.api+json';

/** Both media types carry the same; clients that ask for JSON:API by name get it. */
export function wantedType({ headers }: FastifyRequest): string {
	return headers.accept?.includes(jsonApi) ? jsonApi : 'application/json; charset=utf-8';
}
