import { detailOf, openSandbox, type Visitor } from './visitor';

let visitor: Visitor;
let bearer: string;
let accessToken: string;
beforeAll(async () => {
	visitor = await openSandbox();
	bearer = await visitor.bearer();
	accessToken = bearer.slice('Bearer '.length);
});

const read = (authorization?: string) => visitor.as(authorization).get('/v1/events');

test('an API token is sent as it is', async () => {
	expect((await read(visitor.sandbox.apiToken)).status).toBe(200);
});

test('an API token with a prefix is refused, and told why', async () => {
	const answer = await read(`Bearer ${visitor.sandbox.apiToken}`);
	expect(answer.status).toBe(401);
	expect(detailOf(answer)).toMatch(/without "?Bearer/);
});

test('an access token needs its prefix', async () => {
	expect((await read(bearer)).status).toBe(200);
	const answer = await read(accessToken);
	expect(answer.status).toBe(401);
	expect(detailOf(answer)).toContain('Bearer');
});

test.each([
	['nothing', undefined],
	['an empty text', ''],
	['the word alone', 'Bearer'],
	['an unknown API token', 'a guess'],
	['an unknown access token', 'Bearer a guess'],
	['Basic', `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`],
	['two words too many', 'Bearer Bearer x'],
	['something very long', `Bearer ${'x'.repeat(7_000)}`],
])('%s is a 401', async (_, authorization) => {
	const answer = await read(authorization);
	expect(answer.status).toBe(401);
	expect(detailOf(answer)).not.toContain('xxxx');
});

test('clients may send Accept: application/json, application/vnd.api+json or neither', async () => {
	for (const accept of ['application/json', 'application/vnd.api+json', '*/*', '']) {
		const { status } = await visitor.api.get('/v1/events', { headers: { Accept: accept } });
		expect([accept, status]).toEqual([accept, 200]);
	}
});
