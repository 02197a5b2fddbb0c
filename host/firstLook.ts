// A program of its own, because n8n-core reads the environment when it is loaded: registers the sample list of the example
// against a sandbox, with n8n's engine and the built node, and prints what became of each person. It needs no n8n around it,
// so it is seen while n8n itself is still being downloaded.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { startSandbox } from '../sandbox/server';
import { bulkExample, countOutcomes, outcomeTable, registering } from './demonstration';
import type { Workflow } from './editor';
import { sampleSession } from './platform';
import { progressOn } from './progress';
import { readExample } from './provision';

interface Person {
	row: number;
	email: string | null;
	status: string;
	reason: string | null;
}

const progress = progressOn(process.stdout);

const connector = resolve(__dirname, '../dist');

const home = mkdtempSync(join(tmpdir(), 'event-platform-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
Object.assign(process.env, {
	N8N_USER_FOLDER: home,
	N8N_ENCRYPTION_KEY: 'only for this folder',
	N8N_LOG_LEVEL: 'silent',
});

async function main(): Promise<void> {
	const example = await readExample(bulkExample.file);
	const sandbox = await startSandbox({ port: 0 });
	try {
		const session = await sampleSession(sandbox);
		progress.say(
			`Registering a sample list for "${session.name}", in a sandbox of the platform …\n`,
		);
		const people = await registerList(example, session.id, sandbox);
		progress.say(`${outcomeTable(countOutcomes(people))}\n`);
		for (const { row, email, status, reason } of people) {
			if (status === 'registered') continue;
			progress.say(`  Row ${row}, ${email || 'no address'}: ${status}. ${reason ?? ''}`.trimEnd());
		}
		progress.say('');
	} finally {
		await sandbox.close();
	}
}

async function registerList(
	example: Workflow,
	sessionId: string,
	{ baseUrl, apiToken }: { baseUrl: string; apiToken: string },
) {
	const [list, register] = ['Sample list', bulkExample.node].map((name) =>
		example.nodes.map(registering).find((node) => node.name === name),
	);
	const { assignments } = list?.parameters.assignments as { assignments: Array<{ value: string }> };
	// The list is one expression: without its signs it is JavaScript.
	const expression = assignments[0]?.value.replace(/^=\{\{|\}\}$/g, '') ?? '';
	const people = runInNewContext(`(${expression})`) as IDataObject[];
	const node: INode = {
		id: 'register',
		name: 'Register',
		typeVersion: 1,
		position: [0, 0],
		type: 'eventPlatform',
		parameters: {
			...(register?.parameters as INode['parameters']),
			authentication: 'apiToken',
			sessionId: { __rl: true, mode: 'id', value: sessionId },
		},
		credentials: { eventPlatformApi: { id: 'token', name: 'Sandbox' } },
	};
	const items = people.map((json) => ({ json }));
	return await execute(node, items, { baseUrl, apiToken });
}

async function execute(
	node: INode,
	items: INodeExecutionData[],
	credential: ICredentialDataDecryptedObject,
) {
	const { ExecutionLifecycleHooks, WorkflowExecute } = await import('n8n-core');
	const { createRunExecutionData, ICredentialsHelper, Workflow } = await import('n8n-workflow');
	const { EventPlatform, EventPlatformApi } = await loadConnector();
	const type = new EventPlatformApi();

	class SandboxCredential extends ICredentialsHelper {
		getParentTypes = () => [];
		isCredentialUsableByNode = () => true;
		authenticate = (_: unknown, __: string, request: unknown) =>
			type.authenticate(credential, request as IHttpRequestOptions);
		preAuthentication = () => Promise.resolve(undefined);
		runPreAuthentication = () => Promise.resolve(undefined);
		getDecrypted = () => Promise.resolve(credential);
		getCredentials = () => Promise.reject(new Error('Nothing is stored here'));
		updateCredentials = () => Promise.resolve();
		updateCredentialsOauthTokenData = () => Promise.resolve();
		getCredentialsProperties = () => type.properties;
	}

	const find = () => new EventPlatform();
	const workflow = new Workflow({
		id: 'first-look',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) },
	});
	const additionalData = {
		credentialsHelper: new SandboxCredential(),
		executionId: 'first-look',
		hooks: new ExecutionLifecycleHooks('manual', 'first-look', workflow as never),
		currentNodeExecutionIndex: 0,
		// n8n makes addresses of these for expressions.
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		setExecutionStatus: () => undefined,
		sendDataToUI: () => undefined,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	const data = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
	});
	const run = await new WorkflowExecute(additionalData, 'manual', data).processRunExecutionData(
		workflow,
	);
	const { error, runData } = run.data.resultData;
	if (error) throw error;
	return (runData[node.name]?.[0]?.data?.main?.[0] ?? []).map(
		({ json }) => json as unknown as Person,
	);
}

/** The classes that n8n would take from the package. */
interface Connector {
	EventPlatform: new () => INodeType;
	EventPlatformApi: new () => { authenticate: Authenticate; properties: [] };
}

async function loadConnector(): Promise<Connector> {
	const classes = await Promise.all([
		import(`${connector}/nodes/EventPlatform/EventPlatform.node.js`),
		import(`${connector}/credentials/EventPlatformApi.credentials.js`),
	]);
	return Object.assign({}, ...classes) as Connector;
}

type Authenticate = (
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
) => Promise<IHttpRequestOptions>;

main().catch((error: unknown) => {
	progress.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exitCode = 1;
});
