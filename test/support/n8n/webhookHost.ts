import type { IncomingMessage } from 'node:http';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
	INodeType,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { EventPlatformTrigger } from '../../../nodes/EventPlatform/EventPlatformTrigger.node';
import { startTestServer } from '../platform/testServer';
import type { TestSandbox } from '../platform/sandbox';
import { Engine, type HandledDelivery } from './engine';
import { credentials, type Credential } from './engineCredentials';
import type { FakeRequest } from './engineWebhook';
import { tokenCredential } from './engineConsent';

export interface HostOptions {
	parameters?: INodeParameters;
	webhookSecret?: string;
	/** The sandbox's API token, unless another is given. */
	credential?: Credential;
	/** Another workflow with the same URL. */
	copyOf?: WebhookHost;
}

let created = 0;

/**
 * n8n as far as webhooks see it: a server for their URLs and a database for static data. Like n8n it
 * gives every delivery a copy of the stored data and saves each copy that changed, the last one wins.
 */
export class WebhookHost {
	readonly runs: Array<{ items: IDataObject[]; isTest: boolean }> = [];
	readonly answers: number[] = [];
	/** So many of the next runs cannot be created: the database is busy. */
	failures = 0;
	/** What happens while n8n tries to create such a run. */
	whileFailing: () => Promise<void> = () => Promise.resolve();
	/** The column of the database. */
	stored = '{}';
	parameters: INodeParameters;
	/** After a restart another copy of it. */
	node: INodeType = new EventPlatformTrigger();
	/** The data of a check are kept apart from the data of an activation and of deliveries. */
	hasDurableCursors = false;
	/** How long a check may take. */
	budgetMs?: number;
	private cursor?: string;
	private readonly credential: Credential;
	/** Where this n8n says that it can be reached, if not at its server. */
	address?: string;
	private readonly id = `hosted-${++created}`;
	private server = '';
	private active?: Engine;

	private constructor(
		sandbox: TestSandbox,
		private readonly options: HostOptions,
	) {
		const { credential = tokenCredential(sandbox), webhookSecret = '' } = options;
		const data = { ...credential.data, webhookSecret };
		this.credential = credentials.add({ ...credential, data });
		this.parameters = options.parameters ?? {};
	}

	/** The credential gets other secrets. */
	changeCredential(data: ICredentialDataDecryptedObject): void {
		Object.assign(credentials.read(this.credential.id), data);
	}

	static async start(sandbox: TestSandbox, options: HostOptions = {}): Promise<WebhookHost> {
		const host = new WebhookHost(sandbox, options);
		const { baseUrl } = await startTestServer((response, request, body) => {
			void host.answer(request, body).then((status) => response.writeHead(status).end());
		});
		host.server = baseUrl;
		return host;
	}

	get origin(): string {
		return this.address ?? this.options.copyOf?.origin ?? this.server;
	}

	get url(): string {
		return `${this.origin}/webhook/${this.webhookId}/webhook`;
	}

	get testUrl(): string {
		return `${this.origin}/webhook-test/${this.webhookId}/webhook`;
	}

	/** A copy of a workflow has the webhooks' ids of the original. */
	private get webhookId(): string {
		return this.options.copyOf?.webhookId ?? this.id;
	}

	/** The items of all runs. */
	get items(): IDataObject[] {
		return this.runs.flatMap(({ items }) => items);
	}

	get staticData(): IDataObject {
		const all = JSON.parse(this.stored) as Record<string, IDataObject | undefined>;
		return all['node:Platform'] ?? {};
	}

	/** Does what n8n does on activation and at its start. An activation that fails is cleared. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<void> {
		const engine = this.engine();
		await this.setUp(engine, mode, () => this.deactivate());
		this.save(engine);
		this.active = engine;
	}

	/**
	 * Does what n8n does at its start where another trigger of the workflow cannot make its webhook so often: each time it clears
	 * the webhooks of all triggers, and then tries again with what it read at first. `other`: its place in the workflow.
	 */
	async startBesideFailing(
		other: 'before' | 'after',
		failures: number,
		whileCleared: () => Promise<unknown>,
	): Promise<void> {
		const engine = this.engine();
		const setUp = () => this.setUp(engine, 'init', () => this.deactivate());
		for (let failed = 0; failed < failures; failed++) {
			if (other === 'after') await setUp();
			await this.deactivate();
			await whileCleared();
		}
		await setUp();
		this.save(engine);
		this.active = engine;
	}

	/**
	 * Does what n8n does after an activation and at the chosen times. The workflow is the one of the activation,
	 * and what the node stores is saved with the run that it starts, if any.
	 */
	async poll(): Promise<void> {
		const engine = this.active ?? this.engine();
		// n8n reads it first, and fails where it is not there.
		const durable = JSON.parse(this.cursor ?? JSON.stringify(this.staticData)) as IDataObject;
		const stored = this.hasDurableCursors ? durable : engine.staticData;
		const context = engine.pollContext('update', stored, this.budgetMs);
		context.getNodeParameter('pollTimes');
		const output = await this.node.poll?.call(context);
		if (this.hasDurableCursors) this.cursor = JSON.stringify(durable);
		if (!output) return;
		if (!this.hasDurableCursors) this.save(engine);
		this.runs.push({ items: output.flat().map(({ json }) => json), isTest: false });
	}

	async deactivate(): Promise<void> {
		const engine = this.engine();
		await this.node.webhookMethods?.default?.delete.call(engine.hookContext('update'));
		this.save(engine);
	}

	/** "Listen for test event" in the editor; what it stores is kept apart. The result ends it. */
	async listenForTest(): Promise<() => Promise<void>> {
		const engine = this.engine('{}');
		const stop = async () => {
			await this.node.webhookMethods?.default?.delete.call(engine.hookContext('update', true));
		};
		await this.setUp(engine, 'manual', stop);
		return stop;
	}

	/** Delivers without a sender: the same way in as over HTTP. */
	async deliver(
		request: FakeRequest,
		mode: WorkflowExecuteMode = 'webhook',
	): Promise<HandledDelivery> {
		const engine = this.engine();
		const outcome = await engine.webhook(request, mode);
		if (outcome.workflowData && this.failures > 0) {
			this.failures--;
			await this.whileFailing();
			outcome.answer(500);
			return { ...outcome, sent: { status: 500, body: undefined } };
		}
		if (mode !== 'manual') this.save(engine);
		if (outcome.workflowData) {
			const items = outcome.workflowData.flat().map(({ json }) => json);
			this.runs.push({ items, isTest: mode === 'manual' });
			outcome.answer(200);
		}
		return outcome;
	}

	private async setUp(engine: Engine, mode: WorkflowActivateMode, undo: () => Promise<void>) {
		const { checkExists, create } = this.node.webhookMethods?.default ?? {};
		const context = () => engine.hookContext(mode, mode === 'manual');
		if (await checkExists?.call(context())) return;
		await create?.call(context()).catch(async (error: unknown) => {
			await undo().catch(() => {});
			throw error;
		});
	}

	/** Answers a request. An error that the node throws makes a failed run. */
	private async answer({ url = '', headers }: IncomingMessage, rawBody: string): Promise<number> {
		const { pathname, searchParams } = new URL(url, this.origin);
		const isTest = pathname === new URL(this.testUrl).pathname;
		if (!isTest && pathname !== new URL(this.url).pathname) return 404;
		// n8n parses JSON only where the type says exactly that, and leaves an empty body elsewhere.
		const isJson = headers['content-type'] === 'application/json';
		const delivery: FakeRequest = {
			rawBody,
			body: isJson ? (JSON.parse(rawBody) as unknown) : {},
			headers: headers as Record<string, string>,
			query: Object.fromEntries(searchParams),
		};
		const outcome = await this.deliver(delivery, isTest ? 'manual' : 'webhook').catch(() => null);
		const status = outcome?.sent?.status ?? (outcome?.workflowData ? 200 : 500);
		this.answers.push(status);
		return status;
	}

	/** A workflow with what is stored at this moment. */
	private engine(stored = this.stored): Engine {
		const { node, parameters, credential, origin, id, webhookId } = this;
		return new Engine({
			node,
			parameters,
			credential,
			origin,
			settings: { webhookId },
			saved: { id, stored },
		});
	}

	private save(engine: Engine): void {
		this.stored = engine.toStore ?? this.stored;
	}
}
