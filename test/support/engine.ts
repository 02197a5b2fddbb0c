import './engineHome';
import {
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	PollContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { MemoryCredentials, type Credential } from './engineCredentials';
import { fakeRequest, FakeResponse, type FakeRequest } from './engineWebhook';

export { connectThroughConsent, tokenCredential, unconnectedCredential } from './engineConsent';

export interface Scene {
	/** An instance of the node that is tested, as loaded from its source. */
	node: INodeType;
	parameters?: INodeParameters;
	/** Also chooses `authentication`. */
	credential?: Credential;
	/** More of the node: `onError`, `retryOnFail`, `webhookId` … */
	settings?: Partial<INode>;
	/** Shared by scenes that use the same credential; else every scene has its own. */
	credentials?: MemoryCredentials;
	/** The id under which `credentials` already has the credential. */
	credentialId?: string;
	/** Where this n8n can be reached, for the URLs of webhooks. */
	origin?: string;
}

export interface PersonOutcome {
	/** Output 0. */
	items: INodeExecutionData[];
	/** All outputs; with "continue using error output", the errors are in the last one. */
	outputs: INodeExecutionData[][];
	/** What made the run fail. */
	error?: Error & { description?: string; context?: IDataObject; httpCode?: string | null };
	hints: NodeExecutionHint[];
	run: IRun;
}

export interface WebhookOutcome extends IWebhookResponseData {
	/** What the node itself answered with, where it did. */
	sent?: { status: number; body: unknown };
	/** What n8n answers with, where the node did not. */
	answer(status: number): void;
}

const startType: INodeType = {
	description: {
		displayName: 'Start',
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: 'Hands its input on',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
};

let created = 0;

/** One workflow with one node of ours, run by n8n's own engine over real HTTP. */
export class Engine {
	readonly credentials: MemoryCredentials;
	readonly credentialId?: string;
	readonly workflow: Workflow;
	readonly node: INode;

	constructor(private readonly scene: Scene) {
		const { credential, parameters, settings } = scene;
		this.credentials = scene.credentials ?? new MemoryCredentials();
		const details = credential && {
			id: scene.credentialId ?? this.credentials.add(credential).id,
			name: 'Test credential',
		};
		this.credentialId = details?.id;
		const type = `n8n-nodes-event-platform.${scene.node.description.name}`;
		const nodes: INode[] = [
			{ ...common('Start'), type: 'test.start', position: [0, 0], parameters: {} },
			{
				...common('Platform'),
				type,
				position: [200, 0],
				parameters: {
					...(credential && {
						authentication: credential.type === 'eventPlatformApi' ? 'apiToken' : 'oAuth2',
					}),
					...parameters,
				},
				...(credential && details && { credentials: { [credential.type]: details } }),
				...settings,
			},
		];
		const known: Record<string, INodeType> = { 'test.start': startType, [type]: scene.node };
		const find = (name: string): INodeType => {
			const found = known[name];
			if (!found) throw new Error(`There is no node type ${name}`);
			return found;
		};
		this.workflow = new Workflow({
			id: `workflow-${++created}`,
			name: 'Test workflow',
			nodes,
			connections: { Start: { main: [[{ node: 'Platform', type: 'main', index: 0 }]] } },
			active: true,
			nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) },
			settings: { executionOrder: 'v1' },
		});
		const node = this.workflow.getNode('Platform');
		if (!node) throw new Error('The workflow has lost its node');
		this.node = node;
	}

	/** The credential as it is stored now, refreshed tokens and all. */
	get storedCredential() {
		return this.credentials.read(this.credentialId ?? null);
	}

	get staticData(): IDataObject {
		return this.workflow.getStaticData('node', this.node);
	}

	/** Runs the node with these items. `cancel` stops the run as the stop button does. */
	async run(
		json: readonly IDataObject[] = [{}],
		{ cancel }: { cancel?: Promise<unknown> } = {},
	): Promise<PersonOutcome> {
		const items = json.map((one, item) => ({ json: one, pairedItem: { item } }));
		const additionalData = this.additionalData();
		const startRun = {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			source: [],
			data: { main: [items] },
		};
		const data = createRunExecutionData({
			resultData: { runData: { Start: [startRun] } },
			executionData: {
				nodeExecutionStack: [
					{
						node: this.node,
						data: { main: [items] },
						source: { main: [{ previousNode: 'Start' }] },
					},
				],
			},
		});
		const execution = new WorkflowExecute(additionalData, 'manual', data).processRunExecutionData(
			this.workflow,
		);
		void cancel?.then(() => execution.cancel());
		const run = await execution;
		const task = run.data.resultData.runData.Platform?.[0];
		const outputs = (task?.data?.main ?? []).map((output) => output ?? []);
		return {
			items: outputs[0] ?? [],
			outputs,
			error: (task?.error ?? run.data.resultData.error) as PersonOutcome['error'],
			hints: task?.hints ?? [],
			run,
		};
	}

	/** For list searches, resource mappings and options, as the editor asks for them. */
	editorContext(path = ''): LoadOptionsContext {
		const additionalData = this.additionalData();
		additionalData.currentNodeParameters = this.node.parameters;
		return new LoadOptionsContext(this.workflow, this.node, additionalData, path);
	}

	/** For checkExists, create and delete. */
	hookContext(activation: WorkflowActivateMode = 'activate', isTest = false): HookContext {
		const additionalData = this.additionalData();
		const mode = isTest ? 'manual' : 'trigger';
		return new HookContext(this.workflow, this.node, additionalData, mode, activation, {
			...this.webhookData(),
			isTest,
		});
	}

	/** For poll; n8n can keep what it stores apart. */
	pollContext(activation: WorkflowActivateMode = 'activate', stored?: IDataObject): PollContext {
		const mode = activation === 'manual' ? 'manual' : 'trigger';
		const { workflow, node } = this;
		return new PollContext(
			...([workflow, node, this.additionalData(), mode, activation] as const),
			...([undefined, undefined, undefined, undefined] as const),
			() => stored ?? this.staticData,
		);
	}

	/** Delivers a request to the node's webhook. */
	async webhook(
		request: FakeRequest,
		mode: WorkflowExecuteMode = 'webhook',
	): Promise<WebhookOutcome> {
		const additionalData = this.additionalData();
		const response = new FakeResponse();
		additionalData.httpRequest = fakeRequest(request) as never;
		additionalData.httpResponse = response as never;
		const context = new WebhookContext(
			this.workflow,
			this.node,
			additionalData,
			mode,
			this.webhookData(),
			[],
			null,
		);
		const outcome = await this.scene.node.webhook?.call(context);
		if (!outcome) throw new Error('The node has no webhook');
		const answer = (status: number) => void response.status(status).end();
		return { ...outcome, sent: response.sent, answer };
	}

	private webhookData() {
		const [webhookDescription] = this.scene.node.description.webhooks ?? [];
		return {
			httpMethod: 'POST' as const,
			node: this.node.name,
			path: '',
			workflowId: this.workflow.id,
			workflowExecuteAdditionalData: this.additionalData(),
			webhookDescription: webhookDescription ?? {
				httpMethod: 'POST' as const,
				name: 'default' as const,
				path: '',
			},
		};
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		return additionalDataOf(this.workflow, this.credentials, this.scene.origin);
	}
}

/** What n8n gives to every execution, as far as our nodes can see it. */
export function additionalDataOf(
	workflow: Workflow,
	credentials: MemoryCredentials,
	origin = 'http://localhost:5678',
): IWorkflowExecuteAdditionalData {
	const executionId = `execution-${++created}`;
	const hooks = new ExecutionLifecycleHooks('manual', executionId, {
		id: workflow.id,
		name: 'Test workflow',
		active: false,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: Object.values(workflow.nodes),
		connections: {},
		activeVersionId: null,
	});
	return {
		credentialsHelper: credentials,
		currentNodeExecutionIndex: 0,
		executionId,
		hooks,
		restApiUrl: `${origin}/rest`,
		instanceBaseUrl: `${origin}/`,
		formBaseUrl: `${origin}/form`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		formTestBaseUrl: `${origin}/form-test`,
		webhookBaseUrl: `${origin}/webhook`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		webhookTestBaseUrl: `${origin}/webhook-test`,
		mcpBaseUrl: `${origin}/mcp`,
		mcpTestBaseUrl: `${origin}/mcp-test`,
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		executeWorkflow: notHere,
		getRunExecutionData: notHere,
		getRuntimeCredential: notHere,
		startRunnerTask: notHere,
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** A scene that is run once. */
export function runWorkflow({
	items,
	cancel,
	...scene
}: Scene & { items?: readonly IDataObject[]; cancel?: Promise<unknown> }): Promise<PersonOutcome> {
	return new Engine(scene).run(items, { cancel });
}

function common(name: string) {
	return { id: `node-${name}`, name, typeVersion: 1 };
}

function notHere(): never {
	throw new Error('The engine of the tests has no such thing');
}
