import type { IExecuteFunctions } from 'n8n-workflow';
import { thousands } from '../core/client/usage';
import type { JsonObject } from '../core/values/json';

/* How a list says that it is not whole: to people by a hint, to an agent by one more item. */

/** More records than these fill what a model can read, and it skims them. */
export const mostForTool = 20;

/** Whether an agent runs the node as its tool. n8n gives such a node a type of its own where it does not say so. */
export function isTool(context: IExecuteFunctions): boolean {
	const isSaid = 'isToolExecution' in context && context.isToolExecution();
	return isSaid || context.getNode().type.endsWith('Tool');
}

/** How many records of a list are wanted, which for an agent is never all of them. */
export function limitFor(
	context: IExecuteFunctions,
	limit: number | undefined,
): number | undefined {
	return isTool(context) ? Math.min(limit ?? mostForTool, mostForTool) : limit;
}

/** Tells people how many records there are beyond the limit. */
export function hintsOfRest(limit: number, total: number): string[] {
	if (total <= limit) return [];
	const some = `${thousands(limit)} of ${thousands(total)}`;
	return [`Showing ${some}. Turn on 'Return All' to get the rest.`];
}

/**
 * Makes a list complete for an agent. An agent sees the items alone and no hints, so one more item says how many records
 * there are where it does not have all of them.
 */
export function withTotal(records: JsonObject[], total: number): JsonObject[] {
	if (total <= records.length) return records;
	const shown = records.length;
	const note = `These are ${shown} of ${thousands(total)} records. There is no next page: narrow the list with a filter.`;
	return [...records, { shown, total, note }];
}
