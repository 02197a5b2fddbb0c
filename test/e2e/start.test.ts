import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cacheFolder } from '../../host/cache';
import { reason } from '../../host/npm';
import { freePort } from '../../host/ports';
import { until } from '../../host/until';

jest.setTimeout(180_000);

const checkout = resolve(__dirname, '../..');
let programs: Program[] = [];

interface Program {
	child: ChildProcess;
	printed: () => string;
	code: Promise<number | null>;
}

afterEach(async () => {
	for (const { child, code } of programs) {
		child.kill('SIGTERM');
		await code;
	}
	programs = [];
});

describe('npm start', () => {
	test('shows a finished bulk registration and where to sign in, and Ctrl-C ends all of it', async () => {
		const port = await freePort();
		const sandboxPort = await freePort();
		const { child, printed, code } = start([`--port=${port}`, `--sandbox-port=${sandboxPort}`]);
		const isUp = () => Promise.resolve(printed().includes('Ctrl-C') || undefined);
		await until('npm start to be up', isUp, 120_000);
		expect(printed()).toMatch(/registered +116\n/);
		expect(printed()).toMatch(/total +120\n/);
		expect(printed()).toMatch(`http://localhost:${port}/workflow/`);
		expect(printed()).toMatch(`http://127.0.0.1:${sandboxPort}`);
		expect(printed()).toMatch(/API token +sandbox-token\n/);
		expect(printed()).toMatch(/Client +sandbox-client, secret sandbox-secret\n/);
		expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200);

		child.kill('SIGINT');
		expect(await code).toBe(0);
		for (const ended of [port, sandboxPort]) {
			await expect(fetch(`http://127.0.0.1:${ended}/`)).rejects.toThrow('fetch failed');
		}
		await rm(join(cacheFolder, `start-${port}`), { recursive: true });
	});

	test('without the editor: a list is registered and shown, and that is all', async () => {
		const { printed, code } = start(['--no-editor']);
		expect(await code).toBe(0);
		expect(printed()).toMatch(/registered +116\n/);
		expect(printed()).toMatch(/Row 118, no-address: invalid\. /);
		expect(printed()).not.toContain('n8n-2');
	});

	test('says in one sentence that a port is in use', async () => {
		const taken = await occupied();
		const { printed, code } = start([`--port=${taken.port}`]);
		expect(await code).toBe(1);
		expect(printed().trim()).toBe(
			`Port ${taken.port}, where n8n should listen, is in use: end the program that uses it, or choose another with --port.`,
		);
		taken.server.close();
	});

	test('says in one sentence, and at once, that there is no network', async () => {
		const nowhere = await mkdtemp(join(tmpdir(), 'event-platform-'));
		const { printed, code } = start(['--check'], {
			EVENT_PLATFORM_CACHE: join(nowhere, 'n8n'),
			npm_config_cache: join(nowhere, 'npm'),
			npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
		});
		expect(await code).toBe(1);
		// What needs no n8n has been shown before.
		expect(printed().trim().split(/\n+/).slice(-2)).toEqual([
			expect.stringMatching(/^Downloading n8n, once/),
			'Downloading n8n failed because the npm registry cannot be reached: check the network and start again. ' +
				'Without n8n, "npm start -- --no-editor" shows a registration at work, and "npm run sandbox" starts the platform.',
		]);
		await rm(nowhere, { recursive: true });
	});

	test.each([
		['npm error code ENOSPC\nnpm error syscall write', 'the disk is full'],
		['npm error code EAI_AGAIN\nnpm error network request failed', 'cannot be reached'],
		['gyp ERR! find Python', 'python3, make and g++'],
		['npm error code EINTEGRITY', 'EINTEGRITY'],
	])('says in one sentence why npm failed: %j', (output, why) => {
		const sentence = reason('Downloading n8n', output);
		expect(sentence).toContain(why);
		expect(sentence).toMatch(/^Downloading n8n failed[^\n]*\.$/);
	});
});

function start(args: string[], environment: NodeJS.ProcessEnv = {}): Program {
	let printed = '';
	const child = spawn(process.execPath, ['--import', 'tsx', 'host/start.ts', ...args], {
		cwd: checkout,
		env: { ...process.env, ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	}
	const code = new Promise<number | null>((done) => child.on('close', done));
	const program = { child, printed: () => printed, code };
	programs.push(program);
	return program;
}

async function occupied(): Promise<{ server: Server; port: number }> {
	const port = await freePort();
	const server = createServer();
	await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
	return { server, port };
}
