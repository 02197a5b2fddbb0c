import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { createYielder } from '../core/client/clock';
import type { EmailUsesShown } from '../core/registration/lostAnswer';
import { PlainForm } from '../core/registration/refusals';
import { SessionCache } from '../core/sessions/sessionCache';
import { ItemParameters } from '../fields/itemParameters';
import { NodeParameters } from '../fields/nodeParameters';
import { FormCache } from '../form/formCache';
import { workflowZone } from '../n8n/workflowZone';
import { connect, type Connection } from '../n8n/connect';
import type { RunNotes } from './runNotes';

/** Everything that lives as long as one execution of the action node. It is handed down, and holds no way back up. */
export interface RunContext extends Connection {
	/** The items that came in, the settings of the node, and n8n's log. */
	readonly n8n: IExecuteFunctions;
	readonly nodeParameters: NodeParameters;
	/** When the run began, in milliseconds. */
	readonly startedAtMs: number;
	/** The sessions that were read, each once. */
	readonly sessions: SessionCache;
	/** The registration forms that were read, each once. */
	readonly forms: FormCache;
	/** How the platform takes registrations, as far as those of this run have shown it. */
	readonly plain: PlainForm;
	/** What the events do with emails, as far as the registrations of this run have shown it. */
	readonly emailUses: Record<keyof EmailUsesShown, Set<string>>;
	readonly notes: RunNotes;
}

/** The run context while one item is dealt with. `signal` is aborted as well when the failure of another item has ended the run. */
export interface ItemContext extends RunContext {
	readonly parameters: ItemParameters;
}

interface RunSettings {
	readonly fields: readonly INodeProperties[];
}

/** Begins a run: connects, and starts with nothing read. */
export async function createRunContext(
	n8n: IExecuteFunctions,
	{ fields }: RunSettings,
	notes: RunNotes,
): Promise<RunContext> {
	const connection = await connect(n8n);
	const { client } = connection;
	const sessions = new SessionCache(client.send, workflowZone(n8n));
	return {
		...connection,
		n8n,
		nodeParameters: new NodeParameters(n8n, fields),
		startedAtMs: connection.clock.now(),
		sessions,
		forms: new FormCache(client.send, sessions),
		plain: new PlainForm(),
		emailUses: { publicSessions: new Set(), sessionsThatKeepEmails: new Set() },
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
