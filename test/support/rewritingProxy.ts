import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { anyServer } from './anyServer';

/** A request on its way to the sandbox, which a fault may change. */
export interface Passing {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body?: Json;
}

export interface PassedBack {
	status: number;
	headers: Record<string, string>;
	body?: Json;
}

// JSON of tests: what is broken about it is the matter of the test.
export type Json = { [name: string]: Json } & Json[] & string & number & boolean & null;

/** One statement broken: what is changed on the way there, and on the way back. */
export interface Fault {
	/** An answer ends the way there. */
	there?(request: Passing): PassedBack | undefined | void;
	back?(answer: PassedBack, request: Passing): void;
}

/** The sandbox as another platform: every answer as with a limit of five a second, and with the fault of the moment. */
export async function rewritingProxy(target: string) {
	const state: { fault: Fault } = { fault: {} };
	const { baseUrl } = await anyServer((response, request, text) => {
		const url = new URL(request.url ?? '/', target);
		const passing: Passing = {
			method: request.method ?? 'GET',
			path: url.pathname.replace(/^\/v1/, ''),
			query: url.searchParams,
			headers: request.headers,
			...(text !== '' && { body: JSON.parse(text) as Json }),
		};
		void pass(target, passing, state.fault).then((answer) => send(response, answer));
	});
	return { baseUrl, state };
}

async function pass(target: string, request: Passing, fault: Fault): Promise<PassedBack> {
	const own = fault.there?.(request);
	if (own) return own;
	const query = [...request.query].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
	const { accept, authorization } = request.headers;
	const response = await fetch(`${target}/v1${request.path}${query === '' ? '' : `?${query}`}`, {
		method: request.method,
		headers: {
			...(accept !== undefined && { accept }),
			...(authorization !== undefined && { authorization }),
			...(request.body !== undefined && { 'content-type': 'application/json' }),
		},
		...(request.body !== undefined && { body: JSON.stringify(request.body) }),
	});
	const text = await response.text();
	const headers = Object.fromEntries(response.headers);
	const answer: PassedBack = {
		status: response.status,
		headers: {
			...headers,
			'ratelimit-interval-limit': '5',
			'ratelimit-interval-remaining': '4',
			'ratelimit-reset': String(Math.ceil(Date.now() / 1_000)),
		},
		...(text !== '' && { body: JSON.parse(text) as Json }),
	};
	fault.back?.(answer, request);
	return answer;
}

function send(response: ServerResponse, { status, headers, body }: PassedBack): void {
	for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
		delete headers[name];
	response.writeHead(status, headers);
	response.end(body === undefined ? undefined : JSON.stringify(body));
}
