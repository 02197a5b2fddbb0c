import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { WithFile, type ItemOperation } from './operation';
import { operations, type ChosenOperation } from './index';
import { createRunContext, parametersOf, type RunContext } from './runContext';
import { RunNotes } from './runNotes';
import { toNodeError, type ShownError } from '../n8n/nodeError';
import { describeUsage, describeWaits } from '../core/client/usage';
import { nounOf } from '../fields/locators';
import { Failure } from '../core/client/failure';
import { ItemBreaker } from '../core/failures/breaker';
import { namePlatform } from '../core/failures/platformName';
import { mapConcurrently, usuallyAtOnce } from '../core/client/concurrently';

/** A run of more requests, such as one that reads many pages, has its cost written to n8n's log. */
const mostRequestsUnlogged = 20;

/** Runs the chosen operation over all items. Pairing and failures are dealt with here and nowhere else. */
export async function route(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	if (items.length === 0) return [[]];
	const notes = new RunNotes();
	let run: RunContext | undefined;
	try {
		const { operation, scope } = chosenOperation(this);
		run = await createRunContext(this, operation, notes);
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

/** Runs an operation for each item, and logs what a run of many requests has cost. */
async function runEach(
	operation: ItemOperation,
	scope: string,
	run: RunContext,
): Promise<INodeExecutionData[]> {
	const { n8n } = run;
	const continuesOnFail = n8n.continueOnFail();
	// A 404 is about one of the records that the fields of the operation name.
	const nouns = operation.fields.flatMap((field) => nounOf(field) ?? []);
	const subject = nouns.map((noun) => `the ${noun}`).join(' or ') || undefined;
	const startedAt = run.clock.now();
	const breaker = new ItemBreaker(run.clock);
	const outputs = await mapConcurrently(
		[...n8n.getInputData().keys()],
		operation.mayOverlap ? usuallyAtOnce : 1,
		async (itemIndex, signal): Promise<INodeExecutionData[]> => {
			const parameters = parametersOf(run, itemIndex);
			const earlierFailure = breaker.brokenBy;
			const sentAt = run.clock.now();
			try {
				if (earlierFailure) throw earlierFailure;
				const results = [await operation.run({ ...run, parameters, signal })].flat();
				breaker.recordSuccess();
				return results.map((result) => ({
					...(result instanceof WithFile ? result : { json: result }),
					pairedItem: { item: itemIndex },
				}));
			} catch (error) {
				if (error instanceof Failure && !earlierFailure) breaker.recordFailure(error, sentAt);
				const about = error instanceof Failure ? operation.about?.(parameters) : undefined;
				const context = { itemIndex, apiRoot: run.apiRoot, what: subject, scope, ...about };
				const nodeError = toNodeError(n8n.getNode(), error, context);
				if (!continuesOnFail) throw nodeError;
				if (earlierFailure)
					nodeError.description = `Not sent: an earlier item failed for this reason. ${nodeError.description}`;
				return [errorItem(nodeError, itemIndex)];
			}
		},
		run.signal,
	);
	const { usage } = run.client;
	if (usage.requests > mostRequestsUnlogged) {
		const seconds = (run.clock.now() - startedAt) / 1_000;
		const sentences = [describeUsage(usage, seconds), describeWaits(usage)].filter(Boolean);
		n8n.logger.info(`${operation.action}: ${sentences.join('. ')}`);
	}
	return outputs.flat();
}

/**
 * Makes an item of an error. n8n takes an item with these two keys for an error item. An item that held the error object would
 * lose the description, and on the error branch also the values of the input.
 */
function errorItem({ message, description }: ShownError, itemIndex: number): INodeExecutionData {
	const json = { error: message, ...(description ? { message: description } : {}) };
	return { json, pairedItem: { item: itemIndex } };
}
