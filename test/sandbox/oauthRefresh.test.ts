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
