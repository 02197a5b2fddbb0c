import type {
	IAllExecuteFunctions,
	ICredentialTestFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { unlessAborted } from '../core/http/collections';
import { Cancelled, Failure } from '../core/http/failure';
import { isObject, parseJson, quote } from '../core/http/json';
import type { Answer, ApiRequest, Lost, Send } from '../core/http/ports';
import { queryString } from '../core/http/path';
import { redact, redactWithin, withoutSecrets } from '../core/http/redact';
import { clock } from './clock';
import { readN8nError } from './n8nErrors';

export interface Egress {
	credentialType: string;
	/** With /v1. */
	root: string;
	signal?: AbortSignal;
	/** Tokens in use, as far as they are known: what the platform echoes of them is struck out. */
	secrets: ReadonlySet<string>;
	/** Adds those of this moment. */
	learnSecrets?(): Promise<void>;
}

export const usualAnswerMs = 60_000;
/** Fifty records have less than a million. A longer answer is not parsed. */
const mostCharacters = 20_000_000;
/** A shorter one may be a word of somebody's data. */
const leastToken = 12;

/** The only place of the package from which requests leave. */
export function createSend(context: IAllExecuteFunctions, egress: Egress): Send {
	const { httpRequestWithAuthentication: send } = context.helpers;
	return (request) => {
		const sent = send.call(context, egress.credentialType, optionsOf(request, egress));
		return inTime(request, answerOf(sent, request, egress));
	};
}

/** Before there is a node: n8n tests a credential without knowing how it signs requests. */
export function createTestSend({ helpers }: ICredentialTestFunctions, root: string, token: string) {
	const egress: Egress = { credentialType: 'eventPlatformApi', root, secrets: new Set([token]) };
	return (request: ApiRequest, withToken: boolean) => {
		const sent = helpers.request({
			method: request.method,
			url: `${root}${request.path}`,
			headers: { Accept: 'application/json', ...(withToken && { Authorization: token }) },
			// Every answer as text, whatever its status.
			json: false,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			timeout: timeoutOf(request),
		});
		return inTime(request, answerOf(sent, request, egress));
	};
}

const timedOut: Lost = { lost: 'ETIMEDOUT', sent: true };

/** n8n's own timeout begins anew with every byte of an answer, which may go on for ever. */
function inTime(request: ApiRequest, answer: Promise<Answer | Lost>) {
	const timeIsOver = AbortSignal.timeout(timeoutOf(request) + 1_000);
	return unlessAborted(timeIsOver, answer, () => timedOut);
}

function answerOf(sent: Promise<unknown>, request: ApiRequest, egress: Egress) {
	const read = (response: unknown) => readResponse(request, response, egress);
	return sent.then(read).catch(async (error: unknown): Promise<Answer | Lost> => {
		const thrown = readN8nError(error, egress.root);
		if (egress.signal?.aborted || 'cancelled' in thrown) throw new Cancelled();
		if ('grant' in thrown) {
			await egress.learnSecrets?.();
			const detail = quote(redact(thrown.grant.slice(0, 2_000), egress.secrets));
			throw new Failure('reconnect', request, { errors: [{ detail }] });
		}
		if ('lost' in thrown) return thrown;
		if ('other' in thrown) throw thrown.other;
		return await read(thrown.response);
	});
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

function timeoutOf({ deadline = Infinity, longestAnswerMs = usualAnswerMs }: ApiRequest): number {
	return Math.max(1_000, Math.min(longestAnswerMs, deadline - clock.now()));
}

/** Without any token, even one that the platform sends. */
async function readResponse(request: ApiRequest, response: unknown, egress: Egress) {
	const given = isObject(response) ? response : {};
	const status = Number(given.statusCode ?? given.status);
	const answer = { status, headers: lowerCase(given.headers) };
	const body = given.body ?? given.data;
	if (status < 400) {
		const clean =
			typeof body === 'string' ? withoutSecrets(body, egress.secrets, leastToken) : body;
		return { ...answer, body: parse(clean) };
	}
	await egress.learnSecrets?.();
	const secrets = new Set(egress.secrets);
	if (request.secret !== undefined) secrets.add(request.secret);
	return { ...answer, body: redactWithin(parse(body), secrets) };
}

export function lowerCase(headers: unknown): Record<string, string> {
	const entries = Object.entries(headers ?? {});
	return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** Parsed JSON, or the text as it came: an HTML page, half an answer, nothing. */
function parse(body: unknown): unknown {
	if (typeof body !== 'string') return body ?? '';
	if (body.length > mostCharacters) return body.slice(0, 1_000);
	try {
		return parseJson(body);
	} catch {
		return body;
	}
}
