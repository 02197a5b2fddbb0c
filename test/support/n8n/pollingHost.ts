import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import type { PollContext } from 'n8n-core';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import { EventPlatformPollingTrigger } from '../../../nodes/EventPlatform/EventPlatformPollingTrigger.node';
import { Engine } from './engine';
import { tokenCredential } from './engineConsent';
import type { TestSandbox } from '../platform/sandbox';
import { minuteMs } from '../time/units';
import { loadFreshNode } from './freshModule';

let created = 0;

/** A node as n8n's loader makes it of a type. */
function loaded(type: new () => INodeType): INodeType {
	const node = new type();
	node.description.properties.unshift(...commonPollingParameters);
	return node;
}

/** A copy of the node in a process that has just started. */
function startedNode(): INodeType {
	return loaded(loadFreshNode('EventPlatformPollingTrigger'));
}

/**
 * n8n as far as a polling trigger sees it. What the node stores is saved with the run that a poll starts
 * and at the end of an activation; at no other time, unless n8n keeps durable cursors.
 */
export class PollingHost {
	/** The items of each run. */
	readonly runs: IDataObject[][] = [];
	/** The process ends before the next run and what is stored with it are saved. */
	isKilled = false;
	/** Each poll has a context of its own, is never an activation, and what it stores is always saved. */
	hasDurableCursors = false;
	/** How long a poll may take, where n8n says it. */
	budgetMs?: number;
	/** The node as n8n loads it. After a restart it is another copy, which knows nothing of what the other has seen. */
	private node: INodeType = loaded(EventPlatformPollingTrigger);
	private readonly id = `polled-${++created}`;
	/** The column of the database. */
	stored = '{}';
	private engine?: Engine;
	private context?: PollContext;

	constructor(
		private readonly sandbox: TestSandbox,
		public parameters: INodeParameters = {},
	) {
		// A poll in a test that is not about the month shall not be left out because of it.
		this.parameters = {
			...parameters,
			options: { keepToShare: false, ...(parameters.options as INodeParameters) },
		};
	}

	get items(): IDataObject[] {
		return this.runs.flat();
	}

	async activate(mode: 'activate' | 'init' | 'update' = 'activate'): Promise<void> {
		this.engine = this.newEngine();
		this.context = this.engine.pollContext(this.hasDurableCursors ? 'update' : mode);
		await this.poll();
		this.save();
	}

	/** Polls as n8n does at the chosen times, with the context of the activation. */
	async poll(): Promise<void> {
		if (this.hasDurableCursors) {
			this.engine = this.newEngine();
			this.context = this.engine.pollContext('update', undefined, this.budgetMs);
		}
		if (!this.context) throw new Error('The workflow is not active');
		const output = (await this.node.poll?.call(this.context)) ?? null;
		if (output === null) {
			if (this.hasDurableCursors) this.save();
			return;
		}
		if (this.isKilled) throw new Error('killed');
		this.save();
		this.runs.push(output.flat().map(({ json }) => json));
	}

	/** kill -9 and a new start: only the database is left. */
	async restart(): Promise<void> {
		this.isKilled = false;
		this.startProcess();
		await this.activate('init');
	}

	/** A process begins that knows nothing of other triggers, which share the token in one process. */
	startProcess(): void {
		this.node = startedNode();
	}

	/** This trigger runs in the same process as another one. */
	shareProcess(other: PollingHost): void {
		this.node = other.node;
	}

	/** The test button of the editor. */
	async test(): Promise<IDataObject[]> {
		const output = await this.node.poll?.call(this.newEngine().pollContext('manual'));
		return (output ?? []).flat().map(({ json }) => json);
	}

	/** An expression of the node's description, as the editor evaluates it. */
	evaluate(expression: string): unknown {
		const { workflow, node } = this.newEngine();
		return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
	}

	private newEngine(): Engine {
		const { node, parameters, id, stored } = this;
		const credential = tokenCredential(this.sandbox);
		return new Engine({ node, parameters, credential, saved: { id, stored } });
	}

	private save(): void {
		this.stored = this.engine?.toStore ?? this.stored;
	}
}

/** The connector sleeps in slices of at most so long. What waits longer guards an answer, for which a slow machine has its time. */
const sliceMs = 250;
/** How long a slice takes in reality. */
const realSliceMs = 20;

/** Time for the connector and the sandbox alike. It passes when it is told to, and for who waits: how fast the machine is changes nothing. */
export class SimulatedTime {
	private nowMs = 0;

	/** `file`: it goes on from test to test. */
	constructor(lasts: 'test' | 'file' = 'test') {
		const realNow = Date.now;
		const realTimeout = globalThis.setTimeout;
		const [begin, end] = lasts === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
		begin(() => {
			// It begins with a minute, to which sessions are planned.
			this.nowMs = Math.ceil(realNow() / minuteMs) * minuteMs;
			// Not spies: the runner would restore them before the first test.
			Date.now = () => this.nowMs;
			const wait = (wake: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
				const beganAtMs = this.nowMs;
				const pass = () => {
					const leftMs = beganAtMs + ms - this.nowMs;
					this.nowMs += Math.max(0, Math.min(leftMs, ms));
					wake(...values);
				};
				return realTimeout(pass, ms > sliceMs ? ms : Math.min(ms, realSliceMs));
			};
			globalThis.setTimeout = wait as typeof setTimeout;
		});
		end(() => {
			Date.now = realNow;
			globalThis.setTimeout = realTimeout;
		});
	}

	passMinutes(minutes: number): void {
		this.nowMs += minutes * minuteMs;
	}
}
