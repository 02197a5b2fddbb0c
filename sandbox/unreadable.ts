import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal, envelope } from './refusal';

const statuses: Readonly<Record<string, number>> = {
	HPE_HEADER_OVERFLOW: 431,
	ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers bytes that are no HTTP request, of which nothing but the connection is known. */
export function answerUnreadable({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
	if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
	const status = statuses[code] ?? 400;
	const body = JSON.stringify(envelope(new Refusal(status, 'This is not a valid HTTP request.')));
	const head = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Connection: close',
	];
	socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
