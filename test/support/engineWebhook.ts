import { EventEmitter } from 'node:events';

export interface FakeRequest {
	body?: unknown;
	/** As it came over the wire; made from the body where it is not given. */
	rawBody?: string;
	headers?: Record<string, string>;
	query?: Record<string, string>;
	method?: string;
}

/** What n8n hands to a node of an incoming request. */
export function fakeRequest({ body, rawBody, headers, query, method }: FakeRequest) {
	const raw = Buffer.from(rawBody ?? JSON.stringify(body ?? ''));
	return {
		method: method ?? 'POST',
		headers: Object.fromEntries(
			Object.entries({ 'content-type': 'application/json', ...headers }).map(([name, value]) => [
				name.toLowerCase(),
				value,
			]),
		),
		body: body ?? {},
		rawBody: raw,
		readRawBody: () => Promise.resolve(),
		query: query ?? {},
		params: {},
	};
}

/** Takes what a node answers by itself. */
export class FakeResponse extends EventEmitter {
	private code = 200;
	private readonly headers: Record<string, unknown> = {};
	sent?: { status: number; body: unknown; headers: Record<string, unknown> };

	get headersSent(): boolean {
		return this.sent !== undefined;
	}

	status(code: number): this {
		this.code = code;
		return this;
	}

	set statusCode(code: number) {
		this.code = code;
	}

	get statusCode(): number {
		return this.code;
	}

	setHeader(name: string, value: unknown): this {
		this.headers[name.toLowerCase()] = value;
		return this;
	}

	set(name: string, value: unknown): this {
		return this.setHeader(name, value);
	}

	header(name: string, value: unknown): this {
		return this.setHeader(name, value);
	}

	writeHead(code: number, headers: Record<string, unknown> = {}): this {
		for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
		return this.status(code);
	}

	send(body?: unknown): this {
		this.sent = { status: this.code, body, headers: this.headers };
		this.emit('finish');
		return this;
	}

	json(body: unknown): this {
		return this.send(body);
	}

	end(body?: unknown): this {
		return this.send(body);
	}

	sendStatus(code: number): this {
		return this.status(code).send();
	}
}
