import { ObservableObject, type IDataObject, type INodeParameters } from 'n8n-workflow';
import type { PollContext } from 'n8n-core';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import { EventPlatformPollingTrigger } from '../../nodes/EventPlatform/EventPlatformPollingTrigger.node';
import { Engine, tokenCredential } from './engine';
import type { TestSandbox } from './sandbox';

let created = 0;

/**
 * n8n as far as a polling trigger sees it. What the node stores is saved with each run that starts
 * and at the end of an activation, and at no other time.
 */
export class PollingHost {
	/** The items of each run. */
	readonly runs: IDataObject[][] = [];
	/** The process ends at the start of the run that comes so many from now. */
	killAfter = Infinity;
	private readonly node = new EventPlatformPollingTrigger();
	private readonly id = `polled-${++created}`;
	/** The column of the database. */
	private stored = '{}';
	private context?: PollContext;

	constructor(
		private readonly sandbox: TestSandbox,
		public parameters: INodeParameters = {},
	) {
		// As n8n's loader does it.
		this.node.description.properties.unshift(...commonPollingParameters);
	}

	get items(): IDataObject[] {
		return this.runs.flat();
	}

	async activate(mode: 'activate' | 'init' | 'update' = 'activate'): Promise<void> {
		const engine = this.engine();
		this.context = engine.pollContext((output) => {
			if (--this.killAfter < 0) throw new Error('killed');
			this.save(engine);
			this.runs.push(output.flat().map(({ json }) => json));
		}, mode);
		await this.poll();
		this.save(engine);
	}

	/** At the chosen times, with the context of the activation. */
	async poll(): Promise<void> {
		if (!this.context) throw new Error('The workflow is not active');
		expect(await this.node.poll.call(this.context)).toBeNull();
	}

	/** kill -9 and a new start: only the database is left. */
	async restart(): Promise<void> {
		this.killAfter = Infinity;
		await this.activate('init');
	}

	/** The test button of the editor. */
	async test(): Promise<IDataObject[]> {
		const output = await this.node.poll.call(this.engine().pollContext(undefined, 'manual'));
		return (output ?? []).flat().map(({ json }) => json);
	}

	/** An expression of the node's description, as the editor evaluates it. */
	evaluate(expression: string): unknown {
		const { workflow, node } = this.engine();
		return workflow.expression.getSimpleParameterValue(node, expression, 'internal', {});
	}

	private engine(): Engine {
		const engine = new Engine({
			node: this.node,
			parameters: this.parameters,
			credential: tokenCredential(this.sandbox),
		});
		engine.workflow.id = this.id;
		const data = JSON.parse(this.stored) as IDataObject;
		engine.workflow.staticData = ObservableObject.create(data, undefined, {
			ignoreEmptyOnFirstChild: true,
		});
		return engine;
	}

	private save({ workflow }: Engine): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.stored = JSON.stringify(workflow.staticData);
	}
}

/** Time for the connector and the sandbox alike, which passes when it is told to. */
export class SimulatedTime {
	private aheadMs = 0;

	constructor() {
		const realNow = Date.now;
		beforeEach(() => {
			this.aheadMs = 0;
			jest.spyOn(Date, 'now').mockImplementation(() => realNow() + this.aheadMs);
		});
		afterEach(() => jest.restoreAllMocks());
	}

	pass(minutes: number): void {
		this.aheadMs += minutes * 60_000;
	}
}
