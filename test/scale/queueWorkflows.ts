import { connect } from '../../host/connect';
import type { WorkflowNode } from '../../host/editor';
import { executionEnd, executionsOf, type Execution } from '../../host/execution';
import { ensureCredential, oAuthType } from '../../host/provision';
import { until } from '../../host/until';
import type { SandboxOptions } from '../../sandbox/options';
import type { QueueN8n } from './queue';
import { sandboxForTests, type TestSandbox } from '../support/platform/sandbox';
import { node, publish, saved, workflowOf } from '../support/n8n/workflows';

/** Which people an execution registers: `person<first>@example.com` and the following. */
export interface Batch {
	first: number;
	count: number;
	sessionId: string;
}

/** A platform, and an OAuth2 credential for it in n8n, consent given. */
export async function platformFor(
	{ editor, redirectUri }: QueueN8n,
	options: Partial<SandboxOptions> = {},
	more: Record<string, string> = {},
) {
	const sandbox = await sandboxForTests({ redirectUri, ...options });
	const { baseUrl, authServerUrl, clientId, clientSecret } = sandbox;
	const credential = await ensureCredential(editor, {
		name: `Platform at ${baseUrl}`,
		type: oAuthType,
		data: { baseUrl, authServerUrl, clientId, clientSecret, ...more },
	});
	await connect(editor, credential.id);
	return { sandbox, credential };
}

/** Makes a workflow listen that starts with this node; gives its id. */
export async function published({ editor }: QueueN8n, ...nodes: WorkflowNode[]): Promise<string> {
	const id = await saved(editor, workflowOf('In the queue', ...nodes));
	await publish(editor, id);
	return id;
}

/** Makes a workflow listen to the path. Each batch that is posted there starts an execution, whose last node gets its people. */
export function publishedAt(n8n: QueueN8n, path: string, last: WorkflowNode): Promise<string> {
	const webhook = { httpMethod: 'POST', path, options: {} };
	const start = node('Start', 'n8n-nodes-base.webhook', webhook, 2);
	const jsCode = `const { first, count, sessionId } = $input.first().json.body;
return Array.from({ length: count }, (_, index) => ({ json: { email: \`person\${first + index}@example.com\`, sessionId } }));`;
	const people = node('People', 'n8n-nodes-base.code', { jsCode }, 2);
	return published(n8n, { ...start, webhookId: path }, people, last);
}

export function addresses(count: number, first = 1): string[] {
	return Array.from({ length: count }, (_, index) => `person${first + index}@example.com`).sort();
}

export async function startExecution({ webhookUrl }: QueueN8n, path: string, batch: Batch) {
	// The webhook process learns of a workflow a moment after it was published.
	const headers = { 'content-type': 'application/json' };
	const sent = { method: 'POST', headers, body: JSON.stringify(batch) };
	const status = await until(`the webhook "${path}"`, async () => {
		const answer = await fetch(`${webhookUrl}/webhook/${path}`, sent);
		return answer.status !== 404 && answer.status;
	});
	expect(status).toBe(200);
}

/** All executions of the workflow, when there are `count` of them and they have ended. */
export async function endedExecutions(
	{ editor }: QueueN8n,
	workflowId: string,
	count: number,
): Promise<Execution[]> {
	const all = async () => {
		const executions = await executionsOf(editor, workflowId);
		return executions.length >= count ? executions : undefined;
	};
	const ids = await until(`${count} executions`, all, 180_000);
	return Promise.all(ids.map((id) => executionEnd(editor, id, 300_000)));
}

/** Read past the API, so that reading does not count against its limit. */
export function registeredAt({ platform: { store } }: TestSandbox, sessionId: string): string[] {
	const rows = store.all(
		'SELECT p.email FROM registrations r JOIN people p ON p.id = r.person_id WHERE r.session_id = ? ORDER BY p.email',
		sessionId,
	);
	return rows.map(({ email }) => String(email));
}
