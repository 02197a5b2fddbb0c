import { spawn, type ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../host/cache';
import { assertFree, freePort } from '../../host/ports';

jest.setTimeout(300_000);

const root = join(__dirname, '../..');
const folders: string[] = [];
const running = new Set<ChildProcess>();

afterAll(async () => {
	for (const child of running) interrupt(child, 'SIGKILL');
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

test('"npm start -- --check" verifies everything and leaves', async () => {
	const { ended, said } = start('--check');

	expect(await ended).toBe(0);
	expect(said()).toMatch(/registered +116\n[^]*duplicate +2\n[^]*total +120\n/);
	expect(said()).toContain('Checked: credentials connected');
});

test('"npm start" says where to go, and Ctrl-C ends all that it started', async () => {
	const [port, sandboxPort] = [await freePort(), await freePort()];
	folders.push(join(cacheFolder, `start-${port}`));
	const { child, ended, said, saying } = start(
		...['--port', String(port), '--sandbox-port', String(sandboxPort)],
	);
	await Promise.race([saying('Press Ctrl-C'), ended]);

	expect(said()).toMatch(new RegExp(`Editor +http://\\S+:${port}/workflow/\\w+`));
	expect(said()).toMatch(new RegExp(`Platform +http://127.0.0.1:${sandboxPort}`));
	interrupt(child, 'SIGINT');
	expect(await ended).toBe(0);
	await assertFree(port, 'n8n', '--port');
	await assertFree(sandboxPort, 'the sandbox', '--sandbox-port');
});

test('a port in use is said in one sentence', async () => {
	const { createServer } = await import('node:http');
	const server = createServer();
	const port = await new Promise<number>((done) =>
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			done(typeof address === 'object' && address ? address.port : 0);
		}),
	);
	const { ended, said } = start('--port', String(port));
	expect(await ended).toBe(1);
	server.close();

	expect(said()).toContain(`Port ${port}, where n8n should listen, is in use`);
	expect(said()).not.toMatch(/^\s+at /m);
});

function start(...words: string[]) {
	const child = spawn('node', ['scripts/run.mjs', 'start', ...words], {
		cwd: root,
		// A group of its own is what a terminal gives it.
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	running.add(child);
	let text = '';
	const listeners = new Set<() => void>();
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			text += chunk.toString();
			for (const look of listeners) look();
		});
	}
	const ended = new Promise<number | null>((done) => child.on('close', done));
	void ended.then(() => running.delete(child));
	const saying = (words: string) =>
		new Promise<void>((done) => listeners.add(() => text.includes(words) && done()));
	return { child, ended, said: () => text, saying };
}

/** As Ctrl-C in a terminal does: everybody in the foreground hears it. */
function interrupt({ pid }: ChildProcess, signal: NodeJS.Signals) {
	if (pid !== undefined) process.kill(-pid, signal);
}
