import { isObject } from '../nodes/EventPlatform/core/values/json';
import { queryString } from '../nodes/EventPlatform/core/client/path';
import type {
	ApiResponse,
	ApiRequest,
	NoResponse,
} from '../nodes/EventPlatform/core/client/request';

/** Sends one request, once, with this Authorization header or without one. */
export type SendAs = (
	request: ApiRequest,
	authorization: string | undefined,
	signal: AbortSignal,
) => Promise<ApiResponse | NoResponse>;

const usualResponseMs = 30_000;
const mostBytes = 20_000_000;

/** The edge: the only file that talks to the platform. It follows no redirect, which would carry the token elsewhere. */
export function createSend(root: string, responseMs = usualResponseMs): SendAs {
	return async (request, authorization, signal) => {
		const { method, path, query, body, contentType: type = 'application/json' } = request;
		try {
			const response = await fetch(`${root}${path}${queryString(query)}`, {
				method,
				headers: {
					Accept: type,
					...(body && { 'Content-Type': type }),
					...(authorization !== undefined && { Authorization: authorization }),
				},
				...(body && { body: JSON.stringify(body) }),
				redirect: 'manual',
				signal: AbortSignal.any([signal, AbortSignal.timeout(responseMs)]),
			});
			return {
				status: response.status,
				headers: Object.fromEntries(response.headers),
				body: parsed(await readText(response)),
			};
		} catch (error) {
			return { networkError: codeOf(error), isSent: !neverLeft.test(codeOf(error)) };
		}
	};
}

const neverLeft = /^(?:ENOTFOUND|ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** Reads a body, and cuts off one that goes on for ever, so that a strange server cannot fill the memory. */
async function readText(response: Response): Promise<string> {
	const parts: Uint8Array[] = [];
	let bytes = 0;
	for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
		parts.push(part);
		bytes += part.length;
		if (bytes > mostBytes) throw new Error('The answer is too long');
	}
	return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** The code of the system, or the name of what was thrown: never its message, which may quote the address. */
function codeOf(error: unknown): string {
	const { name, cause, code } = error as { name?: string; cause?: unknown; code?: unknown };
	if (typeof code === 'string') return code;
	return isObject(cause) || cause instanceof Error ? codeOf(cause) : (name ?? 'Error');
}
