export interface FakeRequest {
	body?: unknown;
	/** The body as it came over the wire. It is made from `body` where it is not given. */
	rawBody?: string;
	headers?: Record<string, string>;
	/** A name that stands in the URL several times has a list. */
	query?: Record<string, string | string[]>;
}

/** Gives the parts of an incoming request that n8n hands to a node. */
export function fakeRequest({ body, rawBody, headers, query }: FakeRequest) {
	const raw = Buffer.from(rawBody ?? JSON.stringify(body ?? ''));
	const all = Object.entries({ 'content-type': 'application/json', ...headers });
	return {
		method: 'POST',
		headers: Object.fromEntries(all.map(([name, value]) => [name.toLowerCase(), value])),
		body: body ?? {},
		rawBody: raw,
		readRawBody: () => Promise.resolve(),
		query: query ?? {},
		params: {},
	};
}

/** The answer of a node to a delivery. */
export interface SentResponse {
	status: number;
	body: unknown;
}

/** Takes the answer. The platform has hung up before, so no event tells of it. */
export class FakeResponse {
	statusCode = 200;
	sent?: SentResponse;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	end(body?: unknown): this {
		this.sent = { status: this.statusCode, body };
		return this;
	}
}
