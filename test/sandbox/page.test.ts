import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandboxForTests, type TestSandbox } from '../support/sandbox';

const folder = join(__dirname, '../../sandbox/page/public');
const files = readdirSync(folder);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await sandboxForTests({ webhookSecret: 'whsec-of-the-page' });
});

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
	const text = JSON.stringify((await sandbox.web.get<unknown>('/_sandbox/page')).data);
	for (const secret of [access, refresh, 'whsec', 'hush-hush']) expect(text).not.toContain(secret);
});
