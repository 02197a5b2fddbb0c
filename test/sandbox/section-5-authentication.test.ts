import type { AxiosInstance } from 'axios';
import { visit } from './browser';
import { partnerApp, pkce } from './oauthClient';
import { detailOf, openSandbox, type Visitor } from './visitor';

describe('5.1 schemes', () => {
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
});

describe('5.2 flow', () => {
	let visitor: Visitor;
	let app: ReturnType<typeof partnerApp>;
	beforeAll(async () => {
		visitor = await openSandbox();
		app = partnerApp(visitor.sandbox);
	});

	test('the app may refresh before the expiry, again and again', async () => {
		const { data: first } = await app.exchange(await app.code());
		let refreshToken = first.refresh_token;
		const accessTokens = new Set([first.access_token]);
		for (let i = 0; i < 3; i += 1) {
			const { data } = await app.refresh(refreshToken);
			refreshToken = data.refresh_token;
			accessTokens.add(data.access_token);
			expect((await visitor.as(`Bearer ${data.access_token}`).get('/v1/ping')).status).toBe(200);
		}
		expect(accessTokens.size).toBe(4);
	});

	test('PKCE and state are accepted, together and apart', async () => {
		const challenge = { code_challenge: pkce().challenge, code_challenge_method: 'S256' };
		for (const asked of [{}, challenge, { state: 'opaque' }, { ...challenge, state: 'opaque' }]) {
			const page = await visit(app.authorizeUrl(asked));
			expect([asked, page.form?.decisions]).toEqual([asked, ['deny', 'allow']]);
		}
	});
});

describe('5.3 scopes', () => {
	// Hundreds of requests, on a machine that may be busy.
	const names = ['full', 'identity', 'events', 'admin', 'webhooks'].flatMap((area) => [
		`${area}:read`,
		`${area}:write`,
	]);

	/** What section 5.3 opens to each scope, of the operations that a stranger can try without harm. */
	const areas: Record<string, string[]> = {
		identity: ['GET /v1/me', 'GET /v1/organization'],
		events: [
			'GET /v1/events',
			'GET /v1/sessions',
			'GET /v1/people',
			'GET /v1/people_attributes',
			'GET /v1/events/none/people',
			'GET /v1/sessions/none/people',
			'GET /v1/jobs/none',
			'POST /v1/events',
			'DELETE /v1/events/none',
			'POST /v1/sessions/none/people',
			'POST /v1/sessions/none/people/bulk',
			'PATCH /v1/sessions/none',
		],
		admin: ['GET /v1/users', 'GET /v1/organization', 'POST /v1/users', 'DELETE /v1/users/none'],
		webhooks: ['GET /v1/webhooks', 'POST /v1/webhooks', 'DELETE /v1/webhooks/none'],
	};
	const requests = [...new Set(Object.values(areas).flat())];

	function isOpen(scope: string, request: string): boolean {
		const [area = '', access] = scope.split(':');
		const listed = area === 'full' ? requests : (areas[area] ?? []);
		return listed.includes(request) && (access === 'write' || request.startsWith('GET '));
	}

	let visitor: Visitor;
	beforeAll(async () => {
		visitor = await openSandbox();
	});

	/** Whether the scope let the request through to whatever came next. */
	async function opens(api: AxiosInstance, request: string): Promise<boolean> {
		const [method, url] = request.split(' ');
		const answer = await api.request({ method, url });
		if (answer.status !== 403) return true;
		expect(detailOf(answer)).toMatch(/scope/);
		return false;
	}

	test.each(names)('%s opens what section 5.3 says, and nothing else', async (scope) => {
		const api = visitor.as(await visitor.bearer(scope));
		for (const request of requests) {
			expect([request, await opens(api, request)]).toEqual([request, isOpen(scope, request)]);
		}
	});

	describe('at the consent page', () => {
		test.each([
			'full:write',
			'full:read',
			'full:read events:write admin:write',
			'identity:read events:write',
			'events:read events:write',
		])('an app may be configured for %s', async (scope) => {
			const { sandbox } = await openSandbox({ scope });
			const page = await visit(partnerApp(sandbox).authorizeUrl());
			expect([page.status, page.form?.decisions]).toEqual([200, ['deny', 'allow']]);
		});

		test.each([
			'full:write events:read',
			'full:write full:read',
			'full:read events:read',
			'cats:pet',
		])('%s fails before the eyes of the user', async (scope) => {
			const { sandbox } = await openSandbox({ scope });
			const page = await visit(partnerApp(sandbox).authorizeUrl());
			expect([page.status, page.sentTo, page.form]).toEqual([400, undefined, undefined]);
		});
	});
});
