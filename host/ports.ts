import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { UserError } from './userError';

/**
 * A port on loopback that nobody listens on. From 32768 on the system itself gives ports to connections, so that one
 * of those could be taken before our program listens.
 */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(20_000, 32_768);
		const isFree = await bind(port).then(
			() => true,
			() => false,
		);
		if (isFree) return port;
	}
}

export async function assertFree(port: number, whose: string, option: string): Promise<void> {
	try {
		await bind(port);
	} catch {
		throw new UserError(
			`Port ${port}, where ${whose} should listen, is in use: end the program that uses it, or choose another with ${option}.`,
		);
	}
}

function bind(port: number): Promise<void> {
	return new Promise((done, fail) => {
		const server = createServer();
		server.on('error', fail);
		server.listen(port, '127.0.0.1', () => server.close(() => done()));
	});
}
