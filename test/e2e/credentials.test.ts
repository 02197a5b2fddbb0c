import { connect, isConnected } from '../../host/connect';
import type { SavedCredential } from '../../host/editor';
import { execute } from '../../host/execution';
import { freePort } from '../../host/ports';
import { ensureCredential, oAuthType, tokenType, verdictOn, works } from '../../host/provision';
import { openN8n, type OpenN8n } from '../support/browser/editor';
import { registered } from '../support/platform/registrants';
import { upcomingSession } from '../support/platform/seededIds';
import { eventPlatform, manual, saved, workflowOf } from '../support/n8n/workflows';
import { byId } from '../support/n8n/locators';

let tested: OpenN8n['tested'];
let sandbox: OpenN8n['sandbox'];
let oAuth: SavedCredential;
let readPeople: string;

beforeAll(async () => {
	({ tested, sandbox } = await openN8n({ sandbox: { rotateRefresh: true, seedPeople: 400 } }));
	oAuth = await credential('OAuth on the wire', oAuthType);
	const parameters = { resource: 'session', operation: 'getPeople', returnAll: true };
	const getPeople = { ...parameters, sessionId: byId(upcomingSession) };
	const everybody = eventPlatform('People', oAuth, getPeople);
	readPeople = await saved(tested.editor, workflowOf('Read everybody', manual, everybody));
});

/** Everything that either kind of credential may have, and what the test says. */
function credential(name: string, type: string, more: Record<string, string> = {}) {
	const { baseUrl, authServerUrl, clientId, clientSecret, apiToken } = sandbox;
	const ofType = type === tokenType ? { apiToken } : { authServerUrl, clientId, clientSecret };
	const data = { baseUrl, ...ofType, ...more };
	return ensureCredential(tested.editor, { name, type, data });
}

describe('OAuth', () => {
	test('n8n asks for exactly the scopes of the credential, with a state and an S256 challenge', async () => {
		const url = new URL(
			await tested.editor.get<string>(`/rest/oauth2-credential/auth?id=${oAuth.id}`),
		);
		expect(`${url.origin}${url.pathname}`).toBe(`${sandbox.authServerUrl}/oauth/authorize`);
		expect(Object.fromEntries(url.searchParams)).toMatchObject({
			scope: 'events:write webhooks:write',
			response_type: 'code',
			redirect_uri: tested.redirectUri,
			code_challenge_method: 'S256',
			code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
			state: expect.stringMatching(/^.{20,}$/) as string,
		});
	});

	test('the code is exchanged in a form, with the verifier and the client secret', async () => {
		await connect(tested.editor, oAuth.id);
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
		expect(await works(tested.editor, oAuth)).toBe(true);
	});

	test('an expired token is refreshed once, however many pages are on their way', async () => {
		const all = await registered(sandbox);
		for (const expiry of [1, 2, 3]) {
			await sandbox.faults([
				{ match: { method: 'GET', path: '/v1/sessions/:id/people' }, do: 'expire-token' },
			]);
			const execution = await execute(tested.editor, readPeople, 'Start');
			expect(execution.error).toBeUndefined();
			expect(execution.output('People')).toHaveLength(all.length);
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

		await connect(tested.editor, oAuth.id);
		expect(await isConnected(tested.editor, oAuth.id)).toBe(true);
		expect((await execute(tested.editor, readPeople, 'Start')).status).toBe('success');
	});

	test('scopes that the app is not configured for are refused before anybody consents', async () => {
		const tooMuch = await credential('Too much', oAuthType, { access: 'full' });
		await expect(connect(tested.editor, tooMuch.id)).rejects.toThrow(
			'asks for full:write, but is configured for events:write webhooks:write',
		);
		expect(await isConnected(tested.editor, tooMuch.id)).toBe(false);
	});
});

describe('n8n’s test of a credential', () => {
	let token: SavedCredential;
	beforeAll(async () => (token = await credential('Token', tokenType)));

	test('passes with a good token, and with a connected OAuth2 credential', async () => {
		expect(await verdictOn(tested.editor, token)).toMatchObject({ status: 'OK' });
		expect(await verdictOn(tested.editor, oAuth)).toMatchObject({ status: 'OK' });
	});

	test('names what is wrong with a token or its address', async () => {
		const nowhere = `http://localhost:${await freePort()}`;
		for (const [wrong, why] of [
			[{ apiToken: 'wrong' }, 'does not accept the token (401)'],
			[{ baseUrl: tested.n8n.url }, 'Something other than Livestorm answers'],
			[{ baseUrl: nowhere }, 'ECONNREFUSED'],
			[{ baseUrl: 'platform' }, 'ERR_INVALID_URL'],
		] as const) {
			const { status, message } = await verdictOn(tested.editor, token, wrong);
			expect(status).toBe('Error');
			expect(message).toContain(why);
		}
	});

	test('takes no other server for the platform with OAuth2 either', async () => {
		const { status, message } = await verdictOn(tested.editor, oAuth, { baseUrl: tested.n8n.url });
		expect(status).toBe('Error');
		expect(message).toContain('Something other than Livestorm answers');
	});
});

async function tokenRequests(grantType: string) {
	const requests = await sandbox.requests();
	return requests.filter(
		({ path, oauth }) => path === '/oauth/token' && oauth?.grantType === grantType,
	);
}
