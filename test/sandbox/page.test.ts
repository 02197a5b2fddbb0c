import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { personOf, sandboxForTests, type TestSandbox, upcomingSession } from '../support/sandbox';

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

	test('is pressed by the page alone', async () => {
		const headers = { Origin: 'http://elsewhere.example' };
		expect((await sandbox.web.post('/_sandbox/try/reset', {}, { headers })).status).toBe(403);
	});
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
