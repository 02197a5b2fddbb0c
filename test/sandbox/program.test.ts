import axios, { type AxiosInstance } from 'axios';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../sandbox/arguments';
import { optionList } from '../../sandbox/options/list';
import type { Access } from '../../sandbox/server';
import { bulkOf, type JobAnswer, personOf, until, upcomingSession } from '../support/sandbox';

const root = join(__dirname, '..', '..');
const children = new Set<ChildProcess>();
afterAll(() => {
	for (const child of children) child.kill('SIGKILL');
});

describe('the program', () => {
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

	describe('the command line', () => {
		test('prints one line of JSON when it listens, and ends cleanly when asked to', async () => {
			const { child, output, exit } = start('--port', '0');
			await once(child.stdout, 'data');
			const shown = JSON.parse(output.stdout) as Record<string, string>;
			expect(shown['baseUrl']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
			expect(shown).toEqual({
				baseUrl: shown['baseUrl'],
				authServerUrl: shown['baseUrl'],
				apiToken: 'sandbox-token',
				clientId: 'sandbox-client',
				clientSecret: 'sandbox-secret',
				redirectUri: 'http://localhost:5678/rest/oauth2-credential/callback',
				scope: 'events:write webhooks:write',
			});
			const answer = await axios.get(`${shown['baseUrl']}/v1/ping`, {
				headers: { Authorization: shown['apiToken'] },
			});
			expect(answer.status).toBe(200);
			child.kill('SIGTERM');
			expect(await exit).toBe(0);
			expect(output.stdout.trim().split('\n')).toHaveLength(1);
			expect(output.stderr).toBe('');
		});

		test('refuses an option that it does not know, with status 2', async () => {
			const { output, exit } = start('--speed', '9');
			expect(await exit).toBe(2);
			expect(output.stderr).toMatch(
				/^There is no option --speed\. Options: --world, --host, .*\n$/,
			);
			expect(output.stdout).toBe('');
		});
	});

	describe('options', () => {
		test('the README lists what --help prints', () => {
			expect(readFileSync(join(root, 'sandbox', 'README.md'), 'utf8')).toContain(optionList());
		});

		test.each([
			['--world wild --limiter bucket', { world: 'wild', limiter: 'bucket' }],
			['--port=0 --rate 0', { port: 0, rate: 0 }],
			['--token-ttl 2 --rotate-refresh', { tokenTtl: 2, rotateRefresh: true }],
			['--webhook-retry-factor 0.01', { webhookRetryFactor: 0.01 }],
			['--no-allow-http-webhooks', { allowHttpWebhooks: false }],
		])('%s', (line, options) => {
			expect(readArguments(line.split(' '))).toEqual(options);
		});

		test.each([
			['--port', '--port needs a value.'],
			['--port 70000', "--port must be a whole number from 0 to 65535; it was '70000'."],
			['--task-ms -1', "--task-ms must be a whole number from 0 to 3600000; it was '-1'."],
			['--early-results late', "--early-results must be partial or empty or 404; it was 'late'."],
			['--redirect-uri nowhere', "--redirect-uri must be a full URL; it was 'nowhere'."],
			[
				'--webhook-retry-factor x',
				"--webhook-retry-factor must be a number from 0 to 1000; it was 'x'.",
			],
			[
				'--rotate-refresh=maybe',
				"--rotate-refresh takes no value, or true or false; it was 'maybe'.",
			],
			['--no-port', 'There is no option --no-port.'],
			['--__proto__ 1', 'There is no option --__proto__.'],
			['serve', "I do not understand 'serve'."],
		])('%s makes no sense', (line, sentence) => {
			expect(() => readArguments(line.split(' '))).toThrow(sentence);
		});
	});
});

describe('a file of data', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
	const file = join(folder, 'state.db');
	afterAll(() => rmSync(folder, { recursive: true }));

	/** The sandbox in a process of its own, which can be killed. */
	async function start() {
		const words = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts'];
		const options = ['--port', '0', '--rate', '0', '--task-ms', '20', '--data', file];
		const child = spawn(process.execPath, [...words, ...options], { cwd: root });
		children.add(child);
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		const { baseUrl, apiToken } = JSON.parse(line.toString()) as Access;
		const headers = { Authorization: apiToken };
		return {
			child,
			baseUrl,
			api: axios.create({ baseURL: `${baseUrl}/v1`, headers, proxy: false }),
		};
	}

	async function job(api: AxiosInstance, id: string) {
		return (await api.get<JobAnswer>(`/jobs/${id}`)).data.attributes;
	}

	test('a kill in the middle of a job loses nothing, and the job ends after the restart', async () => {
		const emails = Array.from({ length: 50 }, (_, index) => `p${index}@example.com`);
		const first = await start();
		const people = `/sessions/${upcomingSession}/people`;
		await first.api.post(people, personOf('before@example.com'));
		const issue = `${first.baseUrl}/_sandbox/oauth/issue`;
		const grant = await axios.post<{ access_token: string }>(issue, { scope: 'events:write' });
		const subscription = { url: 'http://127.0.0.1:9/hook', event: 'job.ended' };
		await first.api.post('/webhooks', { data: { type: 'webhooks', attributes: subscription } });
		const { data } = await first.api.post<JobAnswer>(`${people}/bulk`, bulkOf(emails));
		await until(async () => (await job(first.api, data.id)).total_processed_items >= 5);
		const before = await job(first.api, data.id);
		expect(before.status).toBe('processing');
		first.child.kill('SIGKILL');
		await once(first.child, 'exit');

		const second = await start();
		await until(async () => (await job(second.api, data.id)).status !== 'processing');
		expect(await job(second.api, data.id)).toEqual({
			status: 'ended',
			total_items: 50,
			total_processed_items: 50,
			total_fail: 0,
			total_success: 50,
		});
		const headers = { Authorization: `Bearer ${grant.data.access_token}` };
		const list = await second.api.get<{ meta: { record_count: number } }>(people, { headers });
		expect(list.data.meta.record_count).toBe(51);
		const webhooks = await second.api.get<{ data: object[] }>('/webhooks');
		expect(webhooks.data.data).toMatchObject([{ attributes: subscription }]);
	});
});
