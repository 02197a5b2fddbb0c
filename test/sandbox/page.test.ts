import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LoggedRequest } from '../../sandbox/access/requestLog';
import { maskUrl } from '../../sandbox/page/mask';
import { paceOf } from '../../sandbox/page/pace';
import {
	bulkOf,
	personOf,
	sandboxForTests,
	seededEvent,
	type TestSandbox,
	upcomingSession,
} from '../support/sandbox';

interface Paged {
	page: number;
	pages: number;
	count: number;
}
type Rows = Array<Record<string, unknown>>;
interface View {
	cockpit: { on: Array<{ id: string }>; faults: number };
	limits: { used: Array<{ who: string; used: number }> };
	pace: Array<{ answered: number; limited: number; failed: number }>;
	requests: Rows;
	events: Paged & { events: Array<{ id: string; title: string; sessions: Rows }> };
	jobs: Rows;
	webhooks: Rows;
	deliveries: Rows;
}

const folder = join(__dirname, '../../sandbox/page/public');
const files = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

let sandbox: TestSandbox;
beforeAll(async () => {
	const webhookSecret = 'whsec-of-the-page';
	sandbox = await sandboxForTests({ seedEvents: 12, seedPeople: 60, monthly: 1000, webhookSecret });
});
beforeEach(() => sandbox.reset());

const view = async (query = '') => (await sandbox.web.get<View>(`/_sandbox/page${query}`)).data;
const people = async (id: string, page: number | string) => {
	const path = `/_sandbox/page/sessions/${id}/people?page=${page}`;
	return (await sandbox.web.get<Paged & { people: Array<{ email: string }> }>(path)).data;
};
const press = async (button: string, body: object = {}) =>
	sandbox.web.post<{ said?: string }>(`/_sandbox/try/${button}`, body);

test('every file of the page is served, and may load and run nothing but what is served here', async () => {
	for (const path of [
		'/',
		...files.filter((name) => name !== 'index.html').map((name) => `/page/${name}`),
	]) {
		const { status, headers } = await sandbox.web.get(path);
		expect([path, status]).toEqual([path, 200]);
		const policy = String(headers['content-security-policy']);
		expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
		expect(policy).toMatch(/frame-ancestors 'none'/);
		expect(policy).not.toMatch(/unsafe|data:|\*|https?:/);
	}
	for (const path of ['/page/routes.ts', '/page/..%2fview.ts', '/page/']) {
		expect((await sandbox.web.get(path)).status).toBe(404);
	}
});

test('nothing on the page turns text into markup or code', () => {
	expect(read('index.html')).not.toMatch(/<style|<script(?! type="module" src)|\son\w+=|\sstyle=/);
	for (const name of files.filter((one) => one.endsWith('.js'))) {
		expect(read(name)).not.toMatch(
			/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|srcdoc|javascript:/,
		);
	}
});

test('the credentials of the sandbox are there in full, and no other secret is', async () => {
	const { data: page } = await sandbox.web.get<string>('/', { headers: { Host: 'localhost' } });
	for (const own of [sandbox.apiToken, sandbox.clientSecret, 'http://localhost'])
		expect(page).toContain(`data-copy="${own}"`);
	const { data } = await sandbox.web.post<Record<string, string>>('/_sandbox/oauth/issue', {});
	const { access_token: access = '', refresh_token: refresh = '' } = data;
	await sandbox.web.get('/v1/ping', { headers: { Authorization: `Bearer ${access}` } });
	await sandbox.web.get('/v1/ping', { headers: { Authorization: 'hush-hush-token' } });
	await sandbox.web.get('/v1/ping?access_token=hush-hush');
	await sandbox.web.post('/oauth/token?client_secret=hush-hush&refresh_token=hush-hush');
	const text = JSON.stringify(await view());
	for (const secret of [access, refresh, 'whsec', 'hush-hush']) expect(text).not.toContain(secret);
});

describe('the cockpit', () => {
	test('lets somebody register, and starts and ends sessions', async () => {
		expect((await press('register')).data.said).toMatch(
			/^visitor-\d+@example.net is registered for /,
		);
		expect((await people(upcomingSession, 0)).people[0]?.email).toMatch(/^visitor-/);
		expect((await press('start')).data.said).toBe('Product Tour: Autumn Release, Europe is live.');
		for (let live = 3; live > 0; live--)
			expect((await press('end')).data.said).toMatch(/ has ended\.$/);
		expect((await press('end')).status).toBe(409);
	});

	test.each([
		['down', 503],
		['month', 429],
		['blocked', 403],
	])('is %s until it is turned off: %i', async (button, status) => {
		await press(button, { on: true });
		expect((await view()).cockpit.on.map(({ id }) => id)).toEqual([button]);
		expect((await sandbox.api.get('/events')).status).toBe(status);
		await press(button, { on: false });
		expect((await sandbox.api.get('/events')).status).toBe(200);
	});

	test('refuses registrations where the allowance is spent, and all of it ends with a reset', async () => {
		for (const button of ['allowance', 'minute', 'slow', 'wild', 'down'])
			await press(button, { on: true });
		expect((await view()).cockpit.on).toHaveLength(5);
		expect(sandbox.platform.options).toMatchObject({
			taskMs: 1200,
			latencyMs: 3000,
			world: 'wild',
		});
		await press('reset');
		expect((await view()).cockpit).toEqual({ on: [], faults: 0 });
		expect(sandbox.platform.options).toMatchObject({
			taskMs: 1,
			latencyMs: 0,
			world: 'specification',
		});
		await press('allowance', { on: true });
		const path = `/sessions/${upcomingSession}/people`;
		expect((await sandbox.api.post(path, personOf('ada@example.com'))).status).toBe(402);
	});

	test('refuses the next requests, and loses the answer to a registration that was made', async () => {
		await press('refuse');
		expect((await view()).cockpit.faults).toBe(20);
		expect((await sandbox.api.get('/events')).status).toBe(429);
		await sandbox.reset();
		await press('lose');
		const path = `/sessions/${upcomingSession}/people`;
		await expect(sandbox.api.post(path, personOf('ada@example.com'))).rejects.toThrow();
		expect((await people(upcomingSession, 0)).people[0]?.email).toBe('ada@example.com');
	});

	test('has no other buttons, and takes no other words', async () => {
		expect((await press('constructor')).status).toBe(404);
		expect((await press('down', { on: 'yes' })).status).toBe(400);
	});

	test('is pressed by the page alone', async () => {
		const headers = { Origin: 'http://elsewhere.example' };
		expect((await sandbox.web.post('/_sandbox/try/reset', {}, { headers })).status).toBe(403);
	});
});

test('it shows events, newest first, with their sessions, page by page', async () => {
	const { events } = await view();
	expect(events).toMatchObject({ page: 0, pages: 2, count: 12 });
	expect(events.events).toHaveLength(8);
	const next = (await view('?events=1')).events;
	expect(next.events).toHaveLength(4);
	const event = next.events.find(({ id }) => id === seededEvent);
	expect(event?.sessions[0]).toMatchObject({ id: upcomingSession, status: 'upcoming' });
});

test.each(['99', '-1', 'x', '9007199254740993'])(
	'the page number %p leads to a page that is there',
	async (number) => {
		const { page } = (await view(`?events=${number}`)).events;
		expect([0, 1]).toContain(page);
		const shown = await people(upcomingSession, number);
		expect(shown.page).toBeLessThan(shown.pages);
		expect(shown.people.length).toBeGreaterThan(0);
	},
);

test('it shows who is registered for a session, the latest first, without what logs them in', async () => {
	const emails = Array.from({ length: 45 }, (_, n) => `guest-${n}@example.com`);
	const before = (await people(upcomingSession, 0)).count;
	const { data } = await sandbox.api.post<{ id: string }>(
		`/sessions/${upcomingSession}/people/bulk`,
		bulkOf(emails),
	);
	await sandbox.jobEnd(data.id);
	const first = await people(upcomingSession, 0);
	expect(first.count).toBe(before + 45);
	expect(first.people).toHaveLength(20);
	expect(first.people[0]?.email).toBe('guest-44@example.com');
	const second = await people(upcomingSession, 1);
	expect(second.people[0]?.email).toBe('guest-24@example.com');
	expect(JSON.stringify([first, second])).not.toMatch(/password_key|connection_link/);
});

test('it shows jobs with how far they are', async () => {
	const { data } = await sandbox.api.post<{ id: string }>(
		`/sessions/${upcomingSession}/people/bulk`,
		bulkOf(['ada@example.com', 'nonsense']),
	);
	await sandbox.jobEnd(data.id);
	expect((await view()).jobs).toEqual([
		expect.objectContaining({
			id: data.id,
			status: 'failed',
			total_items: 2,
			total_processed_items: 2,
			total_success: 1,
			total_fail: 1,
		}),
	]);
});

test('it shows subscriptions and deliveries, the addresses shortened', async () => {
	const url = 'http://127.0.0.1:1/webhook/3f2a8c1e-aaaa-bbbb-cccc-1234567890ab/hook?key=hush';
	await sandbox.api.post('/webhooks', {
		data: { type: 'webhooks', attributes: { url, event: 'people.registered' } },
	});
	await sandbox.api.post(`/sessions/${upcomingSession}/people`, personOf('ada@example.com'));
	const { webhooks, deliveries } = await view();
	expect(webhooks).toMatchObject([
		{ event: 'people.registered', url: 'http://127.0.0.1:1/webhook/3f2a…/hook?…' },
	]);
	expect(deliveries).toMatchObject([{ event: 'people.registered', url: webhooks[0]?.['url'] }]);
});

test('it shows the latest requests, the month and the pace', async () => {
	await sandbox.api.get('/events', { params: { 'page[size]': 3 } });
	await sandbox.api.get('/jobs/nothing');
	const { requests, limits, pace } = await view();
	expect(requests).toMatchObject([
		{ method: 'GET', target: '/v1/jobs/nothing', status: 404, tokenKind: 'api_token' },
		{ method: 'GET', target: '/v1/events?page[size]=3', status: 200 },
	]);
	expect(limits.used).toEqual([{ who: 'API token', used: 2 }]);
	expect(pace).toHaveLength(60);
	const sum = (kind: 'answered' | 'failed') => pace.reduce((all, one) => all + one[kind], 0);
	expect([sum('answered'), sum('failed')]).toEqual([1, 1]);
});

test('the pace counts what arrived in each of the last sixty seconds', () => {
	const at = (time: number, status: number | null, durationMs: number | null = 1) =>
		({ time, status, durationMs }) as LoggedRequest;
	const pace = paceOf(
		[
			at(100_900, null, null), // still being answered
			at(100_400, 200),
			at(100_000, 429),
			at(99_999, 500),
			at(99_000, null), // the connection broke
			at(41_000, 207),
			at(40_999, 200), // too long ago
		],
		100_950,
	);
	expect(pace).toHaveLength(60);
	expect(pace.at(-1)).toEqual({ answered: 2, limited: 1, failed: 0 });
	expect(pace.at(-2)).toEqual({ answered: 0, limited: 0, failed: 2 });
	expect(pace.at(0)).toEqual({ answered: 1, limited: 0, failed: 0 });
	const counts = pace.map(({ answered, limited, failed }) => answered + limited + failed);
	expect(counts.reduce((sum, count) => sum + count)).toBe(6);
});

test('of an address with long parts, where it leads stays readable', () => {
	const url = 'https://user:hush@example.com/T01/abcdefghijklmnopqrstuvwx';
	expect(maskUrl(url)).toBe('https://example.com/T01/abcd…');
});
