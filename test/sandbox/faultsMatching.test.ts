import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { statuses } from './asking';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});
beforeEach(() => sandbox.reset());

const ask = (count: number, path?: string, method?: string) =>
	statuses(sandbox, count, path, method);

const left = async () => (await sandbox.web.get<unknown[]>('/_sandbox/faults')).data;

test('a fault happens once, to the request that it names, and to no other', async () => {
	await sandbox.faults([{ match: { method: 'GET', path: '/v1/ping' }, do: '500' }]);
	expect(await ask(1, '/events')).toEqual([200]);
	expect(await ask(1, '/ping', 'POST')).toEqual([404]);
	expect(await ask(3)).toEqual([500, 200, 200]);
});

test('as often as it was asked for, after as many as it shall let pass', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: '500', after: 2, times: 3 }]);
	expect(await ask(7)).toEqual([200, 200, 500, 500, 500, 200, 200]);
});

test('several faults on one path follow each other', async () => {
	await sandbox.faults([
		{ match: { path: '/v1/ping' }, do: '429', times: 2 },
		{ match: { path: '/v1/ping' }, do: 'html-502' },
		{ match: { path: '/v1/ping' }, do: 'reset-before' },
	]);
	expect(await ask(5)).toEqual([429, 429, 502, 'ECONNRESET', 200]);
});

test.each([
	['/v1/sessions/:id/people', '/sessions/abc/people', true],
	['/v1/sessions/:id/people', '/sessions/abc/people/def', false],
	['/v1/sessions/:id/people', '/sessions//people', false],
	['/v1/sessions*', '/sessions/abc/people', true],
	['/v1/*/people', '/sessions/abc/people', true],
	['/v1/events', '/events?page[number]=3', true],
	['/v1/event', '/events', false],
	['/v1/event.', '/events', false],
	['/v1/(events|people)', '/events', false],
	['*', '/events', false],
])('the pattern %s and the request %s', async (pattern, path, matches) => {
	const match = { path: pattern.startsWith('/') ? pattern : `/nowhere${pattern}` };
	await sandbox.faults([{ match, do: 'html-502' }]);
	expect((await ask(1, path))[0] === 502).toBe(matches);
});

test('a fault can name one page of a list', async () => {
	await sandbox.faults([
		{ match: { path: '/v1/events', query: { 'page[number]': '1' } }, do: '500' },
	]);
	expect(await ask(1, '/events?page[number]=0&page[size]=1')).toEqual([200]);
	expect(await ask(2, '/events?page[number]=1&page[size]=1')).toEqual([500, 200]);
});

test('the token endpoint can fail too', async () => {
	await sandbox.faults([{ match: { method: 'POST', path: '/oauth/token' }, do: '500' }]);
	expect((await sandbox.web.post('/oauth/token?grant_type=x')).status).toBe(500);
	expect((await sandbox.web.post('/oauth/token?grant_type=x')).status).toBe(401);
});

test('the control paths themselves never fail', async () => {
	await sandbox.faults([{ match: { path: '/*' }, do: '500', times: 9 }]);
	expect((await sandbox.web.get('/_sandbox/faults')).status).toBe(200);
	expect((await sandbox.web.get('/')).status).toBe(200);
	expect(await ask(1)).toEqual([500]);
});

test('what is left is shown, and can be cleared', async () => {
	const match = { path: '/v1/ping' };
	await sandbox.faults([{ match, do: '500', times: 3, after: 1 }]);
	await ask(2);
	expect(await left()).toEqual([{ match, do: '500', times: 2, after: 0 }]);
	expect((await sandbox.web.delete('/_sandbox/faults')).status).toBe(204);
	expect(await left()).toEqual([]);
	expect(await ask(1)).toEqual([200]);
});

test('requests that come at once share the faults exactly', async () => {
	await sandbox.faults([{ match: { path: '/v1/ping' }, do: '500', after: 10, times: 15 }]);
	const answers = await Promise.all(Array.from({ length: 40 }, () => sandbox.api.get('/ping')));
	expect(answers.filter(({ status }) => status === 500)).toHaveLength(15);
	expect(await left()).toEqual([]);
});

test.each([
	['not an array', { match: { path: '/' }, do: '500' }],
	['no match', [{ do: '500' }]],
	['no path', [{ match: {}, do: '500' }]],
	['a relative path', [{ match: { path: 'v1' }, do: '500' }]],
	['an unknown deed', [{ match: { path: '/' }, do: 'explode' }]],
	['a misspelt key', [{ match: { path: '/' }, do: '500', time: 2 }]],
	['never', [{ match: { path: '/' }, do: '500', times: 0 }]],
	['half a time', [{ match: { path: '/' }, do: '500', times: 0.5 }]],
	['a text for a number', [{ match: { path: '/' }, do: '500', times: '2' }]],
	['a negative wait', [{ match: { path: '/' }, do: '429', retryAfter: -1 }]],
	['an unknown method', [{ match: { path: '/', method: 'BREW' }, do: '500' }]],
	['one good and one bad', [{ match: { path: '/v1/ping' }, do: '500' }, {}]],
])('%s is refused as a whole', async (_, body) => {
	const { status, data } = await sandbox.web.post<unknown>('/_sandbox/faults', body);
	expect(status).toBe(400);
	expect(data).toMatchObject({ errors: [{ detail: expect.stringMatching(/faults/) as string }] });
	expect(await left()).toEqual([]);
});
