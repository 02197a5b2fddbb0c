import type { IncomingHttpHeaders } from 'node:http';
import { startTestServer } from '../support/platform/testServer';

/** A request on its way to the sandbox, which a fault may change. */
export interface PassingRequest {
	/** The method and the path below /v1, such as "GET /people". */
	call: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body?: unknown;
}

/** A response on its way back, which a fault may change. */
export interface PassingResponse {
	status: number;
	headers: Record<string, string>;
	body?: unknown;
}

/** Changes that break a statement, on the way to the sandbox and on the way back. */
export interface Fault {
	/** Changes a request. If it gives a response, the sandbox does not get the request. */
	onRequest?(request: PassingRequest): PassingResponse | undefined | void;
	onResponse?(response: PassingResponse, request: PassingRequest): void;
}

export interface RewritingProxy {
	baseUrl: string;
	/** The fault of the moment, which a test replaces. */
	state: { fault: Fault };
}

/** Starts a proxy that makes another platform of the sandbox: it has a limit of five a second, and the fault of the moment. */
export async function rewritingProxy(target: string): Promise<RewritingProxy> {
	const state: { fault: Fault } = { fault: {} };
	const { baseUrl } = await startTestServer((response, request, text) => {
		const url = new URL(request.url ?? '/', target);
		const call = `${request.method} ${url.pathname.replace(/^\/v1/, '')}`;
		const { searchParams: query } = url;
		const passing = { call, query, headers: request.headers, body: parsed(text) };
		void pass(target, passing, state.fault).then(({ status, headers, body }) => {
			for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
				delete headers[name];
			response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
		});
	});
	return { baseUrl, state };
}

async function pass(
	target: string,
	request: PassingRequest,
	fault: Fault,
): Promise<PassingResponse> {
	const early = fault.onRequest?.(request);
	if (early) return early;
	const [method, path] = request.call.split(' ');
	const query = [...request.query].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
	const { accept, authorization } = request.headers;
	const fetched = await fetch(`${target}/v1${path}${query === '' ? '' : `?${query}`}`, {
		method,
		headers: {
			...(accept !== undefined && { accept }),
			...(authorization !== undefined && { authorization }),
			...(request.body !== undefined && { 'content-type': 'application/json' }),
		},
		...(request.body !== undefined && { body: JSON.stringify(request.body) }),
	});
	const response: PassingResponse = {
		status: fetched.status,
		body: parsed(await fetched.text()),
		headers: {
			...Object.fromEntries(fetched.headers),
			'ratelimit-interval-limit': '5',
			'ratelimit-interval-remaining': '4',
			'ratelimit-reset': String(Math.ceil(Date.now() / 1_000)),
		},
	};
	fault.onResponse?.(response, request);
	return response;
}

function parsed(text: string): unknown {
	return text === '' ? undefined : JSON.parse(text);
}
