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

export interface Egress {
	credentialType: string;
	/** With /v1. */
	root: string;
	signal?: AbortSignal;
	/** Tokens in use: what the platform echoes of them is struck out. `afresh`: those of this moment, too. */
	secrets(afresh: boolean): Promise<readonly string[]>;
}

export const usualResponseMs = 60_000;
/** Fifty records have less than a million. A longer answer is not parsed. */
const mostCharacters = 20_000_000;
/** In an answer that is no error a shorter one may be a word of somebody's data. */
const leastToken = 12;

/** The only place of the package from which requests leave. */
export function createSend(context: IAllExecuteFunctions, egress: Egress): SendOnce {
	const { httpRequestWithAuthentication: send } = context.helpers;
	return (request) => {
		const sent = send.call(context, egress.credentialType, optionsOf(request, egress));
		return awaitResponse(sent, request, egress);
	};
}

/** Sends a request of a credential test, with or without the token. */
type SendTest = (request: ApiRequest, withToken: boolean) => Promise<ApiResponse | LostConnection>;

/** Before there is a node: n8n tests a credential without knowing how it signs requests. */
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
			// Every answer as text, whatever its status.
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: timeoutOf(request),
		});
		return awaitResponse(sent, request, egress);
	};
}

function awaitResponse(sent: Promise<unknown>, request: ApiRequest, egress: Egress) {
	const read = (response: unknown) => readResponse(request, response, egress);
	const answer = sent.then(read).catch(async (error: unknown) => {
		if (egress.signal?.aborted) throw new Cancelled();
		const thrown = readN8nError(error, egress.root);
		if (thrown === undefined) throw error;
		if ('response' in thrown) return await read(thrown.response);
		if ('lost' in thrown) return thrown;
		const detail = quote(redact(thrown.grant.slice(0, 2_000), await egress.secrets(true)));
		throw new Failure('reconnect', request, { errors: [{ detail }] });
	});
	// n8n's own timeout begins anew with every byte of an answer, which may go on for ever.
	const timeIsOver = AbortSignal.timeout(timeoutOf(request) + 1_000);
	return unlessAborted(timeIsOver, answer, () => ({ lost: 'ETIMEDOUT', sent: true }));
}

function optionsOf(request: ApiRequest, egress: Egress): IHttpRequestOptions {
	const { method, path, query, body, contentType: type = 'application/json' } = request;
	return {
		method,
		url: `${egress.root}${path}${queryString(query)}`,
		headers: { Accept: type, ...(body && { 'Content-Type': type }) },
		...(body && { body: JSON.stringify(body) }),
		// As text, so that nobody but us decides what counts as JSON.
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

function timeoutOf({ deadlineAtMs = Infinity, timeoutMs = usualResponseMs }: ApiRequest): number {
	return Math.max(1_000, Math.min(timeoutMs, deadlineAtMs - clock.now()));
}

/** Without any token, even one that the platform sends. */
async function readResponse(request: ApiRequest, response: unknown, egress: Egress) {
	const answer = isObject(response) ? response : {};
	const status = Number(answer.statusCode ?? answer.status);
	// Node itself writes their names in lower case.
	const headers = (answer.headers ?? {}) as ApiResponse['headers'];
	const secrets = [...(await egress.secrets(status >= 400)), request.secret ?? ''];
	const shortest = status < 400 ? leastToken : undefined;
	const body = withoutSecrets(text(answer.body ?? answer.data), secrets, shortest);
	return { status, headers, body: parse(body) };
}

/** Parsed JSON, or the text as it came: an HTML page, half an answer, nothing. */
function parse(body: string): unknown {
	if (body.length > mostCharacters) return body.slice(0, 1_000);
	try {
		return parseJson(body);
	} catch {
		return body;
	}
}
