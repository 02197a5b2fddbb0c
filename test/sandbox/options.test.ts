import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axios from 'axios';
import { readArguments } from '../../sandbox/arguments';
import { optionList } from '../../sandbox/options/list';

const root = join(__dirname, '..', '..');
const children = new Set<ChildProcess>();

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

afterAll(() => {
	for (const child of children) child.kill('SIGKILL');
});

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
		expect(output.stderr).toMatch(/^There is no option --speed\. Options: --world, --host, .*\n$/);
		expect(output.stdout).toBe('');
	});
});

describe('options', () => {
	test('the README lists what --help prints', () => {
		expect(readFileSync(join(root, 'sandbox', 'README.md'), 'utf8')).toContain(optionList());
	});

	test.each([
		['--world wild --limiter bucket', { world: 'wild', limiter: 'bucket' }],
		['--port=0', { port: 0 }],
		['--rate 0 --monthly 0', { rate: 0, monthly: 0 }],
		['--task-ms 5 --job-ms 100', { taskMs: 5, jobMs: 100 }],
		['--early-results 404', { earlyResults: '404' }],
		['--tasks-paging broken', { tasksPaging: 'broken' }],
		['--job-shape wrapped', { jobShape: 'wrapped' }],
		['--latency-ms 30', { latencyMs: 30 }],
		['--token-ttl 2 --rotate-refresh', { tokenTtl: 2, rotateRefresh: true }],
		['--redirect-uri https://app.example/back', { redirectUri: 'https://app.example/back' }],
		['--oauth-params form', { oauthParams: 'form' }],
		[
			'--webhook-secret s --webhook-retry-factor 0.01',
			{ webhookSecret: 's', webhookRetryFactor: 0.01 },
		],
		['--data state.db', { data: 'state.db' }],
		['--seed-people 10 --seed-events 5', { seedPeople: 10, seedEvents: 5 }],
		['--allow-http-webhooks', { allowHttpWebhooks: true }],
		['--no-allow-http-webhooks', { allowHttpWebhooks: false }],
		['--host 0.0.0.0', { host: '0.0.0.0' }],
	])('%s', (line, options) => {
		expect(readArguments(line.split(' '))).toEqual(options);
	});

	test.each([
		['--port', '--port needs a value.'],
		['--port 70000', "--port must be a whole number from 0 to 65535; it was '70000'."],
		['--task-ms -1', "--task-ms must be a whole number from 0 to 3600000; it was '-1'."],
		['--task-ms fast', "--task-ms must be a whole number from 0 to 3600000; it was 'fast'."],
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
