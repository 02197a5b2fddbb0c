import type {} from 'fastify';

/** The caller that a request of the API acts for. It is known once the token has been checked. */
export interface Caller {
	kind: 'api_token' | 'access_token';
	/** One per token: the key of the rate limit. */
	tokenKey: string;
	/** One per API token or OAuth grant, so that a refresh does not buy a new month. */
	quotaKey: string;
	scopes: readonly string[];
}

declare module 'fastify' {
	interface FastifyRequest {
		/** Null before authentication and where there is none. */
		caller: Caller | null;
	}
	interface FastifyContextConfig {
		operationId?: string;
		/** Whether the specification names this method and path. */
		isSpecified?: boolean;
		/** Any one of these grants access; none listed: any valid token does. */
		scopes?: readonly string[];
	}
}
