import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createRateLimit } from '../../sandbox/access/rateLimit';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

interface Tokens {
	access_token: string;
	refresh_token: string;
}

const folder = mkdtempSync(join(tmpdir(), 'sandbox-access-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function issue({ web }: TestSandbox): Promise<Tokens> {
	return (await web.post<Tokens>('/_sandbox/oauth/issue', {})).data;
}

const ask = ({ web }: TestSandbox, authorization: string, path = '/v1/ping') =>
	web.get<unknown>(path, { headers: { Authorization: authorization } });

test('no second ever holds more than the limit, and none is refused while there is room', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 8 }),
			fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 }),
			(limit, gaps) => {
				const rate = createRateLimit(limit);
				const accepted: number[] = [];
				let now = 1_000_000;
				for (const gap of gaps) {
					now += gap;
					const inWindow = accepted.filter((time) => time > now - 1000).length;
					const { allowed, remaining, resetAt } = rate.take('token', now);
					expect(allowed).toBe(inWindow < limit);
					if (allowed) accepted.push(now);
					expect(remaining).toBe(limit - accepted.filter((time) => time > now - 1000).length);
					// At the time that is told, one more is let through than now.
					expect(accepted.filter((time) => time > resetAt - 1000).length).toBeLessThan(
						limit - remaining,
					);
				}
			},
		),
	);
});

test('thousands of tokens that came once are forgotten, one that is in use is not', () => {
	const rate = createRateLimit(1);
	for (let index = 0; index < 1000; index++) rate.take(`token-${index}`, 0);
	expect(rate.take('in-use', 5000).allowed).toBe(true);
	for (let index = 0; index < 2000; index++) rate.take(`other-${index}`, 5001);
	expect(rate.take('in-use', 5002).allowed).toBe(false);
});

test('beyond the rate comes 429 with the time to wait, and other tokens are not concerned', async () => {
	const sandbox = await sandboxForTests({ rate: 3, monthly: 100 });
	const first = `Bearer ${(await issue(sandbox)).access_token}`;
	const second = `Bearer ${(await issue(sandbox)).access_token}`;
	const answers = await Promise.all(Array.from({ length: 12 }, () => ask(sandbox, first)));
	const accepted = answers.filter(({ status }) => status === 200);
	const refused = answers.filter(({ status }) => status === 429);
	expect(accepted.length).toBeGreaterThanOrEqual(3);
	expect(refused.length).toBeGreaterThan(0);
	expect(accepted.length + refused.length).toBe(12);
	for (const { headers, data } of refused) {
		expect(headers).toMatchObject({
			'retry-after': '1',
			'ratelimit-interval-limit': '3',
			'ratelimit-interval-remaining': '0',
			'ratelimit-monthly-limit': '100',
			'ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
		});
		expect(data).toMatchObject({ errors: [{ status: '429', code: 'too_many_requests' }] });
	}
	expect((await ask(sandbox, second)).status).toBe(200);
	expect((await ask(sandbox, sandbox.apiToken)).status).toBe(200);
	// What was refused did not count: the month knows the accepted ones only.
	const left = (await ask(sandbox, second)).headers['ratelimit-monthly-remaining'] as string;
	expect(Number(left)).toBe(98);
});

test('a request without a valid token takes nothing from anybody', async () => {
	const sandbox = await sandboxForTests({ rate: 1, monthly: 10 });
	for (let index = 0; index < 5; index++) await ask(sandbox, `Bearer ${sandbox.apiToken}`);
	const { status, headers } = await ask(sandbox, sandbox.apiToken);
	expect(status).toBe(200);
	expect(headers['ratelimit-monthly-remaining']).toBe('9');
});

test('a spent month is a 429 with days to wait, and a refresh does not buy a new one', async () => {
	const sandbox = await sandboxForTests({ monthly: 3 });
	const tokens = await issue(sandbox);
	const bearer = `Bearer ${tokens.access_token}`;
	for (const left of ['2', '1', '0']) {
		expect((await ask(sandbox, bearer)).headers['ratelimit-monthly-remaining']).toBe(left);
	}
	const spent = await ask(sandbox, bearer);
	expect(spent.status).toBe(429);
	const days = Number(spent.headers['retry-after']) / 86_400;
	expect(days).toBeGreaterThan(29.9);
	expect(days).toBeLessThanOrEqual(30);
	expect(spent.data).toMatchObject({
		errors: [{ detail: expect.stringMatching(/All 3 requests of these 30 days/) as string }],
	});
	const { data } = await sandbox.web.post<Tokens>('/oauth/token', undefined, {
		params: {
			grant_type: 'refresh_token',
			client_id: sandbox.clientId,
			client_secret: sandbox.clientSecret,
			refresh_token: tokens.refresh_token,
		},
	});
	expect((await ask(sandbox, `Bearer ${data.access_token}`)).status).toBe(429);
	expect((await ask(sandbox, sandbox.apiToken)).status).toBe(200);
});

test('a restart does not give the month back', async () => {
	const data = join(folder, 'quota.db');
	const before = await sandboxForTests({ monthly: 2, data });
	await ask(before, before.apiToken);
	await ask(before, before.apiToken);
	await before.close();
	const after = await sandboxForTests({ monthly: 2, data });
	expect((await ask(after, after.apiToken)).status).toBe(429);
	await after.reset();
	expect((await ask(after, after.apiToken)).status).toBe(200);
});

test('without limits there are no limits and no headers about them', async () => {
	const sandbox = await sandboxForTests({ rate: 0, monthly: 0 });
	const answers = await Promise.all(
		Array.from({ length: 50 }, () => ask(sandbox, sandbox.apiToken)),
	);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	expect(Object.keys(answers[0]?.headers ?? {}).join()).not.toMatch(/ratelimit/i);
});
