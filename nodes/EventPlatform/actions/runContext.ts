import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { createYielder } from '../core/client/clock';
import { Findings, type RegistrationRun } from '../core/registration/registrationRun';
import { SessionCache } from '../core/sessions/sessionCache';
import { ItemParameters } from '../fields/itemParameters';
import { NodeParameters } from '../fields/nodeParameters';
import { FormCache } from '../form/formCache';
import { workflowZone } from '../n8n/workflowZone';
import { connect } from '../n8n/connect';
import type { RunNotes } from './runNotes';

/** The run of the action node, with the settings of the node. It is handed down, and holds no way back up. */
export interface RunContext extends RegistrationRun {
	/** The items that came in, the settings of the node, and n8n's log. */
	readonly n8n: IExecuteFunctions;
	readonly nodeParameters: NodeParameters;
	/** The registration forms that were read, each once. */
	readonly forms: FormCache;
	readonly notes: RunNotes;
}

/** The run context while one item is dealt with. `signal` is aborted as well when the failure of another item has ended the run. */
export interface ItemContext extends RunContext {
	readonly parameters: ItemParameters;
}

/** Begins a run of an operation with these fields: connects, and starts with nothing read. */
export async function createRunContext(
	n8n: IExecuteFunctions,
	fields: readonly INodeProperties[],
	notes: RunNotes,
): Promise<RunContext> {
	const run = await connect(n8n);
	const { client } = run;
	const sessions = new SessionCache(client.send, workflowZone(n8n));
	return {
		...run,
		n8n,
		nodeParameters: new NodeParameters(n8n, fields),
		sessions,
		forms: new FormCache(client.send, sessions),
		findings: new Findings(sessions, client.usage),
		notes,
	};
}

export function parametersOf(run: RunContext, itemIndex: number): ItemParameters {
	return new ItemParameters(run.nodeParameters, itemIndex);
}

/** Reads the settings. An expression that gives items different settings cannot be meant, so it is refused. */
export async function readSameForAllItems<Settings>(
	run: RunContext,
	readSettings: (parameters: ItemParameters) => Settings,
): Promise<Settings> {
	const settingsOfFirstItem = readSettings(parametersOf(run, 0));
	const expectedText = JSON.stringify(settingsOfFirstItem);
	const yieldIfDue = createYielder(run.clock, run.signal);
	for (const itemIndex of run.n8n.getInputData().keys()) {
		await yieldIfDue();
		const parameters = parametersOf(run, itemIndex);
		if (JSON.stringify(readSettings(parameters)) === expectedText) continue;
		throw parameters.parameterError(
			'The options are not the same for all items',
			`Items 1 and ${itemIndex + 1} give different ones. Nothing was sent. Use an expression that gives every item the same value.`,
		);
	}
	return settingsOfFirstItem;
}
