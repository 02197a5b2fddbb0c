import type { Workflow } from '../../../host/editor';
import { provisionCredentials } from '../../../host/provision';
import type { SandboxOptions } from '../../../sandbox/options';
import { openBrowser, updatesImages } from './browser';
import { Canvas } from './canvas';
import { startTestedN8n, type TestedN8n } from '../n8n/n8n';
import { sandboxForTests } from '../platform/sandbox';
import { saved } from '../n8n/workflows';

export type OpenN8n = Awaited<ReturnType<typeof openN8n>>;
export type OpenEditor = Awaited<ReturnType<typeof openEditor>>;
export type ConnectedEditor = Awaited<ReturnType<typeof openConnectedEditor>>;

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

/** A platform, and an n8n with the connector. It ends with the tests of the file. */
export async function openN8n({ environment, sandbox: options }: Settings = {}) {
	const tested = await startTestedN8n({
		...(updatesImages && ofPictures.n8n),
		...(environment && { environment }),
	});
	running.push(tested);
	const { redirectUri } = tested;
	const usual = { redirectUri, ...(updatesImages && ofPictures.sandbox) };
	return { tested, sandbox: await sandboxForTests({ ...usual, ...options }) };
}

/** Also a browser that is signed in there. */
export async function openEditor(settings?: Settings) {
	const { tested, sandbox } = await openN8n(settings);
	const browser = await openBrowser(tested.n8n.url);
	const canvas = new Canvas(browser.page, tested.n8n.url);
	/** Saves a workflow and opens it; gives its id. */
	const show = async (workflow: Workflow) => {
		const id = await saved(tested.editor, workflow);
		await canvas.open(id);
		return id;
	};
	return { sandbox, tested, browser, canvas, show };
}

/** Also both credentials in n8n, connected. */
export async function openConnectedEditor(settings?: Settings) {
	const editor = await openEditor(settings);
	const credentials = await provisionCredentials(editor.tested.editor, editor.sandbox);
	return { ...editor, credentials };
}
