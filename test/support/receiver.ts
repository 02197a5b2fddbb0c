import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivery {
	headers: IncomingHttpHeaders;
	/** As it came over the wire, which is what the signature covers. */
	raw: string;
	body: Record<string, unknown>;
	/** Milliseconds since 1970. */
	at: number;
}

/** Someone who subscribes to webhooks: keeps what comes and answers with what `answer` says. */
export async function openReceiver(
	answer: (delivery: Delivery, nth: number) => number = () => 200,
) {
	const deliveries: Delivery[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const raw = Buffer.concat(chunks).toString('utf8');
			const delivery = {
				headers: request.headers,
				raw,
				body: JSON.parse(raw) as Record<string, unknown>,
				at: Date.now(),
			};
			deliveries.push(delivery);
			response.writeHead(answer(delivery, deliveries.length)).end();
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/hook`,
		deliveries,
		close: () =>
			new Promise<void>((closed) => {
				server.closeAllConnections();
				server.close(() => closed());
			}),
	};
}
