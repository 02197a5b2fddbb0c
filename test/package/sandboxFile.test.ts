import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import type { Access } from '../../sandbox/server';
import { bulkPath, type Page } from '../support/platform/requests';
import { bulkOf, guestAddresses, type JobAnswer } from '../support/platform/sandbox';
import { upcomingSession } from '../support/platform/seededIds';
import { lineOf, startProgram, type Program } from '../support/runs/program';
import { eventually } from '../support/time/eventually';
import { manifest, root } from './built';

/** The sandbox as the release has it: one file, in a folder where there is nothing else. */

const folder = mkdtempSync(join(tmpdir(), 'event-platform-sandbox-'));
const file = join(folder, 'sandbox.cjs');
const start = (words: string[], flags: string[] = []) =>
	startProgram('sandbox.cjs', words, { cwd: folder, flags, env: { NODE_PATH: '' } });

let program: Program;
let access: Access;

beforeAll(async () => {
	execFileSync(process.execPath, ['scripts/sandboxFile.mjs', file], { cwd: root });
	program = start(['--port', '0', '--rate', '0']);
	access = JSON.parse(await lineOf(program, '{')) as Access;
});

afterAll(async () => {
	await program.stop();
	rmSync(folder, { recursive: true });
});

test('it registers a list over HTTP, and leaves nothing beside itself', async () => {
	const headers = { Authorization: access.apiToken };
	const api = axios.create({ baseURL: `${access.baseUrl}/v1`, headers, proxy: false });
	const { data } = await api.post<JobAnswer>(bulkPath, bulkOf(guestAddresses(50)));
	const job = async () => (await api.get<JobAnswer>(`/jobs/${data.id}`)).data.attributes;
	await eventually(async () => (await job()).status !== 'processing');
	expect(await job()).toMatchObject({ status: 'ended', total_success: 50 });
	const people = await api.get<Page>(`/sessions/${upcomingSession}/people`);
	expect(people.data.meta.record_count).toBe(50);
	expect(readdirSync(folder)).toEqual(['sandbox.cjs']);
});

test('its page has all that the page of the checkout has', async () => {
	const names = readdirSync(join(root, 'sandbox/page/public'));
	expect(names.length).toBeGreaterThan(5);
	for (const name of names.filter((other) => other !== 'index.html')) {
		const { data } = await axios.get<string>(`${access.baseUrl}/page/${name}`, {
			proxy: false,
			responseType: 'text',
			transformResponse: (text: string) => text,
		});
		expect(data).toBe(readFileSync(join(root, 'sandbox/page/public', name), 'utf8'));
	}
	const { data } = await axios.get<string>(access.baseUrl, { proxy: false });
	expect(data).toContain(access.apiToken);
});

test('it is small, and has its version and the licences of the packages inside', () => {
	const text = readFileSync(file, 'utf8');
	expect(gzipSync(text).length).toBeLessThan(500_000);
	expect(text).toContain(`n8n-nodes-event-platform ${manifest.version} (MIT)`);
	expect(text).toMatch(/\nfastify \d+\.\d+\.\d+ \(MIT\)\n/);
	expect(text).toContain('Permission is hereby granted');
});

test('on a Node without SQLite it says which Node it needs, and how to get one', async () => {
	const older = start(['--port', '0'], ['--no-experimental-sqlite']);
	expect(await older.ended).toBe(1);
	expect(older.printed()).toMatch(
		/^The sandbox needs Node 22\.13 or newer, and this is v\d.*npx --yes node@24 .*sandbox\.cjs --port 0\n$/,
	);
});
