import { problemOfConnecting, type NoResponse } from '../core/client/request';
import { parseUrl } from '../core/client/baseUrl';
import { isObject, type JsonObject } from '../core/values/json';
import { text } from '../core/values/text';

/** The real meaning of an error that n8n threw instead of giving a response. */
type ErrorMeaning =
	| NoResponse
	/** The access was revoked or never given, as the words of n8n or of the authorization server say. */
	| { grant: string }
	/** There is a response after all, a 401 in the form of axios. */
	| { response: object };

/** Matches the codes of errors after which the platform cannot have acted, beside those of `problemOfConnecting`. */
const codeOfUnsent =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL)$|^ERR_TLS_/;

/** Matches the words of n8n itself, and those of its OAuth client about a token endpoint that responded without a token. */
const messageOfNoGrant =
	/needs to be reconnected|not connected|without access token|no refresh token/i;

/**
 * Reads what happened from an error that n8n threw; undefined where the network has nothing to do with it. n8n wraps errors and
 * replaces their messages, so only the innermost ones tell.
 */
export function readN8nError(error: unknown, root: string): ErrorMeaning | undefined {
	const chain = chainOf(error);
	const origin = chain.find(({ config, code }) => config !== undefined || code !== undefined);
	const url = isObject(origin?.config) ? origin.config.url : undefined;
	const isToPlatform = typeof url !== 'string' || url.startsWith(root);
	// A response that broke off has a status too, but no text.
	const response = chain
		.map((link) => link.response)
		.find((httpResponse) => isObject(httpResponse) && typeof httpResponse.data === 'string');
	if (isToPlatform && isObject(response)) return { response };

	const refusal = chain.find(
		(link) => messageOfNoGrant.test(text(link.message)) || isRefusedRefresh(link),
	);
	if (refusal) return { grant: `${grantOf(refusal.body)} ${text(refusal.message)}`.trim() };
	const forbidden = findProtection(chain);
	if (forbidden) return { networkError: text(forbidden.name), isSent: false };
	if (origin === undefined) return undefined;
	const code = text(origin.code) || 'no answer';
	// The refresh of the token has failed, and may succeed later. The platform had not accepted the request itself.
	if (!isToPlatform || refreshErrors.has(code)) return { networkError: code, isSent: false };
	const isConnecting = chain.some(
		({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo',
	);
	const isUnsent =
		isConnecting || codeOfUnsent.test(code) || problemOfConnecting(code) !== undefined;
	return { networkError: code, isSent: !isUnsent };
}

/** The words of n8n's protection of private networks, which does not let a node connect somewhere; undefined for any other error. */
export function wordsOfProtection(error: unknown): string | undefined {
	const refusal = findProtection(chainOf(error));
	return refusal && `${text(refusal.message)}. ${text(refusal.description)}`;
}

function findProtection(chain: readonly JsonObject[]): JsonObject | undefined {
	return chain.find(({ name }) => problemOfConnecting(text(name)) === 'forbidden');
}

/** The address that was asked last: redirects are followed below axios, which notes it here. Undefined where nothing says it. */
export function lastAddressOf(error: unknown): URL | undefined {
	const requests = chainOf(error).map(({ request }) => request);
	const request = requests.find((sent) => isObject(sent) && sent._currentUrl !== undefined);
	return isObject(request) ? parseUrl(text(request._currentUrl)) : undefined;
}

/** The codes by which n8n's OAuth client marks a response of the token endpoint below 500: with an `error`, or without. */
const refreshErrors = new Set<unknown>(['EAUTH', 'ESTATUS']);

/** The authorization server would refuse another attempt, too. */
function isRefusedRefresh({ code, status, body }: JsonObject): boolean {
	if (!refreshErrors.has(code) || status === 429 || status === 408) return false;
	return !/^(?:temporarily_unavailable|slow_down|server_error)/.test(grantOf(body));
}

/** The most errors that are looked at, in case a chain has no end. */
const mostErrorsInside = 10;

function chainOf(error: unknown): JsonObject[] {
	const chain: JsonObject[] = [];
	for (let link = error; isObject(link) && chain.length < mostErrorsInside; link = link.cause) {
		chain.push(link);
	}
	return chain;
}

function grantOf(body: unknown): string {
	if (!isObject(body)) return '';
	return [body.error, body.error_description].filter((part) => typeof part === 'string').join(': ');
}
