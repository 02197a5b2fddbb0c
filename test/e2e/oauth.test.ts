import { connect, isConnected } from '../../host/connect';
import type { SavedCredential } from '../../host/editor';
import { execute } from '../../host/execution';
import { freePort } from '../../host/ports';
import { ensureCredential, oAuthType, works } from '../../host/provision';
import { redirectUriOf, startTestedN8n, type TestedN8n } from '../support/n8n';
import { sandboxForTests, upcomingSession, type TestSandbox } from '../support/sandbox';
import { eventPlatform, manual, workflowOf } from '../support/workflows';

jest.setTimeout(120_000);

let tested: TestedN8n;
let sandbox: TestSandbox;
let credential: SavedCredential;
let readPeople: string;

beforeAll(async () => {
	const port = await freePort();
	sandbox = await sandboxForTests({
		redirectUri: redirectUriOf(port),
		rotateRefresh: true,
		seedPeople: 400,
	});
	tested = await startTestedN8n({ port });
	credential = await ensureCredential(tested.editor, {
		name: 'OAuth on the wire',
		type: oAuthType,
		data: {
			baseUrl: sandbox.baseUrl,
			authServerUrl: sandbox.authServerUrl,
			clientId: sandbox.clientId,
			clientSecret: sandbox.clientSecret,
		},
	});
	const workflow = workflowOf(
		'Read everybody',
		manual,
		eventPlatform('People', credential, {
			resource: 'session',
			operation: 'getPeople',
			sessionId: { __rl: true, mode: 'id', value: upcomingSession },
			returnAll: true,
		}),
	);
	readPeople = (await tested.editor.post<{ id: string }>('/rest/workflows', workflow)).id;
});

afterAll(() => tested?.close());

test('n8n asks for exactly the scopes of the credential, with a state and an S256 challenge', async () => {
	const url = new URL(
		await tested.editor.get<string>(`/rest/oauth2-credential/auth?id=${credential.id}`),
	);
	expect(`${url.origin}${url.pathname}`).toBe(`${sandbox.authServerUrl}/oauth/authorize`);
	expect(url.searchParams.get('scope')).toBe('events:write webhooks:write');
	expect(url.searchParams.get('response_type')).toBe('code');
	expect(url.searchParams.get('redirect_uri')).toBe(tested.redirectUri);
	expect(url.searchParams.get('code_challenge_method')).toBe('S256');
	expect(url.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
	expect(url.searchParams.get('state')).toMatch(/^.{20,}$/);
});

test('the code is exchanged in a form, with the verifier and the client secret', async () => {
	await connect(tested.editor, credential.id);
	const [exchange] = await tokenRequests('authorization_code');
	expect(exchange).toMatchObject({ method: 'POST', status: 200, tokenKind: 'none' });
	expect(exchange?.oauth?.inQuery).toEqual([]);
	expect(exchange?.oauth?.inForm.toSorted()).toEqual([
		'client_id',
		'client_secret',
		'code',
		'code_verifier',
		'grant_type',
		'redirect_uri',
	]);
	expect(await works(tested.editor, credential)).toBe(true);
});

test('an expired token is refreshed once, however many pages are on their way', async () => {
	for (const expiry of [1, 2, 3]) {
		await sandbox.faults([
			{ match: { method: 'GET', path: '/v1/sessions/:id/people' }, do: 'expire-token' },
		]);
		const execution = await execute(tested.editor, readPeople, 'Start');
		expect(execution.error).toBeUndefined();
		expect(execution.output('People')).toHaveLength(await registrants());
		// Each refresh gives a new refresh token, which the next one has to use.
		expect(await tokenRequests('refresh_token')).toHaveLength(expiry);
	}
	const [refresh] = await tokenRequests('refresh_token');
	expect(refresh?.oauth?.inForm.toSorted()).toEqual([
		'client_id',
		'client_secret',
		'grant_type',
		'refresh_token',
	]);
});

test('a withdrawn consent says that the credential has to be connected again', async () => {
	await sandbox.web.post('/_sandbox/oauth/revoke', {});
	const execution = await execute(tested.editor, readPeople, 'Start');
	expect(execution.status).toBe('error');
	expect(execution.error).toMatch(/reconnect/i);

	await connect(tested.editor, credential.id);
	expect(await isConnected(tested.editor, credential.id)).toBe(true);
	expect((await execute(tested.editor, readPeople, 'Start')).status).toBe('success');
});

test('scopes that the app is not configured for are refused before anybody consents', async () => {
	const other = await ensureCredential(tested.editor, {
		name: 'Too much',
		type: oAuthType,
		data: {
			baseUrl: sandbox.baseUrl,
			authServerUrl: sandbox.authServerUrl,
			clientId: sandbox.clientId,
			clientSecret: sandbox.clientSecret,
			access: 'full',
		},
	});
	await expect(connect(tested.editor, other.id)).rejects.toThrow(
		'asks for full:write, but is configured for events:write webhooks:write',
	);
	expect(await isConnected(tested.editor, other.id)).toBe(false);
});

async function tokenRequests(grantType: string) {
	const requests = await sandbox.requests();
	return requests.filter(
		({ path, oauth }) => path === '/oauth/token' && oauth?.grantType === grantType,
	);
}

async function registrants() {
	const { data } = await sandbox.api.get<{ meta: { record_count: number } }>(
		`/sessions/${upcomingSession}/people`,
	);
	return data.meta.record_count;
}
