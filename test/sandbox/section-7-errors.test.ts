import type { AxiosError } from 'axios';
import { personOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { bearer, getAs, type Page } from './requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const people = `/sessions/${upcomingSession}/people`;
const register = (signal?: AbortSignal) =>
	sandbox.api.post<unknown>(people, personOf('ada@example.com'), { signal });

test.each<[number, string, () => Promise<{ status: number; data: unknown }>]>([
	[400, 'a malformed request', () => sandbox.api.post('/events', { data: 7 })],
	[400, 'a page that does not exist', () => sandbox.api.get('/events?page[number]=99')],
	[401, 'no token', () => getAs(sandbox)],
	[403, 'a missing scope', async () => getAs(sandbox, await bearer(sandbox, 'webhooks:read'))],
	[404, 'an unknown record', () => sandbox.api.get('/events/none')],
	[404, 'an unknown path', () => sandbox.api.get('/cats')],
	[409, 'a person who is registered already', () => register().then(() => register())],
])('%i for %s, in the envelope', async (status, _, send) => {
	const answer = await send();
	expect(answer.status).toBe(status);
	const words = expect.stringMatching(/./) as string;
	expect(answer.data).toEqual({
		errors: [{ code: words, detail: words, status: String(status), title: words }],
	});
});

describe('faults', () => {
	async function breakOn(fault: Parameters<TestSandbox['faults']>[0][0]['do']) {
		await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: fault }]);
	}
	const registrants = async () => (await sandbox.api.get<Page>(people)).data.meta.record_count;

	test.each([
		['500', 500],
		['html-502', 502],
		['429', 429],
	] as const)('%s: exactly the named request is refused', async (fault, status) => {
		const match = { method: 'GET', path: '/v1/events' };
		await sandbox.faults([{ match, times: 1, do: fault, retryAfter: 7 }]);
		expect((await sandbox.api.get('/sessions')).status).toBe(200);
		const answer = await sandbox.api.get('/events');
		expect(answer.status).toBe(status);
		if (status === 429) expect(answer.headers['retry-after']).toBe('7');
		if (status === 502) expect(answer.headers['content-type']).toContain('text/html');
		expect((await sandbox.api.get('/events')).status).toBe(200);
	});

	test.each([
		['reset-before', 'ECONNRESET', 0],
		['reset-after', 'ECONNRESET', 1],
		['truncate', 'ERR_BAD_RESPONSE', 1],
	] as const)('%s breaks the connection with %s, and registers %i', async (fault, code, count) => {
		await breakOn(fault);
		await expect(register()).rejects.toMatchObject({ code });
		expect(await registrants()).toBe(count);
	});

	test('hang: no answer until the client leaves, and the platform does not act', async () => {
		await breakOn('hang');
		const leave = new AbortController();
		const outcome = register(leave.signal).catch((error: AxiosError) => error.code);
		while ((await sandbox.requests()).length === 0) await new Promise((r) => setTimeout(r, 5));
		leave.abort();
		expect(await outcome).toBe('ERR_CANCELED');
		expect(await registrants()).toBe(0);
	});

	test('expire-token ends the access token that was presented, for good, and no other', async () => {
		const [one, other] = [await bearer(sandbox), await bearer(sandbox)];
		const ping = async (token: string) => (await getAs(sandbox, token, '/v1/ping')).status;
		await sandbox.faults([{ match: { path: '/v1/ping' }, do: 'expire-token', after: 1 }]);
		expect(await ping(one)).toBe(200);
		expect(await ping(one)).toBe(401);
		expect(await ping(one)).toBe(401);
		expect(await ping(other)).toBe(200);
	});
});
