import { spawn } from 'node:child_process';
import { Agent, createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { random } from '../support/random';
import { endWithUs } from './endWithUs';

/**
 * A proxy between 100 and 400 ms long: the way there is even, how long an answer takes is not. A share of the requests gets a
 * 502 from it, every other one of them after the platform has done what was asked.
 */
export async function startSlowLine(
	target: string,
	failingShare: number,
): Promise<{ baseUrl: string }> {
	const agent = new Agent({ keepAlive: true });
	const draw = random(1);
	let failed = 0;
	const server = createServer((incoming, outgoing) => {
		const arrived = Date.now();
		const takesMs = 100 + 300 * Math.random();
		const fails = draw() < failingShare;
		const isDone = fails && failed++ % 2 === 1;
		setTimeout(() => {
			if (fails && !isDone) {
				incoming.resume();
				setTimeout(() => outgoing.writeHead(502).end('Bad Gateway'), takesMs - 50);
				return;
			}
			const { method, headers, url = '/' } = incoming;
			const sent = forward(`${target}${url}`, { method, headers, agent }, (answer) => {
				setTimeout(
					() => {
						if (isDone) {
							answer.resume();
							outgoing.writeHead(502).end('Bad Gateway');
							return;
						}
						outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
						answer.pipe(outgoing);
					},
					Math.max(0, arrived + takesMs - Date.now()),
				);
			});
			sent.on('error', () => outgoing.destroy());
			incoming.pipe(sent);
		}, 50);
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return { baseUrl: `http://127.0.0.1:${port}` };
}

/** The same in a process of its own. */
export async function startSlowLineProcess(target: string, failingShare = 0) {
	const main = join(__dirname, 'slowLineMain.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', main, target, String(failingShare)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	endWithUs(child);
	for await (const baseUrl of createInterface({ input: child.stdout })) {
		return { baseUrl, stop: () => child.kill() };
	}
	throw new Error('The slow line ended before it listened.');
}
