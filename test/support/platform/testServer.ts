import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Responds to a request, whose body has been read. */
export type RequestHandler = (
	response: ServerResponse,
	request: IncomingMessage,
	body: string,
) => void;

/** A server that is running. */
export interface TestServer {
	baseUrl: string;
	/** All requests that came. */
	seen: IncomingMessage[];
}

/** Starts a server that responds as the test says, not as the platform does. It ends with the tests of the file. */
export async function startTestServer(respond: RequestHandler): Promise<TestServer> {
	const seen: IncomingMessage[] = [];
	const server = createServer({ maxHeaderSize: 200_000 }, (request, response) => {
		seen.push(request);
		let body = '';
		request.setEncoding('utf8').on('data', (part: string) => (body += part));
		request.on('end', () => respond(response, request, body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	running.push(() => {
		server.closeAllConnections();
		server.close();
	});
	return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Sends a response that never ends. */
export function drip(response: ServerResponse): void {
	const dripping = setInterval(() => response.write(' '), 50);
	response.on('close', () => clearInterval(dripping));
}

const running: Array<() => void> = [];

afterAll(() => running.forEach((close) => close()));
