import { connect } from 'node:net';
import { expectRefusal } from './refusal';
import { openSandbox } from './visitor';

let baseUrl: string;
beforeAll(async () => {
	({ baseUrl } = await openSandbox());
});

test.each([
	['no request at all', 'HELLO\r\n\r\n'],
	['a path that is none', 'GET \\..\\ HTTP/1.1\r\nHost: x\r\n\r\n'],
	[
		'two lengths',
		'POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
	],
	['an absurd length', 'POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
	[
		'headers without end',
		`GET /v1/events HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
	],
])('%s on the wire is refused like everything else', async (_, bytes) => {
	const { port } = new URL(baseUrl);
	const answer = await new Promise<string>((done) => {
		const socket = connect(Number(port), '127.0.0.1', () => socket.end(bytes));
		let text = '';
		socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
		socket.on('error', () => undefined);
		socket.on('close', () => done(text));
	});
	const [head = '', body = ''] = answer.split('\r\n\r\n');
	const status = Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]);
	expectRefusal({ status, data: JSON.parse(body) as unknown });
});
