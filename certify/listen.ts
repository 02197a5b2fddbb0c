import { createServer, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '../nodes/EventPlatform/core/values/json';
import { judgeSignature } from '../nodes/EventPlatform/core/webhooks/proof';

/** A delivery about what this run made. Deliveries about anybody else get a 200 and are forgotten. */
export interface Heard {
	at: number;
	headers: Record<string, string>;
	query: string;
	body: JsonObject;
	/** Undefined: the secret is not known here. */
	genuine?: boolean;
}

/** Where the platform delivers to while a run goes on. */
export class Listener {
	readonly heard: Heard[] = [];
	/** The record of a delivery that is about something of ours. */
	isOurs: (record: JsonObject) => boolean = () => false;

	private constructor(
		/** The address that the tunnel of the user has for this listener. */
		readonly url: string,
		private readonly now: () => number,
		private readonly secret: string | undefined,
		private readonly server: Server,
	) {
		server.on('request', (request, response) => this.hear(request, response));
	}

	static async begin(
		url: string,
		port: number,
		now: () => number,
		secret?: string,
	): Promise<Listener> {
		const server = createServer();
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject).listen(port, '127.0.0.1', resolve);
		});
		return new Listener(url.replace(/\/$/, ''), now, secret, server);
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	end(): void {
		this.server.closeAllConnections();
		this.server.close();
	}

	/** The first delivery is refused once, to see it come again; a delivery about any other job gets a 200. */
	private hear(request: IncomingMessage, response: ServerResponse): void {
		const parts: Buffer[] = [];
		let bytes = 0;
		request.on('data', (part: Buffer) => {
			bytes += part.length;
			if (bytes > mostBytes) request.destroy();
			parts.push(part);
		});
		request.on('end', () => {
			const bodyBytes = Buffer.concat(parts);
			const body = parsed(bodyBytes.toString('utf8'));
			const record = isObject(body) ? (isObject(body['data']) ? body['data'] : body) : undefined;
			const isOurs = isObject(body) && record !== undefined && this.isOurs(record);
			response.writeHead(isOurs && this.heard.length === 0 ? 503 : 200).end();
			if (!isOurs || !isObject(body)) return;
			const header = request.headers['x-livestorm-signature'];
			this.heard.push({
				at: this.now(),
				headers: Object.fromEntries(
					Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
				),
				query: request.url?.split('?')[1] ?? '',
				body,
				...(this.secret !== undefined && {
					genuine: judgeSignature(header, bodyBytes, this.secret, Date.now()) === 'valid',
				}),
			});
		});
	}
}

const mostBytes = 5_000_000;

function parsed(text: string): Json | undefined {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return undefined;
	}
}
