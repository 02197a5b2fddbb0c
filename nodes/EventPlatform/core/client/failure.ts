import type { PlatformError } from '../dialect/errors';
import type { Cause } from './cause';
import type { ApiRequest } from './request';
import type { Ms } from '../values/units';

/**
 * A request, or one attempt of it, that had no success. The client throws the one after which it makes no more attempts. The edge turns that into
 * an n8n error with words for people.
 */
export class Failure extends Error {
	override readonly name = 'Failure';
	readonly status?: number;
	/** The platform's errors, free of secrets. */
	readonly errors: readonly PlatformError[];
	/** The time by our clock at which a new attempt makes sense. */
	readonly retryAt?: Ms;

	constructor(
		override readonly cause: Cause,
		readonly request: Pick<ApiRequest, 'method' | 'path'>,
		/** The details of the failure, such as those of another failure that gets another cause here. */
		{ status, errors = [], retryAt }: Partial<Pick<Failure, 'status' | 'errors' | 'retryAt'>> = {},
	) {
		super(`${request.method} ${request.path}: ${cause}`);
		this.status = status;
		this.errors = errors;
		this.retryAt = retryAt;
	}
}

/** Any error but a failure is a mistake of ours, and is thrown again. */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}
