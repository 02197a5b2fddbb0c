import { source as axe, type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { openPage, type TestedBrowser } from '../support/browser/browser';
import { openReceiver } from '../support/platform/webhookReceiver';
import { guestAddresses, sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { seededEvent, upcomingSession } from '../support/platform/seededIds';

const themes = ['light', 'dark'] as const;
/** A desk, a phone, and the narrowest page that WCAG 2.1 (1.4.10) asks to be readable. */
const widths = [1280, 390, 320];
const looks = themes.flatMap((theme) => widths.map((width) => [theme, width] as const));

let sandbox: TestSandbox;
let browser: TestedBrowser;
let page: Page;

beforeAll(async () => {
	// Slow enough for a job that is still running when the page is opened.
	sandbox = await sandboxForTests({ seedEvents: 12, seedPeople: 300, taskMs: 1000, monthly: 1000 });
	await makeHistory();
	browser = await openPage();
	page = browser.page;
});

/** Everything that the page has a color, a list or a sentence for. */
async function makeHistory() {
	const { api, web } = sandbox;
	await sandbox.subscribe((await openReceiver()).url, 'people.registered');
	await sandbox.subscribe('http://127.0.0.1:1/nobody', 'job.ended');
	await sandbox.register('ada@example.org');

	await sandbox.jobEnd(await sandbox.startJob(['grace@example.org', 'nonsense']));
	await sandbox.startJob(guestAddresses(50));

	const attributes = { title: `Long${'long'.repeat(50)}` };
	await api.patch(`/events/${seededEvent}`, { data: { type: 'events', attributes } });
	await api.get('/events', { params: { 'filter[title]': 'x'.repeat(120) } });
	for (const deed of ['429', '500', 'reset-before'] as const) {
		await sandbox.faults([{ match: { path: '/v1/ping' }, do: deed }]);
		await api.get('/ping').catch(() => undefined);
	}
	await web.get('/v1/ping');
	await web.post('/_sandbox/world', { world: 'wild' });
	await web.post('/_sandbox/workspace', { blocked: true });
}

describe('the page', () => {
	beforeAll(async () => {
		await page.goto(sandbox.baseUrl);
		await page.getByText('processing').first().waitFor();
		// The updates are paused, so that the page stays as it is meanwhile.
		await page.getByRole('button', { name: 'Pause updates' }).click();
		await page.getByText('Paused').waitFor();
	});

	test('can be worked by keyboard, and the focus stays where it was', async () => {
		const next = page.getByRole('button', { name: 'Next page of events' });
		await next.press('Enter');
		await page.getByText('2 of 2', { exact: true }).waitFor();
		expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Next page of events');
		expect(await next.getAttribute('aria-disabled')).toBe('true');
		await next.press('Enter');

		const session = page.locator(`details[data-key="${upcomingSession}"] > summary`);
		await session.press('Enter');
		// Registered with an address only.
		await page.getByRole('row', { name: '– ada@example.org' }).waitFor();
		await expectEveryControlByTab();
	});

	test.each(looks)('is for everybody: %s, %i pixels wide', async (theme, width) => {
		await expectForEverybody(theme, width);
	});

	test('runs under its own policy without an error', () => {
		expect(browser.errors).toEqual([]);
	});
});

describe.each([
	['the consent page', () => ({ client_id: sandbox.clientId }), 'Allow'],
	['its refusal', () => ({ client_id: 'unknown' }), 'cannot be connected'],
])('%s', (_, changes, text) => {
	beforeAll(async () => {
		const url = new URL('/oauth/authorize', sandbox.authServerUrl);
		const { redirectUri: redirect_uri, scope } = sandbox;
		url.search = String(
			new URLSearchParams({ response_type: 'code', redirect_uri, scope, ...changes() }),
		);
		await page.goto(url.href);
		await page.getByText(text).first().waitFor();
	});

	test('can be worked by keyboard', expectEveryControlByTab);

	test.each(looks)('is for everybody: %s, %i pixels wide', async (theme, width) => {
		await expectForEverybody(theme, width);
	});
});

async function expectForEverybody(theme: (typeof themes)[number], width: number) {
	await page.emulateMedia({ colorScheme: theme });
	await page.setViewportSize({ width, height: 800 });
	expect(await page.evaluate(scrolled)).toEqual([]);
	const { violations, passes } = await audit();
	expect(violations.map(inWords)).toEqual([]);
	expect(passes.map(({ id }) => id)).toContain('color-contrast');
}

/** A script of the debugger, so the policy of the page stays in force. */
async function audit(): Promise<AxeResults> {
	const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
	const rules = JSON.stringify({ runOnly: { type: 'tag', values: tags } });
	await page.evaluate(axe);
	return page.evaluate<AxeResults>(`axe.run(document, ${rules})`);
}

function inWords({ id, help, nodes }: AxeResults['violations'][number]) {
	return `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`).join(', ')}`;
}

/** Elements that can be scrolled: the page itself sideways, and what is inside it in any direction. */
const scrolled = `[...document.querySelectorAll('*')]
	.filter((element) => element.checkVisibility())
	.filter((element) => element === document.documentElement
		? element.scrollWidth > element.clientWidth
		: ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) &&
			(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight))
	.map((element) => element.outerHTML.slice(0, 200))`;

/** Tab leads to everything that can be used, in the order of the page, and each shows that it has the focus. */
async function expectEveryControlByTab() {
	const controls = `[...document.querySelectorAll('a, button, summary, input, select, [tabindex]')]
		.filter((element) => element.checkVisibility())`;
	const count = await page.evaluate<number>(`${controls}.length`);
	// Tab goes on from where the focus was last, even when it is there no more.
	await page.evaluate(
		'document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex")',
	);
	const visited: unknown[] = [];
	for (let tabs = 0; tabs < count; tabs++) {
		await page.keyboard.press('Tab');
		visited.push(
			await page.evaluate(`(() => {
				const element = document.activeElement;
				const { outlineStyle, outlineWidth } = getComputedStyle(element);
				const isShown = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
				return [${controls}.indexOf(element), isShown];
			})()`),
		);
	}
	expect(visited).toEqual(Array.from({ length: count }, (_, index) => [index, true]));
}
