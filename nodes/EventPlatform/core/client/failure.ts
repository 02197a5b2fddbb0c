import type { PlatformError } from '../dialect/errors';
import type { Cause } from './cause';
import type { ApiRequest } from './request';

/** A request that will not succeed by itself. The edge turns it into an n8n error with words for people. */
export class Failure extends Error {
	override readonly name = 'Failure';
	readonly status?: number;
	/** Free of secrets. */
	readonly errors: readonly PlatformError[];
	/** Clock time at which a new attempt makes sense. */
	readonly retryAt?: number;
	/** When the platform said so to another request; undefined where it said so to this one. */
	readonly heardAt?: number;

	constructor(
		override readonly cause: Cause,
		readonly request: Pick<ApiRequest, 'method' | 'path'>,
		/** May be another failure, whose cause is not taken. */
		{
			status,
			errors = [],
			retryAt,
			heardAt,
		}: Partial<Pick<Failure, 'status' | 'errors' | 'retryAt' | 'heardAt'>> = {},
	) {
		super(`${request.method} ${request.path}: ${cause}`);
		this.status = status;
		this.errors = errors;
		this.retryAt = retryAt;
		this.heardAt = heardAt;
	}
}

/** Gives an error to `catch` as the failure that it is. Anything else is a mistake of ours, and goes on. */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}
