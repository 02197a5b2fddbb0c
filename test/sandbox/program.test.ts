import axios from 'axios';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../sandbox/arguments';
import { optionList } from '../../sandbox/options/list';
import type { Access } from '../../sandbox/server';
import { lineOf, startProgram, type Program } from '../support/runs/program';
import { guestAddresses, bulkOf, type JobAnswer, personOf } from '../support/platform/sandbox';
import { bulkPath, type Page } from '../support/platform/requests';
import { eventually } from '../support/time/eventually';
import { upcomingSession } from '../support/platform/seededIds';

const started: Program[] = [];

/** The sandbox as people start it, on the Node that runs these tests. */
function start(words: readonly string[], flags: readonly string[] = []): Program {
	const options = { flags: ['--disable-warning=ExperimentalWarning', ...flags] };
	const program = startProgram('sandbox/main.ts', words, options);
	started.push(program);
	return program;
}

// Also where a test has failed half way.
afterEach(() => Promise.all(started.splice(0).map((program) => program.stop())));

/** Where it listens, and a client with its API token. */
async function listening(program: Program) {
	const access = JSON.parse(await lineOf(program, '{')) as Access;
	const headers = { Authorization: access.apiToken };
	const api = axios.create({ baseURL: `${access.baseUrl}/v1`, headers, proxy: false });
	return { access, api };
}

describe('the command line', () => {
	test('prints one line of JSON when it listens, and ends cleanly when asked to', async () => {
		const program = start(['--port', '0']);
		const { access, api } = await listening(program);
		expect(access).toEqual({
			baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
			authServerUrl: access.baseUrl,
			apiToken: 'sandbox-token',
			clientId: 'sandbox-client',
			clientSecret: 'sandbox-secret',
			redirectUri: 'http://localhost:5678/rest/oauth2-credential/callback',
			scope: 'events:write webhooks:write',
		});
		expect((await api.get('/ping')).status).toBe(200);
		program.child.kill('SIGTERM');
		expect(await program.ended).toBe(0);
		expect(program.printed().trim().split('\n')).toHaveLength(1);
	});

	test('refuses an option that it does not know, with status 2', async () => {
		const { ended, printed } = start(['--speed', '9']);
		expect(await ended).toBe(2);
		expect(printed()).toMatch(/^There is no option --speed\. Options: --world, --host, .*\n$/);
	});

	test('the README lists what --help prints', () => {
		expect(readFileSync('sandbox/README.md', 'utf8')).toContain(optionList());
	});

	test('options are read as they are written', () => {
		const line = '--world wild --port=0 --rotate-refresh --no-allow-http-webhooks';
		const options = { world: 'wild', port: 0, rotateRefresh: true, allowHttpWebhooks: false };
		expect(readArguments(line.split(' '))).toEqual(options);
	});

	test.each([
		['--port 70000', "--port must be a whole number from 0 to 65535; it was '70000'."],
		['--tasks-paging none', "--tasks-paging must be spec or broken; it was 'none'."],
		['--redirect-uri nowhere', "--redirect-uri must be a full URL; it was 'nowhere'."],
		['--rotate-refresh=maybe', 'takes no value, or true or false'],
	])('%s makes no sense', (line, sentence) => {
		expect(() => readArguments(line.split(' '))).toThrow(sentence);
	});
});

test('with a file of data, a kill in the middle of a job loses nothing, and the job ends after the restart', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
	const database = join(folder, 'state.db');
	// The job takes 100 seconds, so that no machine is too busy to see the middle of it; the restart comes an hour later.
	const words = ['--port', '0', '--rate', '0', '--task-ms', '2000', '--data', database];
	const anHourLater = join(folder, 'anHourLater.cjs');
	writeFileSync(anHourLater, 'const { now } = Date; Date.now = () => now() + 3_600_000;');
	const first = start(words);
	const { access, api } = await listening(first);
	const people = `/sessions/${upcomingSession}/people`;
	await api.post(people, personOf('before@example.com'));
	const issue = `${access.baseUrl}/_sandbox/oauth/issue`;
	const grant = await axios.post<{ access_token: string }>(issue, { scope: 'events:write' });
	const { data } = await api.post<JobAnswer>(bulkPath, bulkOf(guestAddresses(50)));
	const job = async (client = api) =>
		(await client.get<JobAnswer>(`/jobs/${data.id}`)).data.attributes;
	await eventually(async () => (await job()).total_processed_items > 0);
	expect((await job()).status).toBe('processing');
	first.child.kill('SIGKILL');
	await first.ended;

	const second = start(words, ['--require', anHourLater]);
	const { api: again } = await listening(second);
	await eventually(async () => (await job(again)).status !== 'processing');
	expect(await job(again)).toMatchObject({ status: 'ended', total_success: 50 });
	const headers = { Authorization: `Bearer ${grant.data.access_token}` };
	const list = await again.get<Page>(people, { headers });
	expect(list.data.meta.record_count).toBe(51);
	rmSync(folder, { recursive: true });
});
