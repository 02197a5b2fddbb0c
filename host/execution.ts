import type { Editor } from './editor';
import { until } from './until';

export interface Execution {
	id: string;
	status: string;
	/** The JSON of what a node gave at each of its runs and outputs, in order; of one output only where its number is given. */
	output(node: string, number?: number): Array<Record<string, unknown>>;
	/** The first error of the run, in n8n's own words. */
	error?: string;
	/** How long it took, as n8n wrote it down. */
	seconds: number;
	hints(node: string): string[];
}

interface Stored {
	status: string;
	data: string;
	startedAt: string;
	stoppedAt: string | null;
}

/** An execution in n8n's list. */
interface Listed {
	id: string;
	/** The time of its start in ISO 8601; null until it has begun. */
	startedAt: string | null;
}

interface RunData {
	resultData: {
		runData?: Record<string, NodeRun[]>;
		error?: { message?: string; description?: string };
	};
}

interface NodeRun {
	data?: Record<string, Array<Array<{ json: Record<string, unknown> }> | null>>;
	error?: { message?: string; description?: string };
	hints?: Array<{ message: string }>;
}

const perPage = 100;
const finalStates = ['success', 'error', 'crashed', 'canceled'];

/** Runs a workflow as a click on "Execute workflow" does, and waits for its end. */
export async function execute(
	editor: Editor,
	workflowId: string,
	trigger: string,
	/** The data that the trigger is said to have received, where a click alone gives it nothing. */
	received?: Record<string, unknown>,
	atMostMs?: number,
): Promise<Execution> {
	const { executionId } = await start(editor, workflowId, trigger, received);
	return executionEnd(editor, executionId, atMostMs);
}

/** Starts a workflow as a click on "Execute workflow" does. */
export async function start(
	editor: Editor,
	workflowId: string,
	trigger: string,
	received?: Record<string, unknown>,
): Promise<{ executionId: string }> {
	return await editor.post(`/rest/workflows/${workflowId}/run`, {
		triggerToStartFrom: { name: trigger, ...(received && { data: runOf(received) }) },
	});
}

function runOf(received: Record<string, unknown>) {
	return {
		startTime: Date.now(),
		executionTime: 0,
		executionIndex: 0,
		executionStatus: 'success',
		source: [null],
		data: { main: [[{ json: received }]] },
	};
}

export async function executionEnd(
	editor: Editor,
	id: string,
	atMostMs = 120_000,
): Promise<Execution> {
	const ended = await until(
		`execution ${id} to end`,
		async () => {
			const stored = await editor.get<Stored>(`/rest/executions/${id}`);
			return finalStates.includes(stored.status) ? stored : undefined;
		},
		atMostMs,
	);
	const { resultData } = unflatten(ended.data) as RunData;
	const runs = (node: string) => resultData.runData?.[node] ?? [];
	return {
		id,
		status: ended.status,
		seconds: (Date.parse(ended.stoppedAt ?? '') - Date.parse(ended.startedAt)) / 1_000,
		output: (node, number) =>
			runs(node).flatMap(({ data = {} }) =>
				Object.values(data)
					.flatMap((outputs) => (number === undefined ? outputs : [outputs[number] ?? []]))
					.flatMap((items) => items ?? [])
					.map(({ json }) => json),
			),
		hints: (node) => runs(node).flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
		...(resultData.error && {
			error: [resultData.error.message, resultData.error.description].filter(Boolean).join(' '),
		}),
	};
}

/**
 * The ids of a workflow's executions, the oldest first. n8n lists the latest ones first. Its own pages are counted by the ids,
 * which many processes do not begin in this order, so the list goes on by the time at which executions have begun.
 */
export async function executionsOf(editor: Editor, workflowId: string): Promise<string[]> {
	const ids = new Set<number>();
	for (let startedBefore: string | undefined; ;) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, startedBefore }));
		const { results } = await editor.get<{ results: Listed[] }>(
			`/rest/executions?filter=${filter}&limit=${perPage}`,
		);
		const countBefore = ids.size;
		for (const { id } of results) ids.add(Number(id));
		// Executions that have begun at the same time come once more.
		[startedBefore] = results.flatMap(({ startedAt }) => startedAt ?? []).sort();
		if (startedBefore === undefined || ids.size === countBefore) break;
	}
	return [...ids].sort((a, b) => a - b).map(String);
}

/** n8n stores a run as a list of values in which every string inside an object or list is an index into it. */
function unflatten(text: string): unknown {
	const values = JSON.parse(text) as unknown[];
	const made = new Map<number, unknown>();
	const at = (index: number): unknown => {
		if (made.has(index)) return made.get(index);
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		const copy: object = Array.isArray(value) ? [] : {};
		made.set(index, copy);
		for (const [key, entry] of Object.entries(value as Record<string, unknown>)) {
			Object.assign(copy, { [key]: typeof entry === 'string' ? at(Number(entry)) : entry });
		}
		return copy;
	};
	return at(0);
}
