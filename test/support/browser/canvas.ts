import type { Locator, Page } from 'playwright-core';
import { picture, updatesImages } from './browser';

/** The manual trigger has one name among the suggestions and another among the results of a search. */
export const manualTrigger = /Trigger manually|Manual Trigger/;

/** A style that hides notes, and the parts that n8n lays over the canvas or lets stick out of nodes. */
const nodesAlone = `.vue-flow__node:has([data-test-id="sticky"]), [data-test-id="canvas-handle-plus-wrapper"],
[class*="executionButtons"] { visibility: hidden !important; }`;

/** n8n's editor in the browser: what a person does with it. */
export class Canvas {
	constructor(
		readonly page: Page,
		private readonly n8nUrl: string,
	) {}

	part(id: string): Locator {
		return this.page.locator(`[data-test-id="${id}"]`);
	}

	async newWorkflow() {
		await this.page.goto(`${this.n8nUrl}/workflow/new`);
		await this.part('canvas-add-button').waitFor();
	}

	async open(workflowId: string) {
		await this.page.goto(`${this.n8nUrl}/workflow/${workflowId}`);
		await this.part('canvas-node').first().waitFor({ timeout: 90_000 });
	}

	/** The search of the node panel, opened by its key. */
	async openSearch(): Promise<Locator> {
		await this.part('canvas-wrapper').waitFor();
		const search = this.part('node-creator-search-bar');
		await repeated(() => this.page.keyboard.press('n'), search, 'visible');
		return search;
	}

	async search(words: string) {
		await (await this.openSearch()).fill(words);
	}

	/** Closes everything that a test left open, because it would disturb the next one. */
	async closeAll() {
		// An open list takes this one.
		await this.page.keyboard.press('Escape');
		await this.closeNode();
		const search = this.part('node-creator-search-bar');
		await repeated(() => this.page.keyboard.press('Escape'), search, 'hidden');
	}

	panelItem(text: string | RegExp): Locator {
		return this.part('item-iterator-item').filter({ hasText: text });
	}

	/** Drags an operation from the node panel into a new workflow, which opens its details. */
	async dragOperation(name: string) {
		await this.newWorkflow();
		await this.addManualTrigger();
		await this.search('event platform');
		await this.panelItem('Event Platform').first().click();
		const place = { targetPosition: { x: 620, y: 260 } };
		await this.panelItem(name).first().dragTo(this.part('canvas-wrapper'), place);
		await this.details.waitFor();
	}

	private async addManualTrigger() {
		await this.search('manual');
		await this.panelItem(manualTrigger).first().click();
		await this.part('canvas-trigger-node').waitFor();
	}

	node(name: string): Locator {
		return this.part('canvas-node').filter({ hasText: name });
	}

	async openNode(name: string) {
		const node = this.node(name).first();
		await repeated(() => node.dblclick({ timeout: 20_000 }), this.details, 'visible');
	}

	async closeNode() {
		const close = this.part('ndv-close-button');
		await repeated(() => close.click({ timeout: 3_000 }), this.details, 'hidden');
	}

	get details(): Locator {
		return this.part('ndv');
	}

	get output(): Locator {
		return this.part('ndv-output-panel').or(this.part('output-panel')).first();
	}

	/** Waits until the output says this. */
	async says(words: string | RegExp) {
		await this.output.getByText(words).first().waitFor();
	}

	/** The output as a table that has this column. */
	async showTable(column: string) {
		await this.output.getByText('Table', { exact: true }).click();
		await this.output.locator('th').getByText(column, { exact: true }).waitFor();
	}

	/** The rows of the output, without the headings, as a table. */
	get rows(): Locator {
		return this.output.locator('table tr:has(td)');
	}

	/** Makes the output as wide as n8n allows beside the parameters. */
	async widenOutput() {
		const box = await this.part('panel-drag-button').boundingBox();
		if (box === null) throw new Error('The panel of the node cannot be moved.');
		const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
		await this.page.mouse.move(x, y);
		await this.page.mouse.down();
		await this.page.mouse.move(0, y, { steps: 5 });
		await this.page.mouse.up();
	}

	parameter(name: string): Locator {
		return this.part(`parameter-input-${name}`);
	}

	/** Opens the list of a resource locator. */
	async listOf(locator: string): Promise<Locator> {
		await this.part(`resource-locator-${locator}`).locator('[data-test-id="rlc-input"]').click();
		await this.part('rlc-item').first().waitFor();
		return this.part('rlc-item');
	}

	get credentialDialog(): Locator {
		return this.part('editCredential-modal');
	}

	/** Where there is no credential yet, n8n shows a button in place of the list. */
	async firstCredential(kind: string) {
		const connect = this.details.getByRole('button', { name: 'Connect to Event Platform' });
		await repeated(() => connect.click({ timeout: 20_000 }), this.credentialDialog, 'visible');
		await this.chooseCredentialKind(kind);
	}

	async anotherCredential(kind: string) {
		await this.part('node-credentials-select').click();
		await this.part('node-credentials-select-item-new').click();
		await this.chooseCredentialKind(kind);
	}

	private async chooseCredentialKind(kind: string) {
		await this.part('credential-mode-dropdown-trigger').click();
		await this.page.getByRole('menuitem', { name: kind }).click();
	}

	async saveCredential() {
		await this.part('credential-save-button').click();
	}

	async closeCredential() {
		await this.credentialDialog.getByRole('button', { name: 'Close this dialog' }).click();
		await this.credentialDialog.waitFor({ state: 'hidden' });
	}

	async fillCredential(fields: Record<string, string>) {
		for (const [name, value] of Object.entries(fields)) {
			await this.credentialDialog
				.locator(`[data-test-id="parameter-input-${name}"] input`)
				.fill(value);
		}
	}

	/** Takes a picture of the area around these parts for the docs. */
	async picture(name: string, ...parts: Locator[]) {
		await picture(this.page, name, undefined, ...parts);
	}

	/** The nodes alone, large enough to be read in a column of text. */
	async pictureOfNodes(name: string) {
		if (!updatesImages) return;
		const size = { width: 2400, height: 2200 };
		await this.page.setViewportSize(size);
		await this.part('zoom-to-fit').click();
		// The canvas glides to its new place.
		await this.page.waitForTimeout(1_000);
		const nodes = this.page.locator('.vue-flow__node:not(:has([data-test-id="sticky"]))');
		// The names of nodes stand below them.
		const margin = { x: 65, y: 30, below: 75 };
		await picture(this.page, name, { size, margin, style: nodesAlone }, ...(await nodes.all()));
	}

	async execute() {
		await this.part('execute-workflow-button').first().click();
	}

	/** Executes the node whose details are open. A run from before they opened would be marked as out of date. */
	async executeStep() {
		await this.part('node-execute-button').click();
	}

	async publish() {
		await this.part('workflow-open-publish-modal-button').click();
		await this.part('workflow-publish-button').click();
		await this.part('activation-modal').waitFor();
		await this.page.keyboard.press('Escape');
		await this.part('activation-modal').waitFor({ state: 'hidden' });
	}

	async unpublish() {
		await this.part('version-menu-button').click();
		await this.part('version-menu-item-unpublish').click();
		const confirm = this.page.getByRole('dialog').getByRole('button', { name: 'Unpublish' });
		await confirm.click();
	}
}

/** Presses until the part is as it should be, because a press is lost while the editor draws itself anew. */
async function repeated(press: () => Promise<void>, part: Locator, state: 'visible' | 'hidden') {
	for (let tries = 0; tries < 10; tries++) {
		if ((await part.isVisible()) === (state === 'visible')) return;
		await press().catch(() => undefined);
		await part.waitFor({ state, timeout: 3_000 }).catch(() => undefined);
	}
	await part.waitFor({ state });
}
