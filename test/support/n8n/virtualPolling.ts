import type { IDataObject, INodeParameters, INodeType, IPollFunctions } from 'n8n-workflow';
import { loadFreshNode } from './freshModule';

/** An answer of a platform in memory. Undefined: the connection is lost. */
export interface VirtualAnswer {
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

type Answer = (path: string, query: URLSearchParams) => VirtualAnswer | undefined;

/**
 * Time that passes only when it is told to, for hundreds of polls in a second. A sleep of the connector lets it pass; several at the same
 * time pass together.
 */
export class VirtualTime {
	private nowMs = 0;
	private nthTest = 0;

	constructor() {
		const { now } = Date;
		const { setTimeout: later } = globalThis;
		const { timeout } = AbortSignal;
		beforeEach(() => {
			this.nowMs = Date.UTC(2026, 0, 1);
			const nth = ++this.nthTest;
			Date.now = () => this.nowMs;
			const sleep = (wake: () => void, ms = 0) => {
				const endsAtMs = this.nowMs + ms;
				return later(() => {
					// One of a test that is over says nothing of the time of this one.
					if (nth === this.nthTest) this.nowMs = Math.max(this.nowMs, endsAtMs);
					wake();
				}, 0);
			};
			globalThis.setTimeout = sleep as typeof setTimeout;
			// No response takes its time here.
			AbortSignal.timeout = () => new AbortController().signal;
		});
		afterEach(() => {
			Date.now = now;
			globalThis.setTimeout = later;
			AbortSignal.timeout = timeout;
		});
	}

	pass(ms: number): void {
		this.nowMs += ms;
	}
}

/**
 * The polling trigger in an n8n that is only as much as it sees of it, with a platform in memory: no n8n-core and no HTTP. What it has stored
 * is saved with the items of a poll and at an activation, as n8n does. PollingHost is the real one, and far slower.
 */
export class VirtualPolling {
	readonly items: IDataObject[] = [];
	readonly warnings: string[] = [];
	private saved = '{}';
	private data: IDataObject = {};
	private node: INodeType = new (loadFreshNode('EventPlatformPollingTrigger'))();
	private context: IPollFunctions;

	constructor(
		private readonly parameters: INodeParameters,
		private readonly answer: Answer,
		private readonly budgetMs = 40_000,
	) {
		this.context = this.newContext('activate');
	}

	/** The items of this poll. A poll that fails has none, and the failure is told to nobody, as in a log. */
	async poll(isActivation = false): Promise<IDataObject[]> {
		const output = await this.node.poll?.call(this.context).catch(() => null);
		const items = (output ?? []).flat().map(({ json }) => json);
		if (items.length > 0 || isActivation) this.saved = JSON.stringify(this.data);
		this.items.push(...items);
		return items;
	}

	/** n8n starts again, or another process of it takes over. It polls at once, as a part of the activation. */
	async restart(mode: 'init' | 'leadershipChange' = 'init'): Promise<IDataObject[]> {
		this.node = new (loadFreshNode('EventPlatformPollingTrigger'))();
		this.data = JSON.parse(this.saved) as IDataObject;
		this.context = this.newContext(mode);
		return await this.poll(true);
	}

	/** A person publishes the workflow again; this process goes on. */
	async publishAgain(): Promise<IDataObject[]> {
		this.data = JSON.parse(this.saved) as IDataObject;
		this.context = this.newContext('activate');
		return await this.poll(true);
	}

	private newContext(mode: 'activate' | 'init' | 'leadershipChange'): IPollFunctions {
		const parameters: Record<string, unknown> = {
			authentication: 'apiToken',
			simplify: true,
			sessionId: '',
			eventId: '',
			eventTitleContains: '',
			options: {},
			...this.parameters,
		};
		const silent = () => undefined;
		const context = {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNode: () => ({
				id: 'node',
				name: 'Trigger',
				parameters,
				credentials: { eventPlatformApi: { id: 'credential', name: 'Test' } },
			}),
			getWorkflow: () => ({ id: 'workflow', name: 'Test', active: true }),
			getInstanceId: () => 'instance',
			getTimezone: () => 'UTC',
			getWorkflowStaticData: () => this.data,
			getPollBudgetMs: () => this.budgetMs,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: () => Promise.resolve({ baseUrl: 'http://platform', apiToken: 'token' }),
			logger: {
				debug: silent,
				info: silent,
				warn: (text: string) => void this.warnings.push(text),
				error: silent,
			},
			helpers: {
				httpRequestWithAuthentication: async (_type: string, { url }: { url: string }) => {
					const { pathname, searchParams } = new URL(url);
					const answer = await Promise.resolve(this.answer(pathname, searchParams));
					if (answer === undefined)
						throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
					const { status, headers, body } = answer;
					return { statusCode: status, headers, body: JSON.stringify(body) };
				},
			},
		};
		return context as unknown as IPollFunctions;
	}
}
