import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import type { Access } from '../../sandbox/server';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { partnerApp, type Token } from './oauthClient';

// A process of its own takes its time to start.
let sandbox: TestSandbox;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	sandbox = await sandboxForTests();
	app = partnerApp(sandbox);
});

async function connect(through: ReturnType<typeof partnerApp>): Promise<Token> {
	return (await through.exchange(await through.code())).data;
}

async function works({ baseUrl }: Access, accessToken: string): Promise<boolean> {
	const headers = { Authorization: `Bearer ${accessToken}` };
	const { status } = await axios.get(`${baseUrl}/v1/ping`, { headers, validateStatus: null });
	return status === 200;
}

test('a refresh gives a new access token and, without rotation, the same refresh token', async () => {
	const first = await connect(app);
	const { status, data } = await app.refresh(first.refresh_token);
	expect(status).toBe(200);
	expect(Object.keys(data).sort()).toEqual(Object.keys(first).sort());
	expect(data.access_token).not.toBe(first.access_token);
	expect(data.refresh_token).toBe(first.refresh_token);
	expect(data.scope).toBe(first.scope);
	expect(await works(sandbox, data.access_token)).toBe(true);
	expect((await app.refresh(first.refresh_token)).status).toBe(200);
});

describe('with --rotate-refresh', () => {
	let rotating: ReturnType<typeof partnerApp>;
	beforeAll(async () => {
		rotating = partnerApp(await sandboxForTests({ rotateRefresh: true }));
	});

	test('the old refresh token stops working at once', async () => {
		const first = await connect(rotating);
		const { data: second } = await rotating.refresh(first.refresh_token);
		expect(second.refresh_token).not.toBe(first.refresh_token);
		const { status, data } = await rotating.refresh(first.refresh_token);
		expect([status, data.error]).toEqual([400, 'invalid_grant']);
		expect((await rotating.refresh(second.refresh_token)).status).toBe(200);
	});
});

test('a refresh never gives more than was granted', async () => {
	const { refresh_token: token } = await connect(app);
	const more = await app.refresh(token, { scope: 'events:write admin:write' });
	expect([more.status, more.data.error]).toEqual([400, 'invalid_scope']);
	const less = await app.refresh(token, { scope: 'events:write' });
	expect(less.data.scope).toBe('events:write');
});

describe('on a disk', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sandbox-oauth-'));
	const children: ChildProcess[] = [];
	afterAll(() => {
		for (const child of children) child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});

	test('codes and tokens survive a kill, and none of them can be read there', async () => {
		const file = join(folder, 'killed.db');
		const { child, access } = await startProcess(file);
		const token = await connect(partnerApp(access));
		const code = await partnerApp(access).code();
		child.kill('SIGKILL');
		await once(child, 'exit');

		const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
		expect(stored.join('')).toContain('oauth_access_tokens');
		for (const secret of [token.access_token, token.refresh_token, code]) {
			expect(stored.join('')).not.toContain(secret);
		}
		const again = await sandboxForTests({ data: file });
		expect(await works(again, token.access_token)).toBe(true);
		expect((await partnerApp(again).refresh(token.refresh_token)).status).toBe(200);
		expect((await partnerApp(again).exchange(code)).status).toBe(200);
	});

	async function startProcess(file: string) {
		const options = ['--port', '0', '--data', file];
		const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...options], {
			cwd: join(__dirname, '../..'),
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		children.push(child);
		const [line] = (await once(child.stdout, 'data')) as [Buffer];
		return { child, access: JSON.parse(line.toString()) as Access };
	}
});
