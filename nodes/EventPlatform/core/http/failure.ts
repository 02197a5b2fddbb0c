import { isObject, quote, text, type Json, type JsonObject } from './json';
import type { ApiRequest } from './ports';

/** Why a request came to nothing, in the words that the rest of the connector decides by. */
export type Cause =
	| 'unauthorized' // 401, after a refresh where there is one
	| 'reconnect' // the grant is gone: a person has to connect the credential again
	| 'missing_scope'
	| 'workspace_blocked'
	| 'forbidden'
	| 'allowance_spent' // 402: the workspace's monthly active contacts
	| 'not_found'
	| 'page_out_of_range'
	| 'already_exists' // 409
	| 'refused' // 400
	| 'unprocessable' // 422
	| 'rate_limited' // 429, and waiting longer is of no use
	| 'quota_spent' // the month's requests are used up
	| 'quota_reserved' // what is left of them is for registrations
	| 'platform_error' // 5xx
	| 'unconfirmed' // sent, no answer: whether the platform acted is open
	| 'unreachable' // never reached the platform
	| 'not_json'
	| 'unexpected_shape'
	| 'time_over'; // the deadline came first

/** Of a request, or of a person in a job. */
export interface PlatformError {
	/** Name or number. */
	code?: string;
	title?: string;
	detail?: string;
	/** The field, or the place in the request. */
	about?: string;
}

/** A request that will not succeed by itself. The edge turns it into an n8n error with words for people. */
export class Failure extends Error {
	override readonly name = 'Failure';
	readonly status?: number;
	/** Free of secrets. */
	readonly errors: readonly PlatformError[];
	/** Clock time at which a new attempt makes sense. */
	readonly retryAt?: number;

	constructor(
		readonly reason: Cause,
		readonly request: Pick<ApiRequest, 'method' | 'path'>,
		/** May be another failure, whose cause is not taken. */
		{ status, errors = [], retryAt }: Partial<Pick<Failure, 'status' | 'errors' | 'retryAt'>> = {},
	) {
		super(`${request.method} ${request.path}: ${reason}`);
		this.status = status;
		this.errors = errors;
		this.retryAt = retryAt;
	}
}

/** For `catch`: what the platform did is looked at, anything else is a mistake of ours. */
export function asFailure(error: unknown): Failure {
	if (error instanceof Failure) return error;
	throw error;
}

export class Cancelled extends Error {
	override readonly name = 'Cancelled';
	constructor() {
		super('The run was cancelled');
	}
}

const mostErrors = 10;

/** The platform's errors in whatever envelope, short and free of secrets. */
export function readErrors(body: unknown): PlatformError[] {
	if (!isObject(body)) return [];
	const { errors, error, error_description: description, message = '' } = body;
	const found = [errors ?? []].flat().slice(0, mostErrors).map(readError).filter(saysSomething);
	if (found.length > 0) return found;
	// The OAuth envelope of RFC 6749, and the plain ones that proxies send.
	const plain = isObject(error) ? error : { code: error ?? '', detail: description ?? message };
	return [readError(plain)].filter(saysSomething);
}

function saysSomething({ code, title, detail }: PlatformError): boolean {
	return (code ?? title ?? detail) !== undefined;
}

/** In the envelope of a request or of a task (section 2.3). */
export function readError(error: Json): PlatformError {
	const { title, detail, message, source, field, attribute, ...rest } = isObject(error)
		? error
		: {};
	const code = codeOf(rest);
	// An error of another kind is quoted as a whole.
	if ((code ?? title ?? detail ?? message) === undefined) return { detail: quote(error) };
	const place = isObject(source) ? (source.pointer ?? source.parameter) : source;
	const about = quote(place ?? field ?? attribute);
	return { code: quote(code), title: quote(title), detail: quote(message ?? detail), about };
}

/** Some platforms swap the two: the HTTP status as the code, and the name of the error as the status. */
function codeOf({ code, status }: JsonObject): Json | undefined {
	const isName = typeof status === 'string' && !/^\d*$/.test(status);
	const isStatus = code === undefined || code === null || /^[1-5]\d\d$/.test(text(code));
	return isName && isStatus ? status : code;
}
