import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail as it came over the wire. */
export interface CaughtMail {
	from: string;
	to: string[];
	/** Headers and parts, with the encoding of quoted-printable undone. */
	text: string;
	/** The mail as it was sent. */
	raw: string;
}

const open = new Set<{ close(): void }>();

afterAll(() => {
	for (const server of open) server.close();
});

/** A mail server that keeps what it gets, and passes nothing on; nobody is called "refused". It ends with the tests of the file. */
export async function openMailCatcher() {
	const mails: CaughtMail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		receive(socket, (mail) => mails.push(mail));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	open.add({
		close() {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	});
	const { port } = server.address() as AddressInfo;
	return { host: '127.0.0.1', port, mails };
}

/** Speaks as much of SMTP as a client needs to send. */
function receive(socket: Socket, keep: (mail: CaughtMail) => void) {
	let unread = '';
	let isInMail = false;
	let envelope: Pick<CaughtMail, 'from' | 'to'> = { from: '', to: [] };
	const say = (line: string) => socket.write(`${line}\r\n`);
	const address = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';
	const obey = (line: string) => {
		const verb = line.slice(0, 4).toUpperCase();
		if (verb === 'MAIL') envelope = { from: address(line), to: [] };
		if (verb === 'RCPT') envelope.to.push(address(line));
		isInMail = verb === 'DATA';
		if (verb === 'RCPT' && address(line).startsWith('refused@')) say('550 No such mailbox');
		else say(isInMail ? '354 Go on' : verb === 'QUIT' ? '221 Bye' : '250 OK');
		if (verb === 'QUIT') socket.end();
	};
	say('220 mail catcher');
	socket.setEncoding('utf8').on('error', () => socket.destroy());
	socket.on('data', (data: string) => {
		unread += data;
		for (;;) {
			const end = isInMail ? '\r\n.\r\n' : '\r\n';
			const at = unread.indexOf(end);
			if (at < 0) return;
			const received = isInMail ? withoutStuffing(unread.slice(0, at)) : unread.slice(0, at);
			unread = unread.slice(at + end.length);
			if (!isInMail) {
				obey(received);
				continue;
			}
			isInMail = false;
			keep({ ...envelope, raw: received, text: withoutQuoting(received) });
			say('250 OK');
		}
	});
}

/** A line that begins with a dot is sent with one more. */
function withoutStuffing(text: string): string {
	return text.replace(/^\.\./gm, '.');
}

function withoutQuoting(text: string): string {
	const bytes = text
		.replace(/=\r\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
