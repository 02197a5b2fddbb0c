import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { seededId } from '../../sandbox/seed/ids';
import { heldSession } from '../support/platform/seededIds';
import { text } from '../../nodes/EventPlatform/core/values/text';
import { openPage, picture } from '../support/browser/browser';
import { operate } from '../support/n8n/operation';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { byId } from '../support/n8n/locators';

let sandbox: TestSandbox;
/** The page of the session that was held. */
let html: string;

beforeAll(async () => {
	sandbox = await sandboxForTests({ seedPeople: 2_000 });
	html = await pageOf('session.getReport', {
		sessionId: byId(heldSession),
		groupBy: 'utmCampaign',
	});
});

async function pageOf(operation: string, parameters: object): Promise<string> {
	const { records } = await operate(sandbox, operation, { ...parameters, output: 'page' });
	return text(records[0]?.html);
}

/** A browser of that width that shows the page, and every request that the page makes. */
async function openReport(content: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
	const { page, errors } = await openPage();
	const requests: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	await page.emulateMedia({ colorScheme });
	await page.setViewportSize({ width, height: 900 });
	await page.setContent(content);
	return { page, errors, requests };
}

/** How wide the content is: wider than the window, if something is cut off or has to be scrolled to at the side. */
const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');
const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight');
/** The figures, and how long people stayed: what the README shows of it. */
const heightOfFigures = 575;
const contrasts = readFileSync(join(__dirname, 'contrasts.js'), 'utf8');
const contrastsOf = (page: Page) => page.evaluate<number[]>(contrasts);

test.each([360, 760])('the report fits a page of %d pixels and loads nothing', async (width) => {
	const { page, errors, requests } = await openReport(html, width);
	expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
		'State of the Industry 2026',
	);
	expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
		'How much of the session people stayed',
		'Registered and attended, by UTM Campaign',
		'Most engaged',
	]);
	expect(await widthOf(page)).toBe(width);
	expect([errors, requests]).toEqual([[], []]);
	if (width > 360) {
		await picture(page, 'report', { size: { width, height: await heightOf(page) } });
		await picture(page, 'report-top', { size: { width: 510, height: heightOfFigures } });
	}
});

test.each(['light', 'dark'] as const)(
	'every text of the report can be read in %s',
	async (scheme) => {
		const { page } = await openReport(html, 760, scheme);
		const readable = await contrastsOf(page);
		expect(readable.length).toBeGreaterThan(30);
		// The least that the guidelines for accessible pages ask for.
		expect(Math.min(...readable)).toBeGreaterThanOrEqual(4.5);
	},
);

test('the report can be read where a mail program drops the styles for dark mode', async () => {
	const { page } = await openReport(html.replace(/<style>.*<\/style>/, ''), 360, 'dark');
	expect(Math.min(...(await contrastsOf(page)))).toBeGreaterThanOrEqual(4.5);
});

test('an event has a line for each session, and long words and foreign markup stay inside the page', async () => {
	const event = seededId('event', 2);
	const title = `<script>document.title = 'run'</script>${'Long'.repeat(60)}`;
	const attributes = { title };
	await sandbox.api.patch(`/events/${event}`, { data: { type: 'events', attributes } });
	const { page, errors } = await openReport(
		await pageOf('event.getReport', { eventId: byId(event) }),
		360,
	);
	expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
	expect(await page.title()).toBe(title);
	expect(await page.locator('th').allTextContents()).toEqual([
		'Session',
		'Registered',
		'Attended',
		'Rate',
	]);
	expect(await page.getByText('Not begun, so not in the totals: 1 of 2 sessions.').count()).toBe(1);
	expect(await widthOf(page)).toBe(360);
	expect(errors).toEqual([]);
});
