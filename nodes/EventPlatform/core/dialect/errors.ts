import { quote, isVisible, text } from '../values/text';
import { type Json, isObject, type JsonObject } from '../values/json';

/*
 * What this rests on: section 7 leaves the envelope of a request open. The vendor documents `{"errors": [{title, detail, code, status}]}`.
 * A recorded 401 has a word as `status`, and a public client reads the HTTP status from `code`: neither is believed alone. 5xx come as
 * HTML. OAuth has its own envelope (RFC 6749), and JSON:API names the place in the request that an error is about.
 */

export interface PlatformError {
	code?: string;
	/** The general problem, in words. */
	title?: string;
	/** The fault of this request, in words. */
	detail?: string;
	/** The place in the request that the error is about. */
	about?: string;
}

/** No more errors than this are read, because people read no more. */
const mostErrors = 10;

/** Reads the platform's errors in whatever envelope, or as plain text, short and free of secrets. */
export function readErrors(body: unknown): PlatformError[] {
	if (typeof body === 'string') return isPlainText(body) ? [{ detail: quote(body.trim()) }] : [];
	if (!isObject(body)) return [];
	const { errors, error } = body;
	const listedErrors = [errors ?? []]
		.flat()
		.slice(0, mostErrors)
		.map(readError)
		.filter(saysSomething);
	if (listedErrors.length > 0) return listedErrors;
	return [readError(isObject(error) ? error : plainError(body))].filter(saysSomething);
}

/** A response whose body names an error is a refusal, even with the status of a success. */
export function hasErrors(body: unknown): boolean {
	if (!isObject(body)) return false;
	return [body.errors ?? body.error ?? []].flat().some(Boolean);
}

/** A web page, or XML: the platform's API sends neither with what it thinks of a request. */
export function isMarkup(body: unknown): boolean {
	return typeof body === 'string' && /^\s*</.test(body);
}

function isPlainText(body: string): boolean {
	return !/^\s*[{[]|[<>]/.test(body) && isVisible(body);
}

/** Reads the envelopes of RFC 6749 (OAuth) and RFC 9457, and the plain ones that proxies send. */
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

export function readError(error: Json): PlatformError {
	const { title, detail, message, source, ...rest } = isObject(error) ? error : {};
	const code = codeOf(rest);
	// An error of any other shape is quoted as a whole.
	if ((code ?? title ?? detail ?? message) === undefined) return { detail: quote(error) };
	// JSON:API names the member of the body that an error is about.
	const about = isObject(source) ? quote(source.pointer) : undefined;
	// The specification's words for people stand in `message` (2.3), the vendor's in `detail`.
	return { code: quote(code), title: quote(title), detail: quote(message ?? detail), about };
}

/** Some platforms swap two members, so that the code is the HTTP status and the status is the name of the error. */
function codeOf({ code, status }: JsonObject): Json | undefined {
	const isName = typeof status === 'string' && !/^\d*$/.test(status);
	const isStatus = code === undefined || code === null || /^[1-5]\d\d$/.test(text(code));
	return isName && isStatus ? status : code;
}
