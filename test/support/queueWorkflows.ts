import { connect } from '../../host/connect';
import type { SavedCredential, Workflow } from '../../host/editor';
import { executionEnd, executionsOf, type Execution } from '../../host/execution';
import { ensureCredential, oAuthType } from '../../host/provision';
import { until } from '../../host/until';
import type { SandboxOptions } from '../../sandbox/options';
import type { QueueN8n } from './queue';
import { sandboxForTests, type TestSandbox } from './sandbox';
import { node, publish, saved } from './workflows';

/** Which people an execution registers: `person<first>@example.com` and the following. */
export interface Batch {
	first: number;
	count: number;
	sessionId: string;
}

export function platformFor(
	n8n: QueueN8n,
	options: Partial<SandboxOptions> = {},
): Promise<TestSandbox> {
	return sandboxForTests({ redirectUri: n8n.redirectUri, ...options });
}

/** An OAuth2 credential for the sandbox, consent given. */
export async function connected(
	{ editor }: QueueN8n,
	{ baseUrl, authServerUrl, clientId, clientSecret }: TestSandbox,
	more: Record<string, string> = {},
): Promise<SavedCredential> {
	const credential = await ensureCredential(editor, {
		name: `Platform at ${baseUrl}`,
		type: oAuthType,
		data: { baseUrl, authServerUrl, clientId, clientSecret, ...more },
	});
	await connect(editor, credential.id);
	return credential;
}

/** Saves the workflow and makes it listen; gives its id. */
export async function published({ editor }: QueueN8n, workflow: Workflow): Promise<string> {
	const id = await saved(editor, workflow);
	await publish(editor, id);
	return id;
}

/** Starts an execution for each batch that is posted to it. */
export function webhook(path: string) {
	return {
		...node('Start', 'n8n-nodes-base.webhook', { httpMethod: 'POST', path, options: {} }, 2),
		webhookId: path,
	};
}

/** The people of the batch that started the execution. */
export function peopleOfBatch() {
	const jsCode = `const { first, count, sessionId } = $input.first().json.body;
return Array.from({ length: count }, (_, index) => ({ json: { email: \`person\${first + index}@example.com\`, sessionId } }));`;
	return node('People', 'n8n-nodes-base.code', { jsCode }, 2);
}

export function addresses(count: number, first = 1): string[] {
	return Array.from({ length: count }, (_, index) => `person${first + index}@example.com`).sort();
}

export async function startExecution({ webhookUrl }: QueueN8n, path: string, batch: Batch) {
	// The webhook process learns of a workflow a moment after it was published.
	const status = await until(`the webhook "${path}"`, async () => {
		const answer = await fetch(`${webhookUrl}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(batch),
		});
		return answer.status === 404 ? undefined : answer.status;
	});
	expect(status).toBe(200);
}

/** All executions of the workflow, when there are `count` of them and they have ended. */
export async function endedExecutions(
	{ editor }: QueueN8n,
	workflowId: string,
	count: number,
): Promise<Execution[]> {
	const ids = await until(
		`${count} executions`,
		async () => {
			const found = await executionsOf(editor, workflowId);
			return found.length >= count ? found : undefined;
		},
		180_000,
	);
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
