import { lastScreenshot, openPage, picture, type TestedBrowser } from '../support/browser';
import { openReceiver } from '../support/receiver';
import {
	bulkOf,
	sandboxForTests,
	seededEvent,
	upcomingSession,
	type TestSandbox,
} from '../support/sandbox';

jest.setTimeout(120_000);

let sandbox: TestSandbox;
let browser: TestedBrowser;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
	receiver = await openReceiver();
	sandbox = await sandboxForTests({ seedPeople: 300, taskMs: 60, rate: 5, monthly: 10_000 });
	browser = await openPage();
	await browser.page.goto(sandbox.baseUrl);
});

afterEach(() => lastScreenshot(browser.page, expect.getState().currentTestName));

afterAll(async () => {
	await browser?.close();
	await receiver?.close();
});

test('the page shows jobs and deliveries as they proceed, without being loaded again', async () => {
	const { page } = browser;
	await page.getByRole('heading', { name: 'Jobs' }).waitFor();
	const webhook = { type: 'webhooks', attributes: { url: receiver.url, event: 'job.ended' } };
	await sandbox.api.post('/webhooks', { data: webhook });
	await register(50, 'example.org');
	await page.getByText('50 of 50 people').waitFor();
	await page.getByText('delivered', { exact: true }).waitFor();
	expect(receiver.deliveries).toHaveLength(1);

	// As someone would who is allowed five requests per second.
	for (let request = 0; request < 15; request++) {
		await sandbox.api.get('/ping');
		await new Promise((done) => setTimeout(done, 200));
	}
	await register(50, 'example.com');
	await page.getByText('processing').first().waitFor();
	await picture(page, 'sandbox');
	await page.getByText('50 of 50 people').nth(1).waitFor();
});

function register(count: number, domain: string) {
	const emails = Array.from({ length: count }, (_, index) => `person${index + 1}@${domain}`);
	return sandbox.api.post(`/sessions/${upcomingSession}/people/bulk`, bulkOf(emails));
}

test('what people write stays text', async () => {
	const { page } = browser;
	const title = '<img src=x onerror="document.title=1"><b>Bold</b>';
	const change = { data: { type: 'events', attributes: { title } } };
	const { status } = await sandbox.api.patch(`/events/${seededEvent}`, change);
	expect(status).toBe(200);

	await page.getByText(title).first().waitFor();
	expect(await page.title()).not.toBe('1');
});

test('the page shows no secret whole, and its scripts do not fail', async () => {
	const text = await browser.page.innerText('body');
	for (const secret of [sandbox.apiToken, sandbox.clientSecret]) expect(text).not.toContain(secret);
	expect(browser.errors).toEqual([]);
});
