import type {
	IAllExecuteFunctions,
	ICredentialTestFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { redact, withoutSecrets } from '../core/values/redact';
import { unlessAborted } from '../core/client/concurrently';
import { clock } from './clock';
import type { SendOnce, ApiRequest, ApiResponse, LostConnection } from '../core/client/request';
import { queryString } from '../core/client/path';
import { Cancelled } from '../core/client/cancelled';
import { readN8nError } from './thrownError';
import { quote, text } from '../core/values/text';
import { Failure } from '../core/client/failure';
import { isObject, parseJson } from '../core/values/json';

/** The way out to the platform: with which credential and where to. */
export interface Egress {
	/** The name of the credential by which n8n signs the requests. */
	credentialType: string;
	/** The address of the API, with /v1. */
	root: string;
	/** Aborted when the run is cancelled. */
	signal?: AbortSignal;
	/** Gives the tokens in use, which are struck out of responses. `needsCurrent`: also those that a refresh has brought by now. */
	secrets(needsCurrent: boolean): Promise<readonly string[]>;
}

/** The longest time to wait for a response, unless the request has its own. */
export const usualResponseMs = 60_000;
/** Fifty records have less than a million characters. A longer response is not parsed. */
const mostCharacters = 20_000_000;
/** The fewest characters of a token that is struck out of a response that is no error: a shorter one may be a word of somebody's data. */
const fewestOfToken = 12;

/** Makes the function that sends requests with the credential of a node. No other place of the package sends with a token. */
export function createSend(context: IAllExecuteFunctions, egress: Egress): SendOnce {
	const { httpRequestWithAuthentication: send } = context.helpers;
	return (request) => {
		const sent = send.call(context, egress.credentialType, optionsOf(request, egress));
		return awaitResponse(sent, request, egress);
	};
}

/** Sends a request of a credential test, with or without the token. */
type SendTest = (request: ApiRequest, withToken: boolean) => Promise<ApiResponse | LostConnection>;

/** Makes the function that sends the requests of a credential test. There is no node then, and n8n does not know how the credential signs. */
export function createTestSend(
	{ helpers }: ICredentialTestFunctions,
	root: string,
	token: string,
): SendTest {
	const secrets = () => Promise.resolve([token]);
	const egress: Egress = { credentialType: 'eventPlatformApi', root, secrets };
	return (request, withToken) => {
		const sent = helpers.request({
			method: request.method,
			url: `${root}${request.path}${queryString(request.query)}`,
			headers: { Accept: 'application/json', ...(withToken && { Authorization: token }) },
			// Every response comes as text, whatever its status.
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: timeoutOf(request),
		});
		return awaitResponse(sent, request, egress);
	};
}

/** Waits for what n8n gives or throws, and reads the response from it. A cancel is thrown. */
function awaitResponse(
	sent: Promise<unknown>,
	request: ApiRequest,
	egress: Egress,
): Promise<ApiResponse | LostConnection> {
	const read = (response: unknown) => readResponse(request, response, egress);
	const received = sent.then(read).catch(async (error: unknown) => {
		if (egress.signal?.aborted) throw new Cancelled();
		const thrown = readN8nError(error, egress.root);
		if (thrown === undefined) throw error;
		if ('response' in thrown) return await read(thrown.response);
		if ('lost' in thrown) return thrown;
		const detail = quote(redact(thrown.grant.slice(0, 2_000), await egress.secrets(true)));
		throw new Failure('reconnect', request, { errors: [{ detail }] });
	});
	// n8n's own timeout begins anew with every byte of a response, which may go on for ever.
	const timeIsOver = AbortSignal.timeout(timeoutOf(request) + 1_000);
	return unlessAborted(timeIsOver, received, () => ({ lost: 'ETIMEDOUT', sent: true }));
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
		// n8n refreshes an OAuth token only on a 401 that it sees as an error, and versions before 2 know no
		// exceptions: so every refusal is caught and read. With an API token a caught 401 would be sent again for nothing.
		ignoreHttpStatusErrors: !egress.credentialType.includes('OAuth2'),
		// A redirect would carry the token to another address.
		disableFollowRedirect: true,
		timeout: timeoutOf(request),
		abortSignal: egress.signal,
	};
}

function timeoutOf({ deadlineAtMs, timeoutMs = usualResponseMs }: ApiRequest): number {
	if (deadlineAtMs === undefined) return Math.max(1_000, timeoutMs);
	return Math.max(1_000, Math.min(timeoutMs, deadlineAtMs - clock.now()));
}

/** Reads a response, and strikes out every token in it, also those that the platform echoes. `received`: as one of n8n's helpers or axios gives it. */
async function readResponse(
	request: ApiRequest,
	received: unknown,
	egress: Egress,
): Promise<ApiResponse> {
	const response = isObject(received) ? received : {};
	const status = Number(response.statusCode ?? response.status);
	// Node itself writes the names of headers in lower case.
	const headers = (response.headers ?? {}) as ApiResponse['headers'];
	const secrets = [...(await egress.secrets(status >= 400)), request.secret ?? ''];
	const shortest = status < 400 ? fewestOfToken : undefined;
	const body = withoutSecrets(text(response.body ?? response.data), secrets, shortest);
	return { status, headers, body: parse(body) };
}

/** Parses JSON; anything else, such as an HTML page, half a response or nothing, stays the text that it is. */
function parse(body: string): unknown {
	if (body.length > mostCharacters) return body.slice(0, 1_000);
	try {
		return parseJson(body);
	} catch {
		return body;
	}
}
