import type { IExecuteFunctions } from 'n8n-workflow';
import { thousands } from '../core/client/usage';
import type { JsonObject } from '../core/values/json';

/* Says that a list is not whole: to people by a hint, and to an agent by one more item. */

/** The most records for an agent, because more would fill what a model can read, and it skims them. */
const mostForTool = 20;

/** Whether an agent runs the node as its tool. n8n gives such a node a type of its own where it does not say so. */
export function isTool(context: IExecuteFunctions): boolean {
	const isToolRun = 'isToolExecution' in context && context.isToolExecution();
	return isToolRun || context.getNode().type.endsWith('Tool');
}

/** Gives how many records of a list are wanted, which are never all of them for an agent. */
export function limitFor(
	context: IExecuteFunctions,
	limit: number | undefined,
): number | undefined {
	return isTool(context) ? Math.min(limit ?? mostForTool, mostForTool) : limit;
}

/** Tells people how many records there are beyond the limit. */
export function hintsOfRest(limit: number, total: number): string[] {
	if (total <= limit) return [];
	const shownOfTotal = `${thousands(limit)} of ${thousands(total)}`;
	return [`Showing ${shownOfTotal}. Turn on 'Return All' to get the rest.`];
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
