import type { SavedCredential, Workflow } from '../../../host/editor';
import { provisionCredentials } from '../../../host/provision';
import type { SandboxOptions } from '../../../sandbox/options';
import { openBrowser, updatesImages, type TestedBrowser } from './browser';
import { Canvas } from './canvas';
import { startTestedN8n, type TestedN8n } from '../n8n/n8n';
import { sandboxForTests, type TestSandbox } from '../platform/sandbox';
import { saved } from '../n8n/workflows';

export interface OpenN8n {
	tested: TestedN8n;
	sandbox: TestSandbox;
}

export interface OpenEditor extends OpenN8n {
	browser: TestedBrowser;
	canvas: Canvas;
	/** Saves a workflow and opens it; gives its id. */
	show(workflow: Workflow): Promise<string>;
}

export interface ConnectedEditor extends OpenEditor {
	/** Both are connected. */
	credentials: { token: SavedCredential; oAuth: SavedCredential };
}

interface Settings {
	environment?: Record<string, string>;
	sandbox?: Partial<SandboxOptions>;
}

/** The addresses that people see in the pictures. */
const ofPictures = { n8n: { port: 5678 }, sandbox: { port: 4010 } };

const running: TestedN8n[] = [];

afterAll(async () => {
	for (const tested of running) await tested.close();
});

/** Starts a platform, and an n8n with the connector. They end with the tests of the file. */
export async function openN8n({ environment, sandbox: options }: Settings = {}): Promise<OpenN8n> {
	const tested = await startTestedN8n({
		...(updatesImages && ofPictures.n8n),
		...(environment && { environment }),
	});
	running.push(tested);
	const { redirectUri } = tested;
	return {
		tested,
		sandbox: await sandboxForTests({
			redirectUri,
			...(updatesImages && ofPictures.sandbox),
			...options,
		}),
	};
}

/** Opens n8n and signs a browser in there. */
export async function openEditor(settings?: Settings): Promise<OpenEditor> {
	const { tested, sandbox } = await openN8n(settings);
	const browser = await openBrowser(tested.n8n.url);
	const canvas = new Canvas(browser.page, tested.n8n.url);
	const show = async (workflow: Workflow) => {
		const id = await saved(tested.editor, workflow);
		await canvas.open(id);
		return id;
	};
	return { sandbox, tested, browser, canvas, show };
}

/** Opens the editor of an n8n that has both credentials, connected. */
export async function openConnectedEditor(settings?: Settings): Promise<ConnectedEditor> {
	const editor = await openEditor(settings);
	const credentials = await provisionCredentials(editor.tested.editor, editor.sandbox);
	return { ...editor, credentials };
}
