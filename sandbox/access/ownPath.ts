import type { FastifyRequest } from 'fastify';

/**
 * The page and the control paths: no part of the platform. By the route where there is one: an
 * address may be spelt in many ways that lead to the same route.
 */
export function isOwnPath({ routeOptions, url }: FastifyRequest): boolean {
	return /^\/(?:_sandbox|page|favicon|\?|$)/.test(routeOptions.url ?? url);
}
