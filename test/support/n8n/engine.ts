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
	ObservableObject,
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IWebhookResponseData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type NodeExecutionHint,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { credentials, type Credential } from './engineCredentials';
import { fakeRequest, FakeResponse, type FakeRequest, type SentResponse } from './engineWebhook';

export interface Scene {
	/** An instance of the node that is tested, as loaded from its source. */
	node: INodeType;
	parameters?: INodeParameters;
	/** The credential of the node, which also decides the node's `authentication`. */
	credential?: Credential;
	/** More of the node: `onError`, `retryOnFail`, `webhookId` … */
	settings?: Partial<INode>;
	/** Where this n8n can be reached, for the URLs of webhooks. */
	origin?: string;
	/** A workflow that is there already, and what n8n has stored with it. */
	saved?: { id: string; stored: string };
}

type RunError = Error & { description?: string; context?: IDataObject; httpCode?: string | null };

/** The result of a run of the node. */
export interface NodeRun {
	/** The first output. */
	items: INodeExecutionData[];
	/** With "continue using error output", the errors are in the last one. */
	outputs: INodeExecutionData[][];
	/** The error that made the run fail. */
	error: RunError | undefined;
	hints: NodeExecutionHint[];
	run: IRun;
}

/** A scene that is run once, with these items. */
export interface RunScene extends Scene {
	items?: readonly IDataObject[];
	/** Stops the run as the stop button does. */
	cancel?: Promise<unknown>;
}

/** The result that the node gives for a delivery. */
export interface HandledDelivery extends IWebhookResponseData {
	/** The node's own answer, if it gave one. */
	sent: SentResponse | undefined;
	/** Answers as n8n does where the node did not. */
	answer(status: number): void;
}

const startType: INodeType = {
	description: {
		displayName: 'Start',
		name: 'start',
		version: 1,
		description: 'Hands its input on',
		group: ['trigger'],
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
};

let created = 0;

/** One workflow with one node of ours, run by n8n's own engine over real HTTP. */
export class Engine {
	private readonly credentialId?: string;
	readonly workflow: Workflow;
	readonly node: INode;

	constructor(private readonly scene: Scene) {
		const { credential, parameters, settings } = scene;
		const id = credential && (credential.id ?? credentials.add(credential).id);
		this.credentialId = id;
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
				...(credential &&
					id !== undefined && { credentials: { [credential.type]: { id, name: 'Test' } } }),
				...settings,
			},
		];
		const find = (name: string) => (name === type ? scene.node : startType);
		this.workflow = new Workflow({
			id: scene.saved?.id ?? `workflow-${++created}`,
			name: 'Test workflow',
			nodes,
			connections: { Start: { main: [[{ node: 'Platform', type: 'main', index: 0 }]] } },
			active: true,
			nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) },
			settings: { executionOrder: 'v1' },
		});
		if (scene.saved) {
			const data = JSON.parse(scene.saved.stored) as IDataObject;
			const asNew = { ignoreEmptyOnFirstChild: true };
			this.workflow.staticData = ObservableObject.create(data, undefined, asNew);
		}
		this.node = this.workflow.getNode('Platform') as INode;
	}

	/** The credential as it is stored now, refreshed tokens and all. */
	get storedCredential() {
		return credentials.read(this.credentialId);
	}

	/** The data that n8n has to store with the workflow now, if they have changed. */
	get toStore(): string | undefined {
		const { staticData } = this.workflow;
		return staticData.__dataChanged === true ? JSON.stringify(staticData) : undefined;
	}

	get staticData(): IDataObject {
		return this.workflow.getStaticData('node', this.node);
	}

	/** Runs the node with these items. */
	async run(
		json: readonly IDataObject[] = [{}],
		{ cancel }: Pick<RunScene, 'cancel'> = {},
	): Promise<NodeRun> {
		const items = json.map((row, item) => ({ json: row, pairedItem: { item } }));
		const additionalData = this.additionalData();
		const input = { data: { main: [items] } };
		const source = { main: [{ previousNode: 'Start' }] };
		const data = createRunExecutionData({
			resultData: {
				runData: {
					Start: [
						{ startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [], ...input },
					],
				},
			},
			executionData: { nodeExecutionStack: [{ node: this.node, ...input, source }] },
		});
		const execution = new WorkflowExecute(additionalData, 'manual', data).processRunExecutionData(
			this.workflow,
		);
		void cancel?.then(() => execution.cancel());
		const run = await execution;
		const task = run.data.resultData.runData.Platform?.[0];
		const outputs = (task?.data?.main ?? []).map((output) => output ?? []);
		const error = task?.error ?? run.data.resultData.error;
		return {
			items: outputs[0] ?? [],
			outputs,
			error: error as RunError | undefined,
			hints: task?.hints ?? [],
			run,
		};
	}

	/** Gives the context for list searches, resource mappings and options, as the editor asks for them. */
	editorContext(path = ''): LoadOptionsContext {
		const additionalData = this.additionalData();
		additionalData.currentNodeParameters = this.node.parameters;
		return new LoadOptionsContext(this.workflow, this.node, additionalData, path);
	}

	/** Gives the context for checkExists, create and delete. */
	hookContext(activation: WorkflowActivateMode = 'activate', isTest = false): HookContext {
		const additionalData = this.additionalData();
		// n8n gives the mode 'internal' to the end of a test in the editor, too.
		const mode = activation === 'manual' ? 'manual' : 'internal';
		return new HookContext(this.workflow, this.node, additionalData, mode, activation, {
			...this.webhookData(),
			isTest,
		});
	}

	/** Gives the context for poll. n8n can keep the poll's data apart, and says how long the poll may take. */
	pollContext(
		activation: WorkflowActivateMode = 'activate',
		stored?: IDataObject,
		budgetMs?: number,
	): PollContext {
		const mode = activation === 'manual' ? 'manual' : 'trigger';
		const { workflow, node } = this;
		return new PollContext(
			workflow,
			node,
			this.additionalData(),
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			() => stored ?? this.staticData,
			budgetMs === undefined ? undefined : () => budgetMs,
		);
	}

	/** Delivers a request to the node's webhook. */
	async webhook(
		request: FakeRequest,
		mode: WorkflowExecuteMode = 'webhook',
	): Promise<HandledDelivery> {
		const additionalData = this.additionalData();
		const response = new FakeResponse();
		additionalData.httpRequest = fakeRequest(request) as never;
		additionalData.httpResponse = response as never;
		const { workflow, node } = this;
		const data = this.webhookData();
		const context = new WebhookContext(workflow, node, additionalData, mode, data, [], null);
		const outcome = await this.scene.node.webhook?.call(context);
		if (!outcome) throw new Error('The node has no webhook');
		const answer = (status: number) => void response.status(status).end();
		return { ...outcome, sent: response.sent, answer };
	}

	private webhookData() {
		const [described] = this.scene.node.description.webhooks ?? [];
		const none = { httpMethod: 'POST', name: 'default', path: '' } as const;
		return {
			httpMethod: 'POST' as const,
			node: this.node.name,
			path: '',
			workflowId: this.workflow.id,
			workflowExecuteAdditionalData: this.additionalData(),
			webhookDescription: described ?? none,
		};
	}

	private additionalData(): IWorkflowExecuteAdditionalData {
		return additionalDataOf(this.workflow, this.scene.origin);
	}
}

/** Gives the data that n8n passes to every execution, as far as our nodes can see them. */
export function additionalDataOf(
	workflow: Workflow,
	origin = 'http://localhost:5678',
): IWorkflowExecuteAdditionalData {
	const executionId = `execution-${++created}`;
	const { id, name } = workflow;
	return {
		credentialsHelper: credentials,
		currentNodeExecutionIndex: 0,
		executionId,
		hooks: new ExecutionLifecycleHooks('manual', executionId, { id, name } as IWorkflowBase),
		restApiUrl: `${origin}/rest`,
		instanceBaseUrl: `${origin}/`,
		webhookBaseUrl: `${origin}/webhook`,
		webhookTestBaseUrl: `${origin}/webhook-test`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		variables: {},
		logAiEvent: () => {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** A scene that is run once. */
export function runWorkflow({ items, cancel, ...scene }: RunScene): Promise<NodeRun> {
	return new Engine(scene).run(items, { cancel });
}

function common(name: string) {
	return { id: `node-${name}`, name, typeVersion: 1 };
}
