import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
interface View {
	blocked: boolean;
	registrations: number;
	access: Record<string, string>;
	limits: { rate: number; monthly: number; used: Array<{ who: string; used: number }> };
	pace: Array<{ answered: number; limited: number; failed: number }>;
	requests: Array<{ method: string; target: string; status: number | null; tokenKind: string }>;
	events: Paged & {
		events: Array<{ id: string; title: string; sessions: Array<Record<string, unknown>> }>;
	};
	jobs: Array<Record<string, unknown>>;
	webhooks: Array<Record<string, unknown>>;
	deliveries: Array<Record<string, unknown>>;
}

const folder = join(__dirname, '../../sandbox/page/public');
const files = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({
		seedEvents: 12,
		seedPeople: 60,
		monthly: 1000,
		webhookSecret: 'whsec-of-the-page',
	});
});
beforeEach(() => sandbox.reset());

const view = async (query = '') => (await sandbox.web.get<View>(`/_sandbox/page${query}`)).data;
const people = async (id: string, page: number | string) =>
	(
		await sandbox.web.get<Paged & { people: Array<{ email: string }> }>(
			`/_sandbox/page/sessions/${id}/people?page=${page}`,
		)
	).data;

test.each(['/', ...files.filter((name) => name !== 'index.html').map((name) => `/page/${name}`)])(
	'%s is served, and may load and run nothing but what is served here',
	async (path) => {
		const { status, headers } = await sandbox.web.get(path);
		expect(status).toBe(200);
		const policy = String(headers['content-security-policy']);
		expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
		expect(policy).toMatch(/frame-ancestors 'none'/);
		expect(policy).not.toMatch(/unsafe|data:|\*|https?:/);
		expect(headers).toMatchObject({
			'x-frame-options': 'DENY',
			'x-content-type-options': 'nosniff',
		});
	},
);

test.each(['/page/register.ts', '/page/..%2fview.ts', '/page/', '/page/page.js/', '/page/public'])(
	'%s is not',
	async (path) => {
		expect((await sandbox.web.get(path)).status).toBe(404);
	},
);

test('everything that the page refers to is on this machine', () => {
	const html = read('index.html');
	const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
		([, address = '']) => address,
	);
	expect(addresses.length).toBeGreaterThan(2);
	for (const address of addresses) expect(files).toContain(address.replace('/page/', ''));
	for (const name of files.filter((one) => one !== 'icon.svg')) {
		expect(read(name).replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
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

test('every element that the script asks for is on the page', () => {
	const ids = files
		.filter((name) => name.endsWith('.js'))
		.flatMap((name) => [...read(name).matchAll(/byId\('([^']+)'\)/g)].map(([, id = '']) => id));
	expect(ids.length).toBeGreaterThan(10);
	for (const id of ids) expect(read('index.html')).toContain(`id="${id}"`);
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

test.each(['99', '-1', 'x', '1e99', '', '%00', 'NaN', '9007199254740993', '[]'])(
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
	expect((await people('nothing', 0)).count).toBe(0);
	expect((await people("' OR 1=1 --", 0)).count).toBe(0);
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

test('a blocked workspace is announced', async () => {
	expect((await view()).blocked).toBe(false);
	await sandbox.web.post('/_sandbox/workspace', { blocked: true });
	expect((await view()).blocked).toBe(true);
});

test('no secret is on it in full', async () => {
	const { data } = await sandbox.web.post<Record<string, string>>('/_sandbox/oauth/issue', {});
	await sandbox.web.get('/v1/ping', {
		headers: { Authorization: `Bearer ${data['access_token']}` },
	});
	await sandbox.web.get('/v1/ping', { headers: { Authorization: 'hush-hush-token' } });
	await sandbox.web.get('/v1/ping?access_token=hush-hush');
	await sandbox.web.get('/oauth/authorize?client_secret=hush-hush');
	await sandbox.web.post('/oauth/token?client_secret=hush-hush&refresh_token=hush-hush');
	const text = JSON.stringify(await view());
	for (const secret of [
		sandbox.apiToken,
		sandbox.clientSecret,
		data['access_token'] ?? '',
		data['refresh_token'] ?? '',
		'whsec',
		'hush-hush',
	]) {
		expect(text).not.toContain(secret);
	}
});
