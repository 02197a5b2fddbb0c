import { createServer } from 'node:net';
import { UserError } from './userError';

/** A port on loopback that nobody listens on. */
export function freePort(): Promise<number> {
	return bind(0);
}

export async function assertFree(port: number, whose: string, option: string) {
	try {
		await bind(port);
	} catch {
		throw new UserError(
			`Port ${port}, where ${whose} should listen, is in use: end the program that uses it, or choose another with ${option}.`,
		);
	}
}

function bind(port: number): Promise<number> {
	return new Promise((done, fail) => {
		const server = createServer();
		server.on('error', fail);
		server.listen(port, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => done(typeof address === 'object' && address ? address.port : port));
		});
	});
}
