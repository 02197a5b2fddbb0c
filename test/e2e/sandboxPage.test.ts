import { lastSight, openPage, picture, type TestedBrowser } from '../support/browser';
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

beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 300, taskMs: 60, rate: 5, monthly: 10_000 });
	browser = await openPage();
	await browser.page.goto(sandbox.baseUrl);
});

afterEach(() => lastSight(browser.page, expect.getState().currentTestName));

afterAll(() => browser?.close());

test('the page shows a job as it proceeds, without being loaded again', async () => {
	const { page } = browser;
	await page.getByRole('heading', { name: 'Jobs' }).waitFor();
	const emails = Array.from({ length: 50 }, (_, index) => `person${index + 1}@example.com`);
	await sandbox.api.post(`/sessions/${upcomingSession}/people/bulk`, bulkOf(emails));

	await page.getByText('processing').first().waitFor();
	await picture(page, 'sandbox');
	await page.getByText('50 of 50 people').waitFor();
});

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
	expect(browser.complaints).toEqual([]);
});
