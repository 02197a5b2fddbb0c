import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import type { Access } from '../../sandbox/server';
import { bulkOf, type JobAnswer, personOf, until, upcomingSession } from '../support/sandbox';

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
const file = join(folder, 'state.db');
const children = new Set<ChildProcess>();

afterAll(() => {
	for (const child of children) child.kill('SIGKILL');
	rmSync(folder, { recursive: true });
});

/** The sandbox in a process of its own, which can be killed. */
async function start() {
	const words = ['--disable-warning=ExperimentalWarning', '--import', 'tsx', 'sandbox/main.ts'];
	const options = ['--port', '0', '--rate', '0', '--task-ms', '20', '--data', file];
	const child = spawn(process.execPath, [...words, ...options], { cwd: root });
	children.add(child);
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const { baseUrl, apiToken } = JSON.parse(line.toString()) as Access;
	const headers = { Authorization: apiToken };
	return { child, baseUrl, api: axios.create({ baseURL: `${baseUrl}/v1`, headers, proxy: false }) };
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
}, 60_000);
