import { randomUUID } from 'node:crypto';
import type { Editor, SavedCredential, Workflow, WorkflowNode } from '../../../host/editor';
import { byId } from './locators';

export const nodeType = 'n8n-nodes-event-platform.eventPlatform';

export const manual = node('Start', 'n8n-nodes-base.manualTrigger');

/** A workflow of nodes in a row. */
export function workflowOf(name: string, ...nodes: WorkflowNode[]): Workflow {
	const connections = Object.fromEntries(
		nodes.slice(0, -1).map((from, index) => {
			const to = nodes[index + 1]?.name ?? '';
			return [from.name, { main: [[{ node: to, type: 'main', index: 0 }]] }];
		}),
	);
	const placed = nodes.map((each, index) => ({
		...each,
		id: randomUUID(),
		position: [index * 220, 0],
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}

/** Saves a workflow; gives its id. */
export async function saved(editor: Editor, workflow: Workflow): Promise<string> {
	return (await editor.post<{ id: string }>('/rest/workflows', workflow)).id;
}

/** Makes a saved workflow listen, which n8n goes on with in the background after it has answered. */
export async function publish(editor: Editor, id: string): Promise<void> {
	const { versionId } = await editor.get<Workflow>(`/rest/workflows/${id}`);
	await editor.post(`/rest/workflows/${id}/activate`, { versionId });
}

export function node(
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	typeVersion = 1,
): WorkflowNode {
	return { name, type, typeVersion, parameters };
}

/** People as a spreadsheet would give them: `person1@<domain>` and so on, some addresses in place of the first ones. */
export function people(
	count: number,
	{ domain = 'example.com', instead = [] }: { domain?: string; instead?: string[] } = {},
): WorkflowNode {
	const jsCode = `const instead = ${JSON.stringify(instead)};
return Array.from({ length: ${count} }, (_, index) => ({ json: {
	email: instead[index] ?? \`person\${index + 1}@${domain}\`, first_name: 'Person', last_name: String(index + 1),
} }));`;
	return node('People', 'n8n-nodes-base.code', { jsCode }, 2);
}

/** The connector's action node. */
export function eventPlatform(
	name: string,
	credential: SavedCredential,
	parameters: Record<string, unknown>,
): WorkflowNode {
	const { id, name: called, type } = credential;
	const authentication = type === 'eventPlatformApi' ? 'apiToken' : 'oAuth2';
	return {
		...node(name, nodeType, { authentication, ...parameters }),
		credentials: { [type]: { id, name: called } },
	};
}

export function eventPlatformTrigger(
	credential: SavedCredential,
	parameters: Record<string, unknown>,
): WorkflowNode {
	const trigger = eventPlatform('When it happens', credential, parameters);
	return { ...trigger, type: `${nodeType}Trigger`, webhookId: randomUUID() };
}

/** Asks the platform each minute. */
export function eventPlatformPollingTrigger(
	credential: SavedCredential,
	parameters: Record<string, unknown>,
): WorkflowNode {
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const trigger = eventPlatform('When it is found', credential, { pollTimes, ...parameters });
	return { ...trigger, type: `${nodeType}PollingTrigger` };
}

export function bulkRegister(
	credential: SavedCredential,
	sessionId: string,
	parameters: Record<string, unknown> = {},
): WorkflowNode {
	return eventPlatform('Register in bulk', credential, {
		resource: 'registration',
		operation: 'bulkRegister',
		sessionId: byId(sessionId),
		fields: { mappingMode: 'autoMapInputData', value: null, schema: [], matchingColumns: [] },
		...parameters,
	});
}

/** Gives a session as if it was chosen from the list. The list shows the date first, which is so many days from now. */
export function chosenSession(value: string, days: number, words: string) {
	const start = new Date(Date.now() + days * 86_400_000);
	const day = start.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
	return { __rl: true, mode: 'list', value, cachedResultName: `${day} ${words}` };
}
