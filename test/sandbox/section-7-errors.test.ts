import { personOf, sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { bearer, getAs, type Page } from './requests';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const people = `/sessions/${upcomingSession}/people`;
const register = () => sandbox.api.post<unknown>(people, personOf('ada@example.com'));

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

test.each([
	['reset-before', 'ECONNRESET', 0],
	['reset-after', 'ECONNRESET', 1],
	['truncate', 'ERR_BAD_RESPONSE', 1],
] as const)('%s breaks the connection with %s, and registers %i', async (fault, code, count) => {
	await sandbox.faults([{ match: { method: 'POST', path: '/v1/sessions/*' }, do: fault }]);
	await expect(register()).rejects.toMatchObject({ code });
	expect((await sandbox.api.get<Page>(people)).data.meta.record_count).toBe(count);
});
