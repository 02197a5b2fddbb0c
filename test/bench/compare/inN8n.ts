import type { Workflow } from '../../../host/editor';
import type { Installation } from '../../../host/installation';
import { tokenType } from '../../../host/provision';
import { N8nCli } from '../../support/cli';
import { userFolderWithConnector } from '../../support/n8n';
import { manual, node, nodeType } from '../../support/workflows';
import type { Result } from './measured';
import { result, source } from './workflows';

const credential = { id: 'comparison', name: 'Platform', type: tokenType };

/** The same workflow in a real n8n, started at its command line; the seconds are those that n8n itself wrote down. */
export async function runInN8n(
	installation: Installation,
	workflow: Workflow,
	{ items, access }: { items: object[]; access: { baseUrl: string; apiToken: string } },
): Promise<Result> {
	const { userFolder, remove } = await userFolderWithConnector();
	try {
		const cli = new N8nCli(installation, userFolder);
		const { baseUrl, apiToken } = access;
		await cli.importCredential({ ...credential, data: { baseUrl, apiToken } });
		await cli.importWorkflow(startedByHand(workflow, items));
		const { output, seconds } = await cli.timed('comparison');
		// The process is n8n's own: what it costs beyond this workflow cannot be told apart.
		return { cost: { seconds, cpuSeconds: NaN, peakMb: NaN }, output: output(result) };
	} finally {
		await remove();
	}
}

function startedByHand(workflow: Workflow, items: object[]) {
	const jsCode = `return ${JSON.stringify(items)}.map((json) => ({ json }));`;
	const nodes = workflow.nodes.map((one) => {
		if (one.name === source)
			return { ...one, ...node(source, 'n8n-nodes-base.code', { jsCode }, 2) };
		if (one.type !== nodeType) return one;
		return { ...one, credentials: { [tokenType]: { id: credential.id, name: credential.name } } };
	});
	const start = { ...manual, id: 'start', position: [-220, 0] };
	const first = { main: [[{ node: source, type: 'main', index: 0 }]] };
	return {
		...workflow,
		id: 'comparison',
		active: false,
		nodes: [start, ...nodes],
		connections: { [manual.name]: first, ...workflow.connections },
	};
}
