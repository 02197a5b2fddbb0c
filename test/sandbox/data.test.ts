import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import type { Access } from '../../sandbox/server';
import {
	bulkOf,
	type JobAnswer,
	personOf,
	sandboxForTests,
	until,
	upcomingSession,
} from '../support/sandbox';

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

test('without a file every sandbox starts with the same records', async () => {
	const [one, other] = await Promise.all([
		sandboxForTests({ seedPeople: 20, seedEvents: 12 }),
		sandboxForTests({ seedPeople: 20, seedEvents: 12 }),
	]);
	for (const path of ['/events', '/sessions', '/people', `/sessions/${upcomingSession}/people`]) {
		const params = { 'page[size]': 50 };
		const answers = await Promise.all([
			one.api.get(path, { params }),
			other.api.get(path, { params }),
		]);
		expect(ids(answers[0].data)).toEqual(ids(answers[1].data));
	}
});

test('of the seeded people most are in the first upcoming session', async () => {
	const sandbox = await sandboxForTests({ seedPeople: 100 });
	const { data } = await sandbox.api.get<{ meta: { record_count: number } }>(
		`/sessions/${upcomingSession}/people`,
	);
	expect(data.meta.record_count).toBe(80);
});

test('every status of an event and of a session is there to be found', async () => {
	const sandbox = await sandboxForTests({ seedEvents: 6 });
	const found = async (path: string, filter: string, value: string) => {
		const params = { [`filter[${filter}]`]: value };
		const { data } = await sandbox.api.get<{ meta: { record_count: number } }>(path, { params });
		return data.meta.record_count;
	};
	for (const status of ['live', 'upcoming', 'on_demand', 'ended', 'not_started', 'draft']) {
		expect([status, await found('/events', 'scheduling_status', status)]).toEqual([status, 1]);
	}
	for (const status of ['live', 'on_demand', 'past', 'past_not_started', 'canceled', 'draft']) {
		expect([status, await found('/sessions', 'status', status)]).toEqual([status, 1]);
	}
	expect(await found('/sessions', 'status', 'upcoming')).toBe(3);
});

test('a reset brings back the beginning', async () => {
	const sandbox = await sandboxForTests({ seedPeople: 10 });
	const before = await sandbox.state();
	await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf('new@example.com'));
	await sandbox.api.post(`/sessions/${upcomingSession}/people/bulk`, bulkOf(['newer@example.com']));
	await sandbox.web.post('/_sandbox/workspace', { blocked: true });
	await sandbox.reset();
	const { counts, jobs, workspace } = before;
	expect(await sandbox.state()).toMatchObject({ counts, jobs, workspace });
});

function ids(list: unknown): string[] {
	return (list as { data: Array<{ id: string }> }).data.map(({ id }) => id);
}
