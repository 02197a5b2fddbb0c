import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { FieldNotes } from './fieldNotes';
import { WithFile, type ItemOperation, type Run } from './operation';
import { Given } from '../fields/given';
import { Read } from '../fields/read';
import { operations } from './index';
import { connect } from '../n8n/connect';
import { toNodeError } from '../n8n/nodeError';
import { costInWords } from '../core/client/usage';
import { Failure } from '../core/client/failure';
import { meaningOf } from '../core/failures/meaning';
import { mapConcurrently } from '../core/client/concurrently';

/** Items under way at once: enough to keep 5 requests a second when an answer takes a second and more. */
const mostUnderWay = 8;
/** What more requests cost, as many pages of a list do, is worth a line of n8n's log. */
const mostUntold = 20;

const namesRecord = /^(event|session|person|user|webhook|job|tag)(?:Id)?$/;

/** Runs the chosen operation over all items. Pairing and failures are dealt with here and nowhere else. */
export async function route(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	if (items.length === 0) return [[]];
	const hints = new Set<string>();
	const fieldNotes = new FieldNotes();
	try {
		const { operation, scope } = chosenOperation(this);
		const connection = await connect(this, operation.usesReserve);
		const given = new Given(this, operation.fields);
		const run: Run = {
			...connection,
			context: this,
			fieldNotes,
			hint: (message) => void hints.add(message),
			read: (itemIndex) => new Read(given, itemIndex),
		};
		return [
			'runAll' in operation ? await operation.runAll(run) : await runEach(operation, scope, run),
		];
	} catch (error) {
		const shown = toNodeError(this.getNode(), error, { scope: 'events' });
		if (!this.continueOnFail()) throw shown;
		// An error that is thrown makes n8n pass on what came in, through the output for successes.
		return [items.map((_, itemIndex) => errorItem(shown, itemIndex))];
	} finally {
		const shown = [...hints, ...fieldNotes.hints()].map((message) => ({
			message,
			location: 'outputPane' as const,
		}));
		if (shown.length > 0) this.addExecutionHints(...shown);
	}
}

function chosenOperation(context: IExecuteFunctions) {
	// Chosen without expressions, so the same for every item.
	const resource = context.getNodeParameter<{ resource: string }>('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const chosen = operations.get(`${resource} ${operation}`);
	if (chosen) return chosen;
	throw new NodeOperationError(
		context.getNode(),
		`This version of the node does not know the operation '${operation}' of the resource '${resource}'`,
		{ description: 'Choose another operation, or update the package.' },
	);
}

async function runEach(operation: ItemOperation, scope: string, run: Run) {
	const { context } = run;
	const goesOn = context.continueOnFail();
	// What a 404 can be about: the records that the fields of the operation name.
	const things = operation.fields.flatMap(({ name }) => namesRecord.exec(name)?.[1] ?? []);
	const what = things.map((thing) => `the ${thing}`).join(' or ') || undefined;
	const startedAt = run.clock.now();
	let ended: Failure | undefined;
	const outputs = await mapConcurrently(
		[...context.getInputData().keys()],
		operation.overlapping ? mostUnderWay : 1,
		async (itemIndex, signal): Promise<INodeExecutionData[]> => {
			const read = run.read(itemIndex);
			const before = ended;
			try {
				if (before) throw before;
				const results = [await operation.run({ ...run, read, signal })].flat();
				return results.map((one) => ({
					...(one instanceof WithFile ? one : { json: one }),
					pairedItem: { item: itemIndex },
				}));
			} catch (error) {
				if (error instanceof Failure && meaningOf(error).ends === 'run') ended = error;
				const about = error instanceof Failure ? operation.about?.(read) : undefined;
				const where = { itemIndex, what, scope, ...about };
				const shown = toNodeError(context.getNode(), error, where);
				if (!goesOn) throw shown;
				if (before)
					shown.description = `Not sent: an earlier item failed for this reason. ${shown.description}`;
				return [errorItem(shown, itemIndex)];
			}
		},
		run.signal,
	);
	const { usage } = run.api;
	if (usage.requests > mostUntold) {
		const seconds = (run.clock.now() - startedAt) / 1_000;
		context.logger.info(`${operation.action}: ${costInWords(usage, seconds)}`);
	}
	return outputs.flat();
}

// n8n takes an item with these two keys for an error item. One with the error itself would lose the
// description, and on the error branch also what came in.
function errorItem({ message, description }: ReturnType<typeof toNodeError>, itemIndex: number) {
	const json = { error: message, ...(description ? { message: description } : {}) };
	return { json, pairedItem: { item: itemIndex } };
}
