import { Failure } from '../client/failure';
import { recordIn } from '../dialect/envelope';
import { hasErrors, readErrors } from '../dialect/errors';
import { howRegisteredIsTold } from '../dialect/alreadyRegistered';
import type { JsonObject } from '../values/json';
import type { ApiResponse, ApiRequest } from '../client/request';

/**
 * Undefined where there is no record, because the specification does not show what the response holds. A 2xx says that the person
 * is registered, unless it names an error.
 */
export function personOfResponse(
	request: ApiRequest,
	{ status, body }: ApiResponse,
): JsonObject | undefined {
	const person = recordIn(body);
	if (person || !hasErrors(body)) return person;
	throw new Failure('refused', request, { status, errors: readErrors(body) });
}

/** A 409 needs no words, but its code may name another problem. */
export function isRegisteredAlready({ cause, errors }: Pick<Failure, 'cause' | 'errors'>): boolean {
	const howTold = howRegisteredIsTold(errors);
	if (cause === 'already_exists') return howTold !== 'another code';
	return ['unprocessable', 'refused'].includes(cause) && ['code', 'words'].includes(howTold);
}
