import type { Editor, SavedCredential, Workflow, WorkflowNode } from './editor';
import { execute } from './execution';
import type { Session } from './platform';
import { prepared, readExample, tokenType } from './provision';

/** The example that `npm start` runs, the trigger it starts from, and the node whose people are counted. */
export const bulkExample = {
	file: 'register-a-list.json',
	trigger: 'Try with a sample list',
	node: 'Register in bulk',
};

/** The sample list is only checked in an account; in a sandbox it is registered. */
export function registering(node: WorkflowNode): WorkflowNode {
	if (node.name !== bulkExample.node) return node;
	return { ...node, parameters: { ...node.parameters, options: {} } };
}

const statuses = ['registered', 'already_registered', 'failed', 'invalid', 'duplicate', 'unknown'];

export interface Outcome {
	total: number;
	counts: Map<string, number>;
}

/** The platform whose session the sample list is registered for. */
export interface DemonstrationPlatform {
	baseUrl: string;
	apiToken: string;
	session: Session;
}

/**
 * The example as it is published, with a credential of the sandbox. People may have put their own account and session into
 * what an earlier start has imported, so this is made for one run and removed after it.
 */
export class Demonstration {
	private readonly made: string[] = [];

	constructor(
		private readonly editor: Editor,
		private readonly platform: DemonstrationPlatform,
	) {}

	/** Registers the sample list once, through the editor, and counts what became of each person. */
	async run(): Promise<Outcome> {
		const execution = await execute(this.editor, await this.workflow(), bulkExample.trigger);
		if (execution.status !== 'success') {
			throw new Error(
				`The bulk registration example ended with "${execution.status}": ${execution.error ?? 'no reason given'}`,
			);
		}
		return countOutcomes(execution.output(bulkExample.node));
	}

	/** Removes what was made for the run. */
	async remove(): Promise<void> {
		for (const path of this.made.splice(0).reverse()) {
			// n8n deletes no workflow that is not in its archive.
			if (path.startsWith('/rest/workflows/')) await this.editor.post(`${path}/archive`, {});
			await this.editor.delete(path);
		}
	}

	private async workflow(): Promise<string> {
		const { baseUrl, apiToken, session } = this.platform;
		const credential = await this.editor.post<SavedCredential>('/rest/credentials', {
			name: 'Sandbox, for the sample list of npm start',
			type: tokenType,
			data: { baseUrl, apiToken },
		});
		this.made.push(`/rest/credentials/${credential.id}`);
		const published = await readExample(bulkExample.file);
		const choices = { credentials: [credential], session, from: session, folder: '' };
		const example = prepared(published, choices);
		const { id = '' } = await this.editor.post<Workflow>('/rest/workflows', {
			...example,
			nodes: example.nodes.map(registering),
			name: 'Sample list of npm start',
		});
		this.made.push(`/rest/workflows/${id}`);
		return id;
	}
}

export function countOutcomes(people: ReadonlyArray<{ status?: unknown }>): Outcome {
	const counts = new Map(statuses.map((status) => [status, 0]));
	for (const { status } of people) {
		counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
	}
	return { total: people.length, counts };
}

export function outcomeTable({ total, counts }: Outcome): string {
	const rows: Array<[string, number]> = [
		...[...counts].map(([status, count]): [string, number] => [status.replaceAll('_', ' '), count]),
		['total', total],
	];
	const width = Math.max(...rows.map(([status]) => status.length));
	return rows
		.map(([status, count]) => `  ${status.padEnd(width)}  ${String(count).padStart(5)}`)
		.join('\n');
}
