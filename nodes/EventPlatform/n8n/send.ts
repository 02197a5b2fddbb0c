import type { IAllExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { redact, withoutSecrets } from '../core/values/secrets';
import { unlessAborted } from '../core/client/concurrently';
import { clock } from './clock';
import type { SendOnce, ApiRequest, ApiResponse, NoResponse } from '../core/client/request';
import { queryString } from '../core/client/path';
import { Cancelled } from '../core/client/clock';
import { readN8nError } from './thrownError';
import { quote, text } from '../core/values/text';
import { Failure } from '../core/client/failure';
import { isObject } from '../core/values/json';
import type { Ms } from '../core/values/units';

interface Egress {
	credentialType: string;
	root: string;
	signal?: AbortSignal;
	/** The tokens in use are struck out of responses. `needsCurrent` adds those that a refresh has brought by now. */
	secrets(needsCurrent: boolean): Promise<readonly string[]>;
}

/** The longest time to wait for a response, unless the request has its own. It ends at the deadline of the request. */
export const usualResponseMs = 60_000;
/** The shortest time that a request gets, even where its deadline is closer. With 0 it would have no limit at all. */
const shortestTimeoutMs = 1_000;
/** How much later than n8n's timeout our own ends a request, because the error of n8n's says whether the request was sent. */
const extraTimeMs = 1_000;
/** The fewest characters of a token that is struck out of a response that is no error: a shorter one may be a word of somebody's data. */
const fewestCharactersOfToken = 12;

/** Makes the function that sends requests with the credential of a node. No other place of the package sends with a token. */
export function createSend(context: IAllExecuteFunctions, egress: Egress): SendOnce {
	const { httpRequestWithAuthentication: send } = context.helpers;
	return (request) => {
		const pendingResponse = send.call(context, egress.credentialType, optionsOf(request, egress));
		return awaitResponse(pendingResponse, request, egress);
	};
}

/** Waits for what n8n gives or throws, and reads the response from it. A cancel is thrown. */
function awaitResponse(
	pendingResponse: Promise<unknown>,
	request: ApiRequest,
	egress: Egress,
): Promise<ApiResponse | NoResponse> {
	const read = (rawResponse: unknown) => readResponse(request, rawResponse, egress);
	const response = pendingResponse.then(read).catch(async (error: unknown) => {
		if (egress.signal?.aborted) throw new Cancelled();
		const thrown = readN8nError(error, egress.root);
		if (thrown === undefined) throw error;
		if ('response' in thrown) return await read(thrown.response);
		if ('networkError' in thrown) return thrown;
		const detail = quote(redact(thrown.grant, await egress.secrets(true)));
		throw new Failure('reconnect', request, { errors: [{ detail }] });
	});
	// n8n's own timeout begins anew with every byte of a response, which may go on for ever.
	const timeIsOver = AbortSignal.timeout(timeoutOf(request) + extraTimeMs);
	return unlessAborted(timeIsOver, response, () => ({ networkError: 'ETIMEDOUT', isSent: true }));
}

function optionsOf(request: ApiRequest, egress: Egress): IHttpRequestOptions {
	const { method, path, query, body, contentType: type = 'application/json' } = request;
	return {
		method,
		url: `${egress.root}${path}${queryString(query)}`,
		headers: { Accept: type, ...(body && { 'Content-Type': type }) },
		...(body && { body: JSON.stringify(body) }),
		// The body comes as text, so that nobody but us decides what counts as JSON.
		encoding: 'text',
		returnFullResponse: true,
		// n8n refreshes an OAuth token only on a 401 that it sees as an error. With an API token it would be sent again for nothing.
		ignoreHttpStatusErrors: egress.credentialType.includes('OAuth2')
			? { ignore: true, except: [401] }
			: true,
		// A redirect would carry the token to another address.
		disableFollowRedirect: true,
		timeout: timeoutOf(request),
		abortSignal: egress.signal,
	};
}

/** Timers take whole milliseconds only, and a deadline may be a fraction: people give seconds, such as a third of a minute. */
function timeoutOf({ deadlineAtMs = Infinity, timeoutMs }: ApiRequest): Ms {
	const leftMs = Math.ceil(Math.min(usualResponseMs, deadlineAtMs - clock.now()));
	return timeoutMs ?? Math.max(shortestTimeoutMs, leftMs);
}

/**
 * Reads a response, and strikes out every token in it, including those that the platform echoes. `rawResponse` is as one of n8n's helpers or
 * axios gives it.
 */
async function readResponse(
	request: ApiRequest,
	rawResponse: unknown,
	egress: Egress,
): Promise<ApiResponse> {
	const response = isObject(rawResponse) ? rawResponse : {};
	const status = Number(response.statusCode ?? response.status);
	// Node itself writes the names of headers in lower case.
	const headers = (response.headers ?? {}) as ApiResponse['headers'];
	const secrets = [...(await egress.secrets(status >= 400)), request.secret ?? ''];
	const shortestSecret = status < 400 ? fewestCharactersOfToken : undefined;
	const body = withoutSecrets(text(response.body ?? response.data), secrets, shortestSecret);
	return { status, headers, body: parse(body) };
}

/** Parses JSON; anything else, such as an HTML page, half a response or nothing, stays the text that it is. */
function parse(body: string): unknown {
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}
