import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../host/cache';
import { Editor, type Login, type SavedCredential, type Workflow } from '../../host/editor';
import { freePort } from '../../host/ports';
import { until } from '../../host/until';
import { byId } from '../support/n8n/locators';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
import { startTestServer } from '../support/platform/testServer';
import { startProgram, type Program } from '../support/runs/program';

const programs: Program[] = [];

afterEach(stopAll);

describe('npm start', () => {
	test('shows a finished bulk registration and where to sign in, and Ctrl-C ends all of it', async () => {
		const port = await freePort();
		const sandboxPort = await freePort();
		const { child, printed, ended } = await started(port, sandboxPort);
		expect(printed()).toMatch(/registered +116\n/);
		expect(printed()).toMatch(/total +120\n/);
		expect(printed()).toMatch(`http://localhost:${port}/workflow/`);
		expect(printed()).toMatch(`http://127.0.0.1:${sandboxPort}`);
		expect(printed()).toMatch(/^n8n +2\.\d+\.\d+, from npm, which has no later line: n8n 3 is /m);
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

	test('a second start runs and changes nothing that somebody has made their own since', async () => {
		const [port, sandboxPort] = [await freePort(), await freePort()];
		const own = await sandboxForTests();
		const home = join(cacheFolder, `start-${port}`);
		const first = await started(port, sandboxPort);
		const editor = await editorOf(port, home);
		const [workflow, credential] = await repointed(editor, own);
		await endAllSessions(`http://127.0.0.1:${sandboxPort}`);
		await first.stop();
		const requestsBefore = await own.requests();

		const { printed } = await started(port, sandboxPort);
		expect(printed()).toMatch(/registered +116\n/);
		expect(printed()).toContain(
			`Running a copy of the example "Register a list of people in bulk" for the session "Sample session", ` +
				`with the API token of the sandbox at http://127.0.0.1:${sandboxPort} …`,
		);
		const again = await editorOf(port, home);
		expect(await again.get(`/rest/workflows/${workflow.id}`)).toEqual(workflow);
		expect(await again.get(`/rest/credentials/${credential.id}?includeData=true`)).toEqual(
			credential,
		);
		expect(await own.requests()).toEqual(requestsBefore);
		const names = async (path: string) =>
			(await again.get<Array<{ name: string }>>(path)).map(({ name }) => name).sort();
		expect(await names('/rest/credentials')).toEqual([
			'Event Platform (API token)',
			`Event Platform (API token), http://127.0.0.1:${sandboxPort}`,
			'Event Platform (OAuth2)',
		]);
		expect(await names('/rest/workflows')).not.toContain('Sample list of npm start');
		await stopAll();
		await rm(home, { recursive: true });
	});

	test('without the editor: a list is registered and shown, and that is all', async () => {
		const { printed, ended } = start(['--no-editor']);
		expect(await ended).toBe(0);
		expect(printed()).toMatch(/registered +116\n/);
		expect(printed()).toMatch(/Row 118, no-address: invalid\. /);
		expect(printed()).not.toContain('n8n-2');
		expect(printed()).toMatch(
			/What next\n.* https:\/\/github\.com\/.*\/docs\/try-it\.md\n.* npm start /,
		);
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
});

async function stopAll() {
	for (const program of programs.splice(0)) await program.stop();
}

/** `npm start`, once it is up. */
async function started(port: number, sandboxPort: number): Promise<Program> {
	const program = start([`--port=${port}`, `--sandbox-port=${sandboxPort}`]);
	const isUp = () => Promise.resolve(program.printed().includes('Ctrl-C') || undefined);
	await until('npm start to be up', isUp, 120_000);
	return program;
}

async function editorOf(port: number, home: string): Promise<Editor> {
	const editor = new Editor(`http://localhost:${port}`);
	await editor.signIn(JSON.parse(await readFile(join(home, 'login.json'), 'utf8')) as Login);
	return editor;
}

/** Puts another account and another session into the credential and the example, as somebody does who begins to use them. */
async function repointed(
	editor: Editor,
	{ baseUrl, apiToken }: TestSandbox,
): Promise<[Workflow, SavedCredential]> {
	const byName = async (path: string, name: string) => {
		const list = await editor.get<Array<{ id: string; name: string }>>(path);
		return `${path}/${list.find((saved) => saved.name === name)?.id}`;
	};
	const credentialPath = await byName('/rest/credentials', 'Event Platform (API token)');
	const credential = await editor.get<SavedCredential>(credentialPath);
	await editor.patch(credentialPath, { ...credential, data: { baseUrl, apiToken } });
	const path = await byName('/rest/workflows', 'Register a list of people in bulk');
	const workflow = await editor.get<Workflow>(path);
	const nodes = workflow.nodes.map((node) => {
		const isRegister = node.name === 'Register in bulk';
		const parameters = { ...node.parameters, sessionId: byId(upcomingSession) };
		return isRegister ? { ...node, parameters } : node;
	});
	await editor.patch(path, { ...workflow, nodes });
	return [
		await editor.get<Workflow>(path),
		await editor.get<SavedCredential>(`${credentialPath}?includeData=true`),
	];
}

/** Lets every session of the sandbox begin and end that people can register for. */
async function endAllSessions(sandbox: string): Promise<void> {
	const headers = { authorization: 'sandbox-token' };
	const response = await fetch(`${sandbox}/v1/sessions?filter[status]=upcoming`, { headers });
	const { data } = (await response.json()) as { data: Array<{ id: string }> };
	expect(data).toHaveLength(3);
	for (const { id } of data) {
		for (const change of ['start', 'end']) {
			await fetch(`${sandbox}/_sandbox/sessions/${id}/${change}`, { method: 'POST' });
		}
	}
}

function start(args: string[], env: NodeJS.ProcessEnv = {}): Program {
	const program = startProgram('host/start.ts', args, { env });
	programs.push(program);
	return program;
}
