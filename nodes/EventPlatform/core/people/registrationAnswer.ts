import { Failure } from '../client/failure';
import { readErrors } from '../dialect/errors';
import { isObject, type JsonObject } from '../values/json';
import type { ApiResponse, ApiRequest } from '../client/request';

/** One of these makes an object of an answer a record, and not a word like `{"ok": true}`. */
const members = ['id', 'attributes', 'email', 'fields'];

/**
 * Gives the record in the answer to a single registration, as far as there is one: the specification does not show what the
 * answer is. A 2xx says that the person is registered, unless it names an error.
 */
export function personOfAnswer(
	request: ApiRequest,
	{ status, body }: ApiResponse,
): JsonObject | undefined {
	const { data, error, errors } = isObject(body) ? body : {};
	const record = [isObject(data) ? data.data : undefined, data, body].find(isObject);
	if (record && members.some((member) => member in record)) return record;
	const told = [errors ?? error ?? []].flat().filter(Boolean);
	if (told.length === 0) return undefined;
	throw new Failure('refused', request, { status, errors: readErrors(body) });
}
