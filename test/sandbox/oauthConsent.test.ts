import { request } from 'node:http';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';
import { press, visit } from './browser';
import { partnerApp } from './oauthClient';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests();
});

/** The address that an app sends the user to, with `rest` as it is. */
function authorizeUrl(changes: Record<string, string | undefined> = {}, rest = ''): string {
	return `${partnerApp(sandbox).authorizeUrl(changes).href}${rest}`;
}

test('the page names the app, says in words what it may do, and lets the user decide', async () => {
	const page = await visit(authorizeUrl({ state: 'xyz' }));
	expect(page.status).toBe(200);
	expect(page.headers['content-type']).toMatch(/^text\/html/);
	expect(page.html).toMatch(/Sandbox Partner App asks for access/);
	expect(page.html).toMatch(/register and unregister people/);
	expect(page.html).toMatch(/events:write/);
	expect(page.html).toMatch(/webhooks:write/);
	expect(page.html).not.toMatch(/admin:|identity:|full:/);
	expect(page.form?.decisions).toEqual(['deny', 'allow']);
});

test('Allow leads back to the app with a code', async () => {
	const { status, sentTo } = await press(await visit(authorizeUrl({ state: 'xyz' })), 'allow');
	expect(status).toBe(302);
	expect(`${sentTo?.origin}${sentTo?.pathname}`).toBe(sandbox.redirectUri);
	expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code', 'state']);
	expect(sentTo?.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
	expect(sentTo?.searchParams.get('state')).toBe('xyz');
});

test('without a state none comes back', async () => {
	const { sentTo } = await press(await visit(authorizeUrl()), 'allow');
	expect([...(sentTo?.searchParams.keys() ?? [])]).toEqual(['code']);
	const { sentTo: empty } = await press(await visit(authorizeUrl({}, '&state=')), 'allow');
	expect(empty?.searchParams.has('state')).toBe(false);
});

/** A form sent with the headers that one likes, and the answer's headers as they came. */
function raw(
	url: URL | undefined,
	{ body = '', cookie = '' }: { body?: string; cookie?: string },
): Promise<{ status: number; headers: Record<string, string | undefined>; text: string }> {
	return new Promise((answered, failed) => {
		const headers = {
			'content-type': 'application/x-www-form-urlencoded',
			'content-length': body.length,
			...(cookie ? { cookie } : {}),
		};
		request(url ?? '', { method: 'POST', headers }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
			response.on('end', () =>
				answered({
					status: response.statusCode ?? 0,
					headers: response.headers as Record<string, string | undefined>,
					text,
				}),
			);
		})
			.on('error', failed)
			.end(body);
	});
}

describe('what the user is told, because the app cannot be trusted with an answer', () => {
	test.each([
		['no client_id', { client_id: undefined }, /client_id is missing/],
		['an unknown app', { client_id: 'other' }, /no app with the client_id other/],
		['no redirect_uri', { redirect_uri: undefined }, /redirect_uri is missing/],
		[
			'another redirect_uri',
			{ redirect_uri: 'https://attacker.example/' },
			/not the one registered/,
		],
		['no scope', { scope: undefined }, /No scope/],
		['fewer scopes', { scope: 'events:write' }, /must be the same/],
		['more scopes', { scope: 'events:write webhooks:write admin:read' }, /must be the same/],
		['another scope', { scope: 'events:read webhooks:write' }, /must be the same/],
		['an unknown scope', { scope: 'events:write webhooks:delete' }, /Unknown scope/],
		['a forbidden combination', { scope: 'full:write events:write' }, /cannot be combined/],
		['another one', { scope: 'full:read events:read' }, /individual write scopes/],
	])('%s', async (_, changes, words) => {
		const page = await visit(authorizeUrl({ state: 'xyz', ...changes }));
		expect(page.status).toBe(400);
		expect(page.sentTo).toBeUndefined();
		expect(page.html).toMatch(words);
		expect(page.form).toBeUndefined();
		expect(page.headers['x-frame-options']).toBe('DENY');
	});
});

describe('a decision counts only from the page it was made on', () => {
	test.each([
		['without the hidden field', { csrf: '' }, true],
		['with a made-up field', { csrf: 'AAAA' }, true],
		['without the cookie', {}, false],
	])('%s', async (_, hidden, withCookie) => {
		const { form } = await visit(authorizeUrl());
		const { status, headers } = await raw(form?.action, {
			cookie: withCookie ? form?.cookie : undefined,
			body: new URLSearchParams({ ...form?.hidden, ...hidden, decision: 'allow' }).toString(),
		});
		expect(status).toBe(403);
		expect(headers.location).toBeUndefined();
	});
});
