import { Failure } from '../client/failure';
import { hasErrors, readErrors } from '../dialect/errors';
import { personIn } from '../dialect/person';
import type { JsonObject } from '../values/json';
import type { ApiResponse, ApiRequest } from '../client/request';

/**
 * Gives the record in the answer to a single registration, as far as there is one: the specification does not show what the
 * answer is. A 2xx says that the person is registered, unless it names an error.
 */
export function personOfAnswer(
	request: ApiRequest,
	{ status, body }: ApiResponse,
): JsonObject | undefined {
	const person = personIn(body);
	if (person || !hasErrors(body)) return person;
	throw new Failure('refused', request, { status, errors: readErrors(body) });
}
