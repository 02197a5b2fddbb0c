import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a server answers; the body comes with the request. */
export type ServerAnswer = (
	response: ServerResponse,
	request: IncomingMessage,
	body: string,
) => void;

export interface AnyServer {
	baseUrl: string;
	/** All requests that came. */
	seen: IncomingMessage[];
}

/** A server that answers as the test says, not as the platform does. Ends with the tests of the file. */
export async function anyServer(answer: ServerAnswer): Promise<AnyServer> {
	const seen: IncomingMessage[] = [];
	const server = createServer({ maxHeaderSize: 200_000 }, (request, response) => {
		seen.push(request);
		let body = '';
		request.setEncoding('utf8').on('data', (part: string) => (body += part));
		request.on('end', () => answer(response, request, body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	running.push(() => {
		server.closeAllConnections();
		server.close();
	});
	return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** An answer that never ends. */
export function drip(response: ServerResponse): void {
	const dripping = setInterval(() => response.write(' '), 50);
	response.on('close', () => clearInterval(dripping));
}

const running: Array<() => void> = [];

afterAll(() => running.forEach((close) => close()));
