import type { IncomingHttpHeaders } from 'node:http';
import { anyServer } from '../support/platform/anyServer';

/** A request on its way to the sandbox, which a fault may change. */
export interface Passing {
	/** Such as "GET /people". */
	call: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	body?: unknown;
}

export interface PassedBack {
	status: number;
	headers: Record<string, string>;
	body?: unknown;
}

/** One statement broken: what is changed on the way there, and on the way back. */
export interface Fault {
	/** An answer ends the way there. */
	there?(request: Passing): PassedBack | undefined | void;
	back?(answer: PassedBack, request: Passing): void;
}

export interface RewritingProxy {
	baseUrl: string;
	/** The fault of the moment, which a test replaces. */
	state: { fault: Fault };
}

/** The sandbox as another platform: every answer as with a limit of five a second, and with the fault of the moment. */
export async function rewritingProxy(target: string): Promise<RewritingProxy> {
	const state: { fault: Fault } = { fault: {} };
	const { baseUrl } = await anyServer((response, request, text) => {
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

async function pass(target: string, request: Passing, fault: Fault): Promise<PassedBack> {
	const own = fault.there?.(request);
	if (own) return own;
	const [method, path] = request.call.split(' ');
	const query = [...request.query].map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
	const { accept, authorization } = request.headers;
	const response = await fetch(`${target}/v1${path}${query === '' ? '' : `?${query}`}`, {
		method,
		headers: {
			...(accept !== undefined && { accept }),
			...(authorization !== undefined && { authorization }),
			...(request.body !== undefined && { 'content-type': 'application/json' }),
		},
		...(request.body !== undefined && { body: JSON.stringify(request.body) }),
	});
	const answer: PassedBack = {
		status: response.status,
		body: parsed(await response.text()),
		headers: {
			...Object.fromEntries(response.headers),
			'ratelimit-interval-limit': '5',
			'ratelimit-interval-remaining': '4',
			'ratelimit-reset': String(Math.ceil(Date.now() / 1_000)),
		},
	};
	fault.back?.(answer, request);
	return answer;
}

function parsed(text: string): unknown {
	return text === '' ? undefined : JSON.parse(text);
}
