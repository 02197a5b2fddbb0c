import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { WithFile, type ItemOperation } from './operation';
import { operations, type ChosenOperation } from './index';
import { createRunContext, parametersOf, type RunContext } from './runContext';
import { RunNotes } from './runNotes';
import { toNodeError, type ShownError } from '../n8n/nodeError';
import { describeWaits } from '../core/client/usage';
import { nounOf } from '../fields/locators';
import { Failure } from '../core/client/failure';
import { ItemBreaker, KeptBack } from '../core/failures/breaker';
import { namePlatform } from '../core/failures/platformName';
import { mapConcurrently, usuallyAtOnce } from '../core/client/concurrently';

/** Runs the chosen operation over all items. Pairing and failures are dealt with here and nowhere else. */
export async function route(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	if (items.length === 0) return [[]];
	const notes = new RunNotes();
	let run: RunContext | undefined;
	try {
		const { operation, scope } = chosenOperation(this);
		run = await createRunContext(this, operation.fields, notes);
		if ('runAll' in operation) return [await operation.runAll(run)];
		return [(await operation.runTogether?.(run)) ?? (await runEach(operation, scope, run))];
	} catch (error) {
		const nodeError = toNodeError(this.getNode(), error, {
			scope: 'events',
			apiRoot: run?.apiRoot,
		});
		if (!this.continueOnFail()) throw nodeError;
		// An error that is thrown makes n8n pass on what came in, through the output for successes.
		return [items.map((_, itemIndex) => errorItem(nodeError, itemIndex))];
	} finally {
		// Nothing else tells people how long the platform made the run wait.
		const waits = run && describeWaits(run.client.usage);
		if (waits !== undefined) notes.hint(waits);
		for (const hint of notes.hints()) {
			const message = namePlatform(hint, run?.apiRoot);
			this.addExecutionHints({ message, location: 'outputPane' });
		}
	}
}

/** Finds the operation that the node has chosen. Throws where this version of the package does not know it. */
function chosenOperation(context: IExecuteFunctions): ChosenOperation {
	// An expression cannot choose them, so they are the same for every item.
	const resource = context.getNodeParameter<{ resource: string }>('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const operationOfNode = operations.get(`${resource} ${operation}`);
	if (operationOfNode) return operationOfNode;
	throw new NodeOperationError(
		context.getNode(),
		`This version of the node does not know the operation '${operation}' of the resource '${resource}'`,
		{ description: 'Choose another operation, or update the package.' },
	);
}

async function runEach(
	operation: ItemOperation,
	scope: string,
	run: RunContext,
): Promise<INodeExecutionData[]> {
	const { n8n } = run;
	// A 404 is about one of the records that the fields of the operation name.
	const nouns = operation.fields.flatMap((field) => nounOf(field) ?? []);
	const subject = nouns.map((noun) => `the ${noun}`).join(' or ') || undefined;
	const breaker = new ItemBreaker(run.clock);
	const workOn = async (itemIndex: number, signal: AbortSignal): Promise<INodeExecutionData[]> => {
		const parameters = parametersOf(run, itemIndex);
		try {
			const item = { ...run, parameters, signal };
			const results = [await breaker.work(async () => await operation.run(item))].flat();
			return results.map((result) => ({
				...(result instanceof WithFile ? result : { json: result }),
				pairedItem: { item: itemIndex },
			}));
		} catch (error) {
			const about = error instanceof Failure ? operation.about?.(parameters) : undefined;
			const context = { itemIndex, apiRoot: run.apiRoot, what: subject, scope, ...about };
			const nodeError = toNodeError(n8n.getNode(), error, context);
			if (!n8n.continueOnFail()) throw nodeError;
			if (error instanceof KeptBack)
				nodeError.description = `Not sent: an earlier item failed for this reason. ${nodeError.description}`;
			return [errorItem(nodeError, itemIndex)];
		}
	};
	const itemIndexes = [...n8n.getInputData().keys()];
	const mostAtOnce = operation.mayOverlap ? usuallyAtOnce : 1;
	return (await mapConcurrently(itemIndexes, mostAtOnce, workOn, run.signal)).flat();
}

/**
 * Makes an item of an error. n8n takes an item with these two keys for an error item. An item that held the error object would
 * lose the description, and on the error branch also the values of the input.
 */
function errorItem({ message, description }: ShownError, itemIndex: number): INodeExecutionData {
	const json = { error: message, ...(description ? { message: description } : {}) };
	return { json, pairedItem: { item: itemIndex } };
}
