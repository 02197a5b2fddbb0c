import { openPage, picture, updatesImages, type TestedBrowser } from '../support/browser/browser';
import { openReceiver } from '../support/platform/webhookReceiver';
import { guestAddresses, sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { heldSession, seededEvent } from '../support/platform/seededIds';

let sandbox: TestSandbox;
let browser: TestedBrowser;

beforeAll(async () => {
	sandbox = await sandboxForTests({
		seedPeople: 300,
		taskMs: 60,
		rate: 5,
		monthly: 10_000,
		recordingBytes: 500_000,
		// The port that people have.
		...(updatesImages && { port: 4010 }),
	});
	browser = await openPage();
	await browser.page.goto(sandbox.baseUrl);
});

test('the page shows jobs and deliveries as they proceed, without being loaded again', async () => {
	const { page } = browser;
	await page.getByRole('heading', { name: 'Jobs' }).waitFor();
	const { url, deliveries } = await openReceiver();
	await sandbox.subscribe(url, 'job.ended');
	await sandbox.startJob(guestAddresses(50, 'first'));
	await page.getByText('50 of 50 people').waitFor();
	await page.getByText('delivered', { exact: true }).waitFor();
	expect(deliveries).toHaveLength(1);

	// The requests come as from someone who is allowed five of them per second.
	for (let request = 0; request < 15; request++) {
		await sandbox.api.get('/ping');
		await new Promise((done) => setTimeout(done, 200));
	}
	await sandbox.startJob(guestAddresses(50, 'second'));
	await page.getByText('processing').first().waitFor();
	await picture(page, 'sandbox', { size: { width: 1200, height: 1262 } });
	await page.getByText('50 of 50 people').nth(1).waitFor();
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

test('the recording of a session is a film that plays', async () => {
	const path = `/sessions/${heldSession}/recordings`;
	const { data } = await sandbox.api.get<{ data: Array<{ attributes: { url: string } }> }>(path);
	const { page } = await openPage();
	await page.goto(data.data[0]?.attributes.url ?? '', { waitUntil: 'commit' });
	const film = "document.querySelector('video')";
	await page.evaluate(`Object.assign(${film}, { muted: true, playbackRate: 8 }).play()`);
	await page.waitForFunction(`${film}.ended || ${film}.error`);
	const seen = await page.evaluate(`[${film}.error, ${film}.videoWidth, ${film}.currentTime]`);
	expect(seen).toEqual([null, 320, 10]);
});

test('buttons do what they say, and their words tell what is on', async () => {
	const { page } = browser;
	await page.getByRole('button', { name: 'End the live session' }).click();
	await page.getByText('Customer Onboarding, Weekly class has ended.').waitFor();
	await page.getByRole('button', { name: 'Start the next session' }).click();
	const live = await page.getByText(/ is live\.$/).innerText();
	await page.getByRole('button', { name: 'Ask a question' }).click();
	await page.getByText('May we have the slides?').first().waitFor();
	await page.getByRole('button', { name: 'End the live session' }).click();
	await page.getByText(live.replace('is live', 'has ended')).waitFor();
	const down = page.getByRole('button', { name: 'Down' });
	await down.click();
	await page.getByText('Down: Every request is answered with 503, in HTML.').first().waitFor();
	expect((await sandbox.api.get('/ping')).status).toBe(503);
	await down.click();
	await page.getByText('Down: off.').waitFor();
	await page.locator('#notice').waitFor({ state: 'hidden' });
});

test('the credentials are copied with one press', async () => {
	const { page } = browser;
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await page.getByRole('button', { name: 'Copy: Client secret' }).click();
	await page.getByText('Copied').waitFor();
	expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sandbox.clientSecret);
});

test('sessions start in the time of their own zone, as n8n lists them', async () => {
	await browser.page.getByText(/^\d+ [A-Z][a-z]{2} (\d{4} )?\d\d:00 New York$/).waitFor();
});

test('the scripts of the page do not fail', () => {
	expect(browser.errors).toEqual([]);
});
