import { Agent, createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDraws } from '../../sandbox/world/draws';

/**
 * A program: a proxy between 100 and 400 ms long, which prints where it listens. The way there is even, how long an answer
 * takes is not. A share of the requests gets a 502 from it, every other one of them after the platform has done what was asked.
 */
const [, , target = '', failingShare = '0'] = process.argv;

const agent = new Agent({ keepAlive: true });
const draw = createDraws(1);
let failed = 0;
const server = createServer((incoming, outgoing) => {
	const arrived = Date.now();
	const takesMs = 100 + 300 * Math.random();
	const fails = draw() < Number(failingShare);
	const isDone = fails && failed++ % 2 === 1;
	const fail = () => outgoing.writeHead(502).end('Bad Gateway');
	const later = (answer: () => void) =>
		setTimeout(answer, Math.max(0, arrived + takesMs - Date.now()));
	setTimeout(() => {
		if (fails && !isDone) {
			incoming.resume();
			later(fail);
			return;
		}
		const { method, headers, url = '/' } = incoming;
		const sent = forward(`${target}${url}`, { method, headers, agent }, (answer) => {
			later(() => {
				if (isDone) {
					answer.resume();
					fail();
					return;
				}
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			});
		});
		sent.on('error', () => outgoing.destroy());
		incoming.pipe(sent);
	}, 50);
});
server.listen(0, '127.0.0.1', () => {
	console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
