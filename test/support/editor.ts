import type { SavedCredential } from '../../host/editor';
import { freePort } from '../../host/ports';
import { provisionCredentials } from '../../host/provision';
import type { SandboxOptions } from '../../sandbox/options';
import { lastScreenshot, openBrowser, type TestedBrowser } from './browser';
import { Canvas } from './canvas';
import { redirectUriOf, startTestedN8n, type TestedN8n } from './n8n';
import { sandboxForTests, type TestSandbox } from './sandbox';

/** A platform, an n8n with the connector, and a browser that is signed in there. */
export interface OpenEditor {
	sandbox: TestSandbox;
	tested: TestedN8n;
	browser: TestedBrowser;
	canvas: Canvas;
}

export interface EditorSettings {
	/** Of n8n; any when nothing is said. */
	port?: number;
	environment?: Record<string, string>;
	sandbox?: Partial<SandboxOptions>;
}

const open = new Set<Partial<OpenEditor>>();

afterEach(async () => {
	for (const { browser } of open) {
		if (browser) await lastScreenshot(browser.page, expect.getState().currentTestName);
	}
});

afterAll(async () => {
	for (const { browser, tested } of open) {
		await browser?.close();
		await tested?.close();
	}
});

/** All of it ends with the tests of the file, each of which leaves a screenshot. */
export async function openEditor(settings: EditorSettings = {}): Promise<OpenEditor> {
	const port = settings.port ?? (await freePort());
	const started: Partial<OpenEditor> = {};
	open.add(started);
	const sandbox = await sandboxForTests({ redirectUri: redirectUriOf(port), ...settings.sandbox });
	const { environment } = settings;
	const tested = await startTestedN8n({ port, ...(environment && { environment }) });
	started.tested = tested;
	const browser = await openBrowser(tested.n8n.url);
	started.browser = browser;
	return { sandbox, tested, browser, canvas: new Canvas(browser.page, tested.n8n.url) };
}

/** With both credentials in n8n, connected. */
export async function openConnectedEditor(settings?: EditorSettings): Promise<ConnectedEditor> {
	const editor = await openEditor(settings);
	const credentials = await provisionCredentials(editor.tested.editor, editor.sandbox);
	return { ...editor, credentials };
}

export interface ConnectedEditor extends OpenEditor {
	credentials: { token: SavedCredential; oAuth: SavedCredential };
}
