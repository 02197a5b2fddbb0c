import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { type OAuthRefused, partnerApp, pkce } from './oauthClient';

let sandbox: TestSandbox;
let app: ReturnType<typeof partnerApp>;
beforeAll(async () => {
	sandbox = await sandboxForTests();
	app = partnerApp(sandbox);
});

async function works(accessToken: string): Promise<boolean> {
	const headers = { Authorization: `Bearer ${accessToken}` };
	return (await sandbox.web.get('/v1/ping', { headers })).status === 200;
}

/** What a refused request is known by. */
const refusal = ({ status, data }: { status: number; data: OAuthRefused }) => [status, data.error];

test('the way of n8n leads there too: a form body, with a verifier and the secret', async () => {
	const { verifier, challenge } = pkce();
	const code = await app.code({ code_challenge: challenge, code_challenge_method: 'S256' });
	const { status, data } = await app.exchange(code, { code_verifier: verifier }, 'form');
	expect(status).toBe(200);
	expect(await works(data.access_token)).toBe(true);
});

describe('PKCE', () => {
	const { verifier, challenge } = pkce();
	const s256 = { code_challenge: challenge, code_challenge_method: 'S256' };

	test.each([
		['S256', s256],
		['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
		['plain, which is meant when nothing is said', { code_challenge: verifier }],
	])('%s: the verifier opens, another does not, and none does not', async (_, challenged) => {
		const right = await app.exchange(await app.code(challenged), { code_verifier: verifier });
		expect(right.status).toBe(200);
		const other = verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
		const wrong = await app.exchange(await app.code(challenged), { code_verifier: other });
		expect(refusal(wrong)).toEqual([400, 'invalid_grant']);
		const none = await app.exchange(await app.code(challenged));
		expect(refusal(none)).toEqual([400, 'invalid_grant']);
	});

	test('it is no substitute for the client secret', async () => {
		const proof = { code_verifier: verifier, client_secret: undefined };
		const answer = await app.exchange(await app.code(s256), proof);
		expect(refusal(answer)).toEqual([401, 'invalid_client']);
	});
});

describe('a code', () => {
	test('for another redirect URL is refused', async () => {
		const other = await app.exchange(await app.code(), { redirect_uri: 'https://other.example/' });
		expect(refusal(other)).toEqual([400, 'invalid_grant']);
		expect(other.data.error_description).toContain('redirect_uri');
	});
});

describe('the client', () => {
	test.each([
		['a wrong secret', { client_secret: 'wrong' }],
		['the start of the secret', { client_secret: 'sandbox-secre' }],
		['no secret', { client_secret: undefined }],
		['an empty secret', { client_secret: '' }],
		['another id', { client_id: 'other' }],
		['no id', { client_id: undefined }],
	])('with %s is a 401 invalid_client', async (_, changes) => {
		const code = await app.code();
		const answer = await app.exchange(code, changes);
		expect(refusal(answer)).toEqual([401, 'invalid_client']);
		expect(Object.keys(answer.data)).toEqual(['error', 'error_description']);
		// The code has not suffered.
		expect((await app.exchange(code)).status).toBe(200);
	});
});
