import { Failure } from '../transport/failure';

/** For `catch`: what the platform did is looked at, anything else is a mistake of ours. */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}
