import axios from 'axios';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../sandbox/arguments';
import { optionList } from '../../sandbox/options/list';
import type { Access } from '../../sandbox/server';
import { bulkOf, type JobAnswer, personOf, until, upcomingSession } from '../support/sandbox';
import { bulkPath, crowd, type Page } from './requests';

const root = join(__dirname, '..', '..');
const children = new Set<ChildProcess>();
afterAll(() => {
	for (const child of children) child.kill('SIGKILL');
});

/** The sandbox as people start it, on the Node that runs these tests. */
function start(...args: string[]) {
	const words = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts'];
	const child = spawn(process.execPath, [...words, ...args], { cwd: root });
	children.add(child);
	const output = { stdout: '', stderr: '' };
	child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
	child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
	const exit = once(child, 'exit').then(([code]) => code as number | null);
	return { child, output, exit };
}

/** Where it listens, and a client with its API token. */
async function listening({ child, output }: ReturnType<typeof start>) {
	await once(child.stdout, 'data');
	const shown = JSON.parse(output.stdout) as Access;
	const headers = { Authorization: shown.apiToken };
	const api = axios.create({ baseURL: `${shown.baseUrl}/v1`, headers, proxy: false });
	return { shown, api };
}

describe('the command line', () => {
	test('prints one line of JSON when it listens, and ends cleanly when asked to', async () => {
		const program = start('--port', '0');
		const { shown, api } = await listening(program);
		expect(shown).toEqual({
			baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
			authServerUrl: shown.baseUrl,
			apiToken: 'sandbox-token',
			clientId: 'sandbox-client',
			clientSecret: 'sandbox-secret',
			redirectUri: 'http://localhost:5678/rest/oauth2-credential/callback',
			scope: 'events:write webhooks:write',
		});
		expect((await api.get('/ping')).status).toBe(200);
		program.child.kill('SIGTERM');
		expect(await program.exit).toBe(0);
		expect(program.output.stdout.trim().split('\n')).toHaveLength(1);
		expect(program.output.stderr).toBe('');
	});

	test('refuses an option that it does not know, with status 2', async () => {
		const { output, exit } = start('--speed', '9');
		expect(await exit).toBe(2);
		expect(output.stderr).toMatch(/^There is no option --speed\. Options: --world, --host, .*\n$/);
		expect(output.stdout).toBe('');
	});

	test('the README lists what --help prints', () => {
		expect(readFileSync(join(root, 'sandbox', 'README.md'), 'utf8')).toContain(optionList());
	});

	test('options are read as they are written', () => {
		const line = '--world wild --port=0 --rotate-refresh --no-allow-http-webhooks';
		const options = { world: 'wild', port: 0, rotateRefresh: true, allowHttpWebhooks: false };
		expect(readArguments(line.split(' '))).toEqual(options);
	});

	test.each([
		['--port 70000', "--port must be a whole number from 0 to 65535; it was '70000'."],
		['--early-results late', "--early-results must be partial or empty or 404; it was 'late'."],
		['--redirect-uri nowhere', "--redirect-uri must be a full URL; it was 'nowhere'."],
		['--rotate-refresh=maybe', 'takes no value, or true or false'],
	])('%s makes no sense', (line, sentence) => {
		expect(() => readArguments(line.split(' '))).toThrow(sentence);
	});
});

describe('a file of data', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
	afterAll(() => rmSync(folder, { recursive: true }));
	const words = ['--port', '0', '--rate', '0', '--data', join(folder, 'state.db')];

	test('a kill in the middle of a job loses nothing, and the job ends after the restart', async () => {
		const first = start(...words);
		const { shown, api } = await listening(first);
		const people = `/sessions/${upcomingSession}/people`;
		await api.post(people, personOf('before@example.com'));
		const issue = `${shown.baseUrl}/_sandbox/oauth/issue`;
		const grant = await axios.post<{ access_token: string }>(issue, { scope: 'events:write' });
		const { data } = await api.post<JobAnswer>(bulkPath, bulkOf(crowd(50)));
		const job = async (client = api) =>
			(await client.get<JobAnswer>(`/jobs/${data.id}`)).data.attributes;
		await until(async () => (await job()).total_processed_items >= 5);
		expect((await job()).status).toBe('processing');
		first.child.kill('SIGKILL');
		await first.exit;

		const { api: again } = await listening(start(...words));
		await until(async () => (await job(again)).status !== 'processing');
		expect(await job(again)).toMatchObject({ status: 'ended', total_success: 50 });
		const headers = { Authorization: `Bearer ${grant.data.access_token}` };
		const list = await again.get<Page>(people, { headers });
		expect(list.data.meta.record_count).toBe(51);
	});
});
