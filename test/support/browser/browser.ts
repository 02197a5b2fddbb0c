import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { owner } from '../n8n/n8n';

const program = process.env.EVENT_PLATFORM_CHROMIUM ?? '/usr/bin/chromium';
export const imagesFolder = resolve(__dirname, '../../../docs/images');
const reportsFolder = resolve(__dirname, '../../../reports/e2e');
const viewport = { width: 1280, height: 800 };
/** n8n's notifications come and go: without them a picture is the same at every run. */
export const hidesToasts = '.el-notification { display: none !important; }';
/** Pictures are written only when asked for, so that a test run leaves the checkout as it was. */
export const updatesImages = process.env.UPDATE_IMAGES === '1';

export interface TestedBrowser {
	page: Page;
	/** Errors of the page and its console, without requests to hosts out of reach. */
	errors: string[];
}

const running: Array<{ browser: Browser; page: Page }> = [];

/** A screenshot at the end of each test shows why it failed. */
afterEach(async () => {
	for (const { page } of running) await screenshot(page, expect.getState().currentTestName);
});

afterAll(async () => {
	for (const { browser } of running) await browser.close();
});

/** A browser that is signed in to n8n. */
export async function openBrowser(n8nUrl: string): Promise<TestedBrowser> {
	const browser = await openPage();
	await signIn(browser.page, n8nUrl);
	browser.errors.length = 0;
	return browser;
}

/** A browser that reaches this machine only. It ends with the tests of the file. */
export async function openPage(): Promise<TestedBrowser> {
	if (!existsSync(program)) {
		throw new Error(
			`The browser tests need Chromium at ${program}: install the Debian package "chromium", ` +
				'or name another one in EVENT_PLATFORM_CHROMIUM.',
		);
	}
	const browser = await launch();
	const context = await browser.newContext({
		viewport,
		deviceScaleFactor: 1,
		locale: 'en-US',
		timezoneId: 'UTC',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(60_000);
	// n8n answers nobody while it starts or loads the nodes of an agent.
	context.setDefaultNavigationTimeout(90_000);
	await context.route(
		({ hostname }) => !['localhost', '127.0.0.1'].includes(hostname),
		(route) => route.abort('blockedbyclient'),
	);
	const page = await context.newPage();
	running.push({ browser, page });
	return { page, errors: collectErrors(page) };
}

function launch(): Promise<Browser> {
	return chromium.launch({
		executablePath: program,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

async function signIn(page: Page, n8nUrl: string) {
	await page.goto(`${n8nUrl}/signin`);
	await page.fill('[name=emailOrLdapLoginId]', owner.email);
	await page.fill('[name=password]', owner.password);
	await page.keyboard.press('Enter');
	await page.waitForURL('**/home/**');
}

/** Errors of the page and its console, without requests to hosts out of reach. */
function collectErrors(page: Page): string[] {
	const errors: string[] = [];
	page.on('pageerror', (error) => errors.push(error.message));
	page.on('console', (message) => {
		const said = `${message.text()} (${message.location().url})`;
		if (message.type() === 'error' && !isOfN8n(said)) errors.push(said);
	});
	return errors;
}

/** News and readmes of hosts that these tests keep out of reach, and previews that its own nodes lack. */
function isOfN8n(said: string): boolean {
	return said.includes('ERR_BLOCKED_BY_CLIENT') || /404 .*\/schemas\/n8n-nodes-base\./.test(said);
}

/** A picture in reports/e2e. */
export async function screenshot(page: Page, name = 'test') {
	const file = `${name.replace(/\W+/g, '-').slice(0, 80)}.png`;
	await page.screenshot({ path: join(reportsFolder, file) }).catch(() => undefined);
}

interface PictureSettings {
	/** The size of the window. */
	size?: { width: number; height: number };
	/** Around the parts; `below` where there is another one under them than over them. */
	margin?: { x: number; y: number; below?: number };
	/** Style sheet that holds while the picture is taken. */
	style?: string;
}

/** Writes what the page shows into docs/images; with parts, only the area around them, so that it can be read in a page. */
export async function picture(
	page: Page,
	name: string,
	{ size = viewport, margin = { x: 0, y: 0 }, style = '' }: PictureSettings = {},
	...parts: Locator[]
) {
	if (!updatesImages) return;
	mkdirSync(imagesFolder, { recursive: true });
	await page.setViewportSize(size);
	// The part under the pointer has buttons of its own.
	await page.mouse.move(0, 0);
	const boxes = await Promise.all(parts.map((part) => part.first().boundingBox()));
	const clip = around(
		boxes.filter((box) => box !== null),
		margin,
	);
	await page.screenshot({
		path: join(imagesFolder, `${name}.png`),
		animations: 'disabled',
		caret: 'hide',
		...(clip && { clip }),
		style: `${hidesToasts} ${style}`,
	});
	await page.setViewportSize(viewport);
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

function around(
	boxes: readonly Box[],
	margin: { x: number; y: number; below?: number },
): Box | undefined {
	if (boxes.length === 0) return undefined;
	const x = Math.min(...boxes.map((box) => box.x)) - margin.x;
	const y = Math.min(...boxes.map((box) => box.y)) - margin.y;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin.x;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + (margin.below ?? margin.y);
	return { x, y, width: right - x, height: bottom - y };
}
