import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SavedCredential, Workflow, WorkflowNode } from '../../host/editor';
import { execute, executionEnd, executionsOf, start, type Execution } from '../../host/execution';
import { ensureWorkflow, ownCredentialType, prepared, readExample } from '../../host/provision';
import { until } from '../../host/until';
import { picture } from '../support/browser/browser';
import { openConnectedEditor, type ConnectedEditor } from '../support/browser/editor';
import { manual, node, publish, saved, workflowOf } from '../support/n8n/workflows';
import type { CaughtMail } from './mailCatcher';
import {
	heldSession,
	otherSession,
	seededEvent,
	upcomingSession,
} from '../support/platform/seededIds';

export const upcoming = { id: upcomingSession, name: 'Europe' };
export const past = { id: heldSession, name: 'State of the Industry 2026' };
const other = { id: otherSession, name: 'Americas' };

export type Change = (node: WorkflowNode) => Partial<WorkflowNode>;
/** The items that nodes are said to have given, in place of running them. */
export type Pinned = Record<string, Array<Record<string, unknown>>>;

/** A real n8n beside a sandbox, into which examples are imported as a person would. */
export class ExampleScene {
	private credentials: SavedCredential[];

	private constructor(
		private readonly connected: ConnectedEditor,
		/** Where n8n may write. */
		readonly folder: string,
	) {
		this.credentials = Object.values(connected.credentials);
	}

	static async open(): Promise<ExampleScene> {
		const folder = await mkdtemp(join(tmpdir(), 'event-platform-recordings-'));
		const connected = await openConnectedEditor({
			environment: { N8N_RESTRICT_FILE_ACCESS_TO: folder },
			sandbox: { seedPeople: 200, recordingBytes: 2_000_000 },
		});
		return new ExampleScene(connected, folder);
	}

	close = () => rm(this.folder, { recursive: true, force: true });

	get sandbox() {
		return this.connected.sandbox;
	}

	get tested() {
		return this.connected.tested;
	}

	get browser() {
		return this.connected.browser;
	}

	get canvas() {
		return this.connected.canvas;
	}

	get tokenCredential() {
		return this.connected.credentials.token;
	}

	/** Imports an example as a person would, looks at it in the editor, and changes what the test has to. */
	async imported(
		file: string,
		change?: Change,
		session = upcoming,
		pinned?: Pinned,
	): Promise<Workflow> {
		const published = await readExample(`${file}.json`);
		const { credentials, folder } = this;
		const choices = { credentials, session, from: other, folder };
		const ready = prepared(published, choices, credentialTypeOf);
		const example = { ...ready, nodes: ready.nodes.map(chosenElsewhere) };
		const workflow = await ensureWorkflow(this.tested.editor, example);
		await this.canvas.open(workflow.id ?? '');
		expect(await this.canvas.part('node-issues').count()).toBe(0);
		await this.canvas.pictureOfNodes(`example-${file}`);
		if (!change && !pinned) return workflow;
		const nodes = example.nodes.map((node) => ({ ...node, ...change?.(node) }));
		const name = `${example.name}, changed ${randomUUID()}`;
		const pinData = Object.fromEntries(
			Object.entries(pinned ?? {}).map(([node, items]) => [node, items.map((json) => ({ json }))]),
		);
		return ensureWorkflow(this.tested.editor, { ...example, nodes, name, pinData });
	}

	/** Imports an example and chooses nothing but the credentials of the connector. Other services do nothing. */
	async importedAsItIs(file: string): Promise<Workflow> {
		const published = await readExample(`${file}.json`);
		const { id, name, type } = this.tokenCredential;
		const nodes = published.nodes.map((node) =>
			ownCredentialType(node) ? { ...node, credentials: { [type]: { id, name } } } : node,
		);
		const others = published.nodes.filter(
			(node) => !ownCredentialType(node) && credentialTypeOf(node) !== undefined,
		);
		const nothing = Object.fromEntries(others.map((node) => [node.name, [{ json: {} }]]));
		return ensureWorkflow(this.tested.editor, {
			...published,
			nodes,
			name: `${published.name}, as it is ${randomUUID()}`,
			pinData: { ...nothing, ...published.pinData },
		});
	}

	/** A mail as it has arrived: its head, its text, and the names of its files. */
	async pictureOfMail(name: string, { text, from, to }: CaughtMail) {
		const page = await this.browser.page.context().newPage();
		const size = { width: 800, height: 800 };
		const subject = /^Subject: (.*)$/m.exec(text)?.[1] ?? '';
		const html = /Content-Type: text\/html[^]*?\r\n\r\n([^]*?)(?:\r\n--|$)/.exec(text)?.[1] ?? '';
		// A long name with other signs than letters comes in parts.
		const parts = [...text.matchAll(/filename\*\d\*=(?:utf-8'')?([^;\r\n]+)/gi)];
		const longName = decodeURIComponent(parts.map(([, part]) => part).join(''));
		const names = [...text.matchAll(/filename="?([^"\r\n]+)/g)].map(([, file]) => file);
		const files = [...names, longName].filter(Boolean);
		const head = [`From: ${from}`, `To: ${to.join(', ')}`, `Subject: ${subject}`];
		if (files.length > 0) head.push(`Attached: ${files.join(', ')}`);
		await page.setContent(
			`<!DOCTYPE html><body style="margin: 0; font: 16px sans-serif"><main style="padding: 24px"><pre style="font: inherit">${head.join('\n')}</pre><hr>${html}</main></body>`,
		);
		await page.setViewportSize(size);
		await picture(page, name, { size }, page.locator('main'));
		await page.close();
	}

	/** An account of a service that is out of reach here: the nodes that use it are pinned. */
	async account(type: string, data: Record<string, unknown>) {
		const name = type;
		const created = await this.tested.editor.post<SavedCredential>('/rest/credentials', {
			name,
			type,
			data,
		});
		// The account of an earlier test may lead to a server that has ended its script.
		this.credentials = [...this.credentials.filter((saved) => saved.type !== type), created];
	}

	async run(
		{ id = '' }: Workflow,
		trigger = 'Now',
		received?: Record<string, unknown>,
	): Promise<Execution> {
		const execution = await execute(this.tested.editor, id, trigger, received);
		expect(execution.error).toBeUndefined();
		return execution;
	}

	/** Starts a run, and does not wait for its end. */
	started({ id = '' }: Workflow, trigger: string, received?: Record<string, unknown>) {
		return start(this.tested.editor, id, trigger, received);
	}

	async listening({ id = '' }: Workflow, isListening: () => Promise<boolean>) {
		await publish(this.tested.editor, id);
		await until('the workflow to listen', isListening);
	}

	/** Unpublishes a workflow, so that the events of later tests do not start it. */
	async stopListening({ id = '' }: Workflow) {
		await this.tested.editor.post(`/rest/workflows/${id}/deactivate`, {});
	}

	async isSubscribed(event: string) {
		const subscriptions = await this.sandbox.subscriptions();
		return subscriptions.some((subscription) => subscription.event === event);
	}

	/** The last execution, when there are so many. */
	async latest({ id = '' }: Workflow, count: number): Promise<Execution> {
		const executionIds = await until(`execution ${count} of the workflow`, async () => {
			const ids = await executionsOf(this.tested.editor, id);
			return ids.length >= count && ids;
		});
		const execution = await executionEnd(this.tested.editor, executionIds.at(-1) ?? '');
		expect(execution.error).toBeUndefined();
		return execution;
	}

	/** Adds a row to a data table of n8n. */
	async addRow(table: string, row: Record<string, string>): Promise<void> {
		const dataTableId = { __rl: true, mode: 'name', value: table };
		const schema = Object.keys(row).map((id) => ({
			id,
			displayName: id,
			type: 'string',
			display: true,
			required: false,
			defaultMatch: false,
		}));
		const columns = { mappingMode: 'defineBelow', value: row, matchingColumns: [], schema };
		const of = { resource: 'row', operation: 'insert', dataTableId, columns };
		const added = workflowOf('Row', manual, node('Row', 'n8n-nodes-base.dataTable', of, 1.1));
		await this.run({ ...added, id: await saved(this.tested.editor, added) }, 'Start');
	}

	/** Gives the rows of a data table of n8n. */
	async rowsOf(table: string) {
		const dataTableId = { __rl: true, mode: 'name', value: table };
		const of = { resource: 'row', operation: 'get', dataTableId, returnAll: true };
		const rows = workflowOf('Rows', manual, node('Rows', 'n8n-nodes-base.dataTable', of, 1.1));
		const id = await saved(this.tested.editor, rows);
		return (await this.run({ ...rows, id }, 'Start')).output('Rows');
	}
}

/** The accounts that people connect, by the nodes that ask for them. */
const accountTypes: Readonly<Record<string, string>> = {
	emailSend: 'smtp',
	formTrigger: 'httpBasicAuth',
	googleSheets: 'googleSheetsOAuth2Api',
	hubspot: 'hubspotAppToken',
	lmChatOpenAi: 'openAiApi',
	mcpTrigger: 'httpBearerAuth',
	openAi: 'openAiApi',
	salesforce: 'salesforceOAuth2Api',
	slack: 'slackApi',
	stripeTrigger: 'stripeApi',
};

function credentialTypeOf(node: WorkflowNode): string | undefined {
	const { nodeCredentialType: chosen, authentication } = node.parameters;
	if (typeof chosen === 'string') return chosen;
	const kind = node.type.split('.').at(-1) ?? '';
	if (kind === 'formTrigger' && authentication === undefined) return undefined;
	return accountTypes[kind] ?? ownCredentialType(node);
}

/** Makes the choices of a person in lists of services that are out of reach here, and of the event. */
function chosenElsewhere(node: WorkflowNode): WorkflowNode {
	const parameters = { ...node.parameters };
	const names = { documentId: 'Guests', sheetName: 'Sheet1', channelId: 'webinars' };
	for (const [name, cachedResultName] of Object.entries(names)) {
		if (!(name in parameters)) continue;
		parameters[name] = { __rl: true, mode: 'list', value: 'C01', cachedResultName };
	}
	if ('eventId' in parameters) {
		const [value, cachedResultName] = [seededEvent, 'Product Tour: Autumn Release'];
		parameters.eventId = { __rl: true, mode: 'list', value, cachedResultName };
	}
	return { ...node, parameters };
}

export function counts(execution: Execution, node: string) {
	return counted(execution.output(node));
}

/** How many have each status. */
function counted(people: Array<Record<string, unknown>>): Record<string, number> {
	const tally: Record<string, number> = {};
	for (const { status } of people) {
		tally[String(status)] = (tally[String(status)] ?? 0) + 1;
	}
	return tally;
}
