import type { Editor, Workflow } from './editor';
import { execute } from './execution';

/** The example that `npm start` runs, the trigger it starts from, and the node whose people are counted. */
export const bulkExample = {
	workflow: 'Register a list of people in bulk',
	trigger: 'Try with a sample list',
	node: 'Register in bulk',
};

const statuses = ['registered', 'already_registered', 'failed', 'invalid', 'duplicate', 'unknown'];

export interface Outcome {
	total: number;
	counts: Map<string, number>;
}

/** Runs the bulk registration once, through the editor, and counts what became of each person. */
export async function demonstrate(editor: Editor, workflow: Workflow): Promise<Outcome> {
	const execution = await execute(editor, workflow.id ?? '', bulkExample.trigger);
	if (execution.status !== 'success') {
		throw new Error(
			`The bulk registration example ended with "${execution.status}": ${execution.error ?? 'no reason given'}`,
		);
	}
	return countOutcomes(execution.output(bulkExample.node));
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
