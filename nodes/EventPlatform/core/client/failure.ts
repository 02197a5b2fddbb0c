import { isObject, isVisible, quote, text, type Json, type JsonObject } from '../values/json';
import type { Answer, ApiRequest, Lost } from './request';
import { readQuota, timeIn } from './quota';

/** Why a request came to nothing, in the words that the rest of the connector decides by. */
export type Cause =
	| 'unauthorized' // 401, after a refresh where there is one
	| 'reconnect' // the grant is gone: a person has to connect the credential again
	| 'missing_scope'
	| 'workspace_blocked'
	| 'forbidden'
	| 'allowance_spent' // 402: the workspace's monthly active contacts
	| 'not_found'
	| 'no_endpoint' // 404 of a path that names no record
	| 'page_out_of_range' // also page 0 of an empty list
	| 'nothing_or_filter' // 400 to page 0 of a list with filters, without a word of them
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
	/** When the platform said so to another request; undefined where it said so to this one. */
	readonly heardAt?: number;

	constructor(
		readonly reason: Cause,
		readonly request: Pick<ApiRequest, 'method' | 'path'>,
		/** May be another failure, whose cause is not taken. */
		{
			status,
			errors = [],
			retryAt,
			heardAt,
		}: Partial<Pick<Failure, 'status' | 'errors' | 'retryAt' | 'heardAt'>> = {},
	) {
		super(`${request.method} ${request.path}: ${reason}`);
		this.status = status;
		this.errors = errors;
		this.retryAt = retryAt;
		this.heardAt = heardAt;
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

/** How often anything is tried, and the waits in between: after the `free` failures each is twice as long as before. */
const patience = {
	/** One that does no harm twice, and was not answered as it should be: 3.5 s in all. */
	request: { tries: 4, firstMs: 500, longestMs: 30_000, free: 0 },
	/** 429: others may be using up the limit, for 95 s in all. */
	refusal: { tries: 15, firstMs: 1_000, longestMs: 8_000, free: 0 },
	/** Some people of a bulk run in one request, and each read of their job: a minute in all. */
	shipment: { tries: 8, firstMs: 500, longestMs: 30_000, free: 0 },
	/** Reads of a job that is over and whose list of results lags behind: fifteen seconds in all. */
	lateResults: { tries: 5, firstMs: 1_000, longestMs: 30_000, free: 0 },
	/** A bulk run whose requests all fail: two minutes in all. The first two only slow it down. */
	run: { tries: 12, firstMs: 500, longestMs: 30_000, free: 2 },
	/** Changes of Sync in a row without an answer, each after the tries of a request. */
	steps: { tries: 12, firstMs: 0, longestMs: 0, free: 0 },
	/** A file, which goes on where it broke. */
	transfer: { tries: 11, firstMs: 500, longestMs: 8_000, free: 0 },
};

/** By how often it has failed in a row; undefined: give up. */
export function againAfterMs(what: keyof typeof patience, failures: number): number | undefined {
	const { tries, firstMs, longestMs, free } = patience[what];
	if (failures >= tries) return undefined;
	return failures > free ? Math.min(longestMs, firstMs * 2 ** (failures - free - 1)) : 0;
}

/** `retry`: milliseconds to wait before the next attempt, not counting jitter; absent: there is none. */
export type Verdict = { done: Answer } | { failure: Failure; retry?: number };

/** What to do after attempt number `attempt`, counted from 1. `now` only reads dates in headers. */
export function afterResponse(
	request: ApiRequest,
	answer: Answer | Lost,
	attempt: number,
	now = 0,
): Verdict {
	const cause = causeOf(request, answer, now);
	if (cause === undefined) return { done: answer as Answer };
	const isRefusal = cause === 'rate_limited';
	const isLast = request.once || (request.isTriedBySender && !isRefusal);
	const mayRepeat = !isLast && isRepeatable(request, answer, cause);
	const againMs = mayRepeat ? againAfterMs(isRefusal ? 'refusal' : 'request', attempt) : undefined;
	const failure = failureOf(request, answer, cause, now);
	if (againMs === undefined) return { failure };
	const { retryAt = now + againMs } = failure;
	return { failure, retry: retryAt - now };
}

/** Whether to send it again: it does no harm even if it arrived, and may bring something else. */
function isRepeatable({ method, repeatable }: ApiRequest, answer: Answer | Lost, cause: Cause) {
	const isSafe = method === 'GET' || repeatable === true;
	if ('lost' in answer) return answer.sent ? isSafe : !ofCertificates.test(answer.lost);
	// The platform did not act on a request that it turned away, so any may be repeated.
	if (cause === 'rate_limited') return true;
	// A 2xx says that it was done: another POST would only find out that it was.
	const isCutOff =
		method !== 'POST' && cause === 'not_json' && /^\s*[{[]/.test(String(answer.body));
	return isSafe && (answer.status >= 500 || isCutOff);
}

/** Another attempt would meet the same certificate. */
const ofCertificates = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/;

function failureOf(request: ApiRequest, answer: Answer | Lost, cause: Cause, now: number): Failure {
	if ('lost' in answer) return new Failure(cause, request, { errors: [{ code: answer.lost }] });
	const { status, body } = answer;
	const retryAt =
		status === 429 ? readQuota(answer, now).retryAt : timeIn('retry-after', answer, now);
	return new Failure(cause, request, { status, errors: readErrors(body), retryAt });
}

function causeOf(request: ApiRequest, answer: Answer | Lost, now: number): Cause | undefined {
	if ('lost' in answer) return answer.sent ? 'unconfirmed' : 'unreachable';
	const { status, body } = answer;
	if (status >= 200 && status < 300) {
		// Nothing else of the answer to a DELETE says whether it was done.
		const isDelete = request.method === 'DELETE' && isObject(body);
		if (isDelete && [body.errors ?? body.error ?? []].flat().length > 0) return 'refused';
		return typeof body === 'string' && body !== '' ? 'not_json' : undefined;
	}
	if (status === 429) return readQuota(answer, now).isSpent ? 'quota_spent' : 'rate_limited';
	if (status >= 500) return 'platform_error';
	const errors = readErrors(body);
	if (status === 400 && isOfPage(request, errors)) return causeOfPage(request);
	if (status === 404 && !namesRecord(request)) return 'no_endpoint';
	const words = JSON.stringify(errors).toLowerCase();
	const row = causes.find(([of, , said = /^/]) => of === status && said.test(words));
	return row?.[1] ?? (status >= 400 ? 'refused' : 'unexpected_shape');
}

/** Whether a 400 to a page of a list says that there is no such page, or says nothing (4.2). */
function isOfPage({ query = {} }: ApiRequest, errors: readonly PlatformError[]): boolean {
	if (!('page[number]' in query)) return false;
	if (isAboutPages(errors)) return true;
	// Of a later page any mention will do: page 0 was answered with the same parameters.
	return Number(query['page[number]']) > 0 && /page/i.test(JSON.stringify(errors));
}

/** Whether the words of a 400 leave open or say that the page does not exist. Parameters that are not understood are another matter. */
export function isAboutPages(errors: readonly PlatformError[]): boolean {
	const words = JSON.stringify(errors).toLowerCase();
	if (words === '[]') return true;
	if (!/\bpage/.test(words) || words.includes('size')) return false;
	return /exist|range|beyond|empty/.test(words) || !/param|support|unknown|allow/.test(words);
}

/** An empty list has no page 0 (4.2). With filters nobody can tell whether it is that. */
function causeOfPage({ query = {} }: ApiRequest): Cause {
	const isFirst = Number(query['page[number]']) === 0;
	const hasFilters = Object.keys(query).some((name) => !name.startsWith('page['));
	return isFirst && hasFilters ? 'nothing_or_filter' : 'page_out_of_range';
}

/** Whether a 404 may be about a record: one that the path names, or that the body names by its id. */
function namesRecord({ path, body = {} }: ApiRequest): boolean {
	return path.split('/').length > 2 || JSON.stringify(body).includes('_id":');
}

/** The first that fits: where a status has several causes, the words of the errors tell which. */
const causes: ReadonlyArray<readonly [status: number, cause: Cause, words?: RegExp]> = [
	[401, 'missing_scope', /scope/],
	[401, 'unauthorized'],
	[402, 'allowance_spent'],
	[403, 'missing_scope', /scope/],
	// Section 7 means a blocked workspace, which says so; without a word it is a key that may not.
	[403, 'workspace_blocked', /block|suspend/],
	[403, 'forbidden'],
	[404, 'not_found'],
	// The request took too long to arrive, whatever it was.
	[408, 'platform_error'],
	[409, 'already_exists'],
	[422, 'unprocessable'],
];

const mostErrors = 10;

/** The platform's errors in whatever envelope, or as plain text, short and free of secrets. */
export function readErrors(body: unknown): PlatformError[] {
	if (typeof body === 'string') return isPlainText(body) ? [{ detail: quote(body.trim()) }] : [];
	if (Array.isArray(body)) return readErrors({ errors: body as Json[] });
	if (!isObject(body)) return [];
	const { errors, error } = body;
	const found = [errors ?? []].flat().slice(0, mostErrors).map(readError).filter(saysSomething);
	if (found.length > 0) return found;
	return [readError(isObject(error) ? error : plainError(body))].filter(saysSomething);
}

/** Neither a page for people nor JSON that was cut off. */
function isPlainText(body: string): boolean {
	return !/^\s*[{[]|[<>]/.test(body) && isVisible(body);
}

/** The envelopes of RFC 6749 (OAuth) and RFC 9457, and the plain ones that proxies send. */
function plainError(body: JsonObject): JsonObject {
	const { error, error_description: description, message, code = '', title = '' } = body;
	const detail = description ?? message ?? body.detail ?? '';
	// A sentence is for people; one word is the name of an error.
	const isSentence = typeof error === 'string' && /\s/.test(error);
	return isSentence ? { code, title: error, detail } : { code: error ?? code, title, detail };
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
