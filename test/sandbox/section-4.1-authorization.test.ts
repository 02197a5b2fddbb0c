import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { partnerApp, pkce } from '../support/partnerApp';
import { getAs } from '../support/requests';

let sandbox: TestSandbox;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	sandbox = await sandboxForTests();
	app = partnerApp(sandbox);
});

/** What a refused request is known by. */
function refusal({ status, data }: { status: number; data: { error?: string } }) {
	return [status, data.error];
}

async function works(accessToken: string): Promise<boolean> {
	return (await getAs(sandbox, `Bearer ${accessToken}`, '/v1/ping')).status === 200;
}

describe('the consent page', () => {
	test('the page names the app, says in words what it may do, and lets the user decide', async () => {
		const { status, data } = await app.page({ state: 'xyz' });
		expect(status).toBe(200);
		expect(data).toMatch(
			/Sandbox Partner App asks for access[\s\S]*register and unregister people[\s\S]*webhooks:write/,
		);
		expect(data).not.toMatch(/admin:|identity:|full:/);
		expect(data).toMatch(/value="deny"[\s\S]*value="allow"/);
	});

	test('Allow leads back to the app with a code', async () => {
		const { origin, pathname, searchParams } = await app.allowed({ state: 'xyz' });
		expect(`${origin}${pathname}`).toBe(sandbox.redirectUri);
		const code = expect.stringMatching(/^[\w-]{43}$/) as string;
		expect(Object.fromEntries(searchParams)).toEqual({ code, state: 'xyz' });
	});

	test('without a state none comes back', async () =>
		expect([...(await app.allowed()).searchParams.keys()]).toEqual(['code']));

	test.each([
		['an unknown app', { client_id: 'other' }, /no app with the client_id other/],
		['another redirect_uri', { redirect_uri: 'https://a.example/' }, /not the one registered/],
		['no scope', { scope: undefined }, /No scope/],
		['other scopes', { scope: 'events:write admin:read' }, /must be the same/],
		['an unknown scope', { scope: 'events:write webhooks:delete' }, /Unknown scope/],
	])('%s is told to the user, and nothing to the app', async (_, changes, words) => {
		const { status, data } = await app.page(changes);
		expect(status).toBe(400);
		expect(data).toMatch(words);
		expect(data).not.toContain('<form');
	});
});

describe('the exchange of a code', () => {
	test('PKCE: the verifier opens, another does not, and none does not', async () => {
		const { verifier, challenge } = pkce();
		const challenged = { code_challenge: challenge, code_challenge_method: 'S256' };
		const exchange = async (code_verifier?: string) =>
			app.exchange(await app.code(challenged), { code_verifier });
		expect((await exchange(verifier)).status).toBe(200);
		expect(refusal(await exchange(pkce().verifier))).toEqual([400, 'invalid_grant']);
		expect(refusal(await exchange())).toEqual([400, 'invalid_grant']);
	});

	test('a code for another redirect URL is refused', async () => {
		const other = await app.exchange(await app.code(), { redirect_uri: 'https://a.example/' });
		expect(refusal(other)).toEqual([400, 'invalid_grant']);
	});

	test.each([
		['a wrong secret', { client_secret: 'wrong' }],
		['no secret', { client_secret: undefined }],
		['another id', { client_id: 'other' }],
	])('a client with %s is a 401 invalid_client', async (_, changes) => {
		const answer = await app.exchange(await app.code(), changes);
		expect(refusal(answer)).toEqual([401, 'invalid_client']);
	});
});

describe('the refresh', () => {
	test('a refresh gives a new access token and, without rotation, the same refresh token', async () => {
		const { data: first } = await app.exchange(await app.code());
		const { data } = await app.refresh(first.refresh_token);
		expect(Object.keys(data).sort()).toEqual(Object.keys(first).sort());
		expect(data.access_token).not.toBe(first.access_token);
		expect(data.refresh_token).toBe(first.refresh_token);
		expect(await works(data.access_token)).toBe(true);
		expect((await app.refresh(first.refresh_token)).status).toBe(200);
	});

	test('with rotation the old refresh token stops working at once', async () => {
		const rotating = partnerApp(await sandboxForTests({ rotateRefresh: true }));
		const { data: first } = await rotating.exchange(await rotating.code());
		const { data: second } = await rotating.refresh(first.refresh_token);
		expect(second.refresh_token).not.toBe(first.refresh_token);
		expect(refusal(await rotating.refresh(first.refresh_token))).toEqual([400, 'invalid_grant']);
		expect((await rotating.refresh(second.refresh_token)).status).toBe(200);
	});

	test.each([
		['refresh_token', undefined, 400, 'invalid_request'],
		['refresh_token', 'a guess', 400, 'invalid_grant'],
		['client_secret', 'a guess', 401, 'invalid_client'],
	])('a refresh with %s %s is refused with %i %s', async (name, value, status, error) => {
		const { data } = await app.exchange(await app.code());
		const answer = await app.refresh(data.refresh_token, { [name]: value });
		expect(refusal(answer)).toEqual([status, error]);
	});
});
