import type { Workflow } from '../../../host/editor';
import { execute } from '../../../host/execution';
import { ensureCredential, tokenType } from '../../../host/provision';
import { startTestedN8n } from '../../support/n8n/n8n';
import { manual, node, nodeType, saved } from '../../support/n8n/workflows';
import type { RunWorkflow } from './measure';
import { result, source } from './workflows';

/** Longer than a thousand people take one by one. */
const atMostMs = 30 * 60_000;

/**
 * A real n8n, in a process of its own and with the packed connector installed, that runs the same workflows one after the
 * other. The seconds are those that n8n itself wrote down.
 */
export async function startRealN8n(): Promise<{ runWorkflow: RunWorkflow; stop(): Promise<void> }> {
	const { editor, close } = await startTestedN8n();
	return {
		stop: close,
		runWorkflow: async (workflow, { items, access }) => {
			const { baseUrl, apiToken } = access;
			const credential = { name: 'Platform', type: tokenType, data: { baseUrl, apiToken } };
			const { id, name } = await ensureCredential(editor, credential);
			const started = await saved(editor, startedByHand(workflow, items, { id, name }));
			const run = await execute(editor, started, manual.name, undefined, atMostMs);
			// The process is n8n's own: what it costs beyond this workflow cannot be told apart.
			const cost = { seconds: run.seconds, cpuSeconds: NaN, peakMb: NaN };
			return { cost, output: run.output(result), ...(run.error && { error: run.error }) };
		},
	};
}

function startedByHand(
	workflow: Workflow,
	items: object[],
	credential: { id: string; name: string },
): Workflow {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	const nodes = workflow.nodes.map((step) => {
		if (step.name === source)
			return { ...step, ...node(source, 'n8n-nodes-base.code', { jsCode }, 2) };
		return step.type === nodeType ? { ...step, credentials: { [tokenType]: credential } } : step;
	});
	const start = { ...manual, id: 'start', position: [-220, 0] };
	const first = { main: [[{ node: source, type: 'main', index: 0 }]] };
	return {
		...workflow,
		nodes: [start, ...nodes],
		connections: { [manual.name]: first, ...workflow.connections },
	};
}
