import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../host/cache';
import { reason } from '../../host/npm';
import { freePort } from '../../host/ports';
import { until } from '../../host/until';
import { startTestServer } from '../support/platform/testServer';
import { startProgram, type Program } from '../support/runs/program';

jest.setTimeout(180_000);

const programs: Program[] = [];

afterEach(async () => {
	for (const program of programs.splice(0)) await program.stop();
});

describe('npm start', () => {
	test('shows a finished bulk registration and where to sign in, and Ctrl-C ends all of it', async () => {
		const port = await freePort();
		const sandboxPort = await freePort();
		const { child, printed, ended } = start([`--port=${port}`, `--sandbox-port=${sandboxPort}`]);
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
		expect(await ended).toBe(0);
		for (const closed of [port, sandboxPort]) {
			await expect(fetch(`http://127.0.0.1:${closed}/`)).rejects.toThrow('fetch failed');
		}
		await rm(join(cacheFolder, `start-${port}`), { recursive: true });
	});

	test('without the editor: a list is registered and shown, and that is all', async () => {
		const { printed, ended } = start(['--no-editor']);
		expect(await ended).toBe(0);
		expect(printed()).toMatch(/registered +116\n/);
		expect(printed()).toMatch(/Row 118, no-address: invalid\. /);
		expect(printed()).not.toContain('n8n-2');
	});

	test('says in one sentence that a port is in use', async () => {
		const { port } = new URL((await startTestServer(() => {})).baseUrl);
		const { printed, ended } = start([`--port=${port}`]);
		expect(await ended).toBe(1);
		expect(printed().trim()).toBe(
			`Port ${port}, where n8n should listen, is in use: end the program that uses it, or choose another with --port.`,
		);
	});

	test('says in one sentence, and at once, that there is no network', async () => {
		const nowhere = await mkdtemp(join(tmpdir(), 'event-platform-'));
		const { printed, ended } = start(['--check'], {
			EVENT_PLATFORM_CACHE: join(nowhere, 'n8n'),
			npm_config_cache: join(nowhere, 'npm'),
			npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
		});
		expect(await ended).toBe(1);
		// The parts that need no n8n have been shown before.
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

function start(args: string[], env: NodeJS.ProcessEnv = {}): Program {
	const program = startProgram('host/start.ts', args, { env });
	programs.push(program);
	return program;
}
